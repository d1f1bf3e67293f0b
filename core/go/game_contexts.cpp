#include "go/game_contexts.hpp"

#include <stdexcept>
#include <string>

#include "go/context_reader.hpp"

namespace tesuji::go {

namespace {

void add_position(const Board& board, const Board::Turn& turn, std::span<const std::size_t> sizes, GameContexts& game) {
  const ContextReader<Board::AllStones> reader(board.stones(), turn.color);
  game.starts.push_back(static_cast<std::int64_t>(game.points.size()));
  game.played.push_back(-1);
  for (int point = 0; point < board.num_points(); ++point) {
    if (board.legality(point, turn.color) != Legality::Legal) continue;
    if (point == turn.move) game.played.back() = static_cast<std::int64_t>(game.points.size());
    game.points.push_back(point);
    const auto contexts = reader.symmetric(board.cell(point));
    for (const std::size_t size : sizes) game.contexts.push_back(contexts[size]);
  }
}

}  // namespace

GameContexts contexts_of_game(Board board, std::span<const Board::Turn> turns, std::span<const std::size_t> sizes) {
  GameContexts game;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (board.legality(turns[i].move, turns[i].color) != Legality::Legal)
      throw std::invalid_argument("move " + std::to_string(i + 1) + " of the game (" + std::to_string(turns[i].move) +
                                  ") is not legal");
    add_position(board, turns[i], sizes, game);
    board.play(turns[i].move, turns[i].color);
  }
  game.starts.push_back(static_cast<std::int64_t>(game.points.size()));
  return game;
}

std::vector<std::uint64_t> contexts_of_board(const Board& board, Color mover, std::size_t size, bool is_symmetric) {
  const ContextReader<Board::AllStones> reader(board.stones(), mover);
  std::vector<std::uint64_t> contexts;
  for (int point = 0; point < board.num_points(); ++point) {
    const Cell cell = board.cell(point);
    if (board.color_at(point) != Color::Empty)
      contexts.push_back(0);
    else
      contexts.push_back(is_symmetric ? reader.symmetric(cell)[size] : reader.of(cell, kContextSizes[size]));
  }
  return contexts;
}

}  // namespace tesuji::go
