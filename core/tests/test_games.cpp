// The native games against slow readings of their rules, and against counts that are known.
#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "games/connect4.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"
#include "tests/game_checks.hpp"

using namespace tesuji;

namespace {

// Do four stones of a player stand in a line? Read square by square.
bool has_four(const Connect4& game, int player) {
  const auto owns = [&](int row, int column) {
    return row >= 0 && row < 6 && column >= 0 && column < 7 && (game.board(player) >> (column * 7 + row) & 1) != 0;
  };
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 7; ++column)
      for (const auto& [up, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
        int length = 0;
        while (length < 4 && owns(row + length * up, column + length * right)) ++length;
        if (length == 4) return true;
      }
  return false;
}

// Are a player's sides joined? By flooding from one side, cell by cell.
bool joins_sides(const Hex& game, int player) {
  const int size = game.size();
  std::set<std::pair<int, int>> reached;
  std::vector<std::pair<int, int>> todo;
  const auto reach = [&](int row, int column) {
    if (row < 0 || row >= size || column < 0 || column >= size || game.owner(row * size + column) != player) return;
    if (reached.insert({row, column}).second) todo.emplace_back(row, column);
  };
  for (int i = 0; i < size; ++i) player == 0 ? reach(0, i) : reach(i, 0);
  while (!todo.empty()) {
    const auto [row, column] = todo.back();
    todo.pop_back();
    if ((player == 0 ? row : column) == size - 1) return true;
    for (const auto& [down, right] : {std::pair{-1, 0}, {-1, 1}, {0, 1}, {1, 0}, {1, -1}, {0, -1}})
      reach(row + down, column + right);
  }
  return false;
}

}  // namespace

TEST_CASE("tic-tac-toe has 255,168 games and 5,478 states") {
  CHECK(count_games(TicTacToe{}, 9) == 255'168);
  std::size_t total = 0;
  for (const std::size_t count : count_states(TicTacToe{}, 9)) total += count;
  CHECK(total == 5'478);
}

TEST_CASE("tic-tac-toe: three in a row wins for who made it, a full board is drawn") {
  TicTacToe first, second, drawn;
  for (const Move move : {0, 3, 1, 4, 2}) first.play(move);
  CHECK((first.is_over() && first.value() == 1.0 && moves_of(first).empty()));
  for (const Move move : {0, 2, 1, 4, 8, 6}) second.play(move);
  CHECK((second.is_over() && second.value() == 0.0));
  for (const Move move : {0, 1, 2, 4, 3, 5, 7, 6, 8}) drawn.play(move);
  CHECK((drawn.is_over() && drawn.value() == 0.5));
}

TEST_CASE("Connect Four has the known number of states after each move") {
  // Sequence A212693 of the On-Line Encyclopedia of Integer Sequences.
  CHECK(count_states(Connect4{}, 7) == std::vector<std::size_t>{1, 7, 49, 238, 1120, 4263, 16422, 54859});
  CHECK(count_games(Connect4{}, 6) == 117'649);  // nobody can have won before: 7^6
}

TEST_CASE("Connect Four ends exactly when four stand in a line or the board is full") {
  Rng rng(3);
  int num_lines = 0, num_full = 0;
  for (int game_number = 0; game_number < 3000; ++game_number) {
    Connect4 game;
    int stones = 0;
    while (!game.is_over()) {
      const MoveList legal = moves_of(game);
      const int mover = game.to_play();
      game.play(legal[rng.below(legal.size())]);
      ++stones;
      REQUIRE(game.to_play() == 1 - mover);
      REQUIRE(!has_four(game, 1 - mover));
      const bool line = has_four(game, mover);
      REQUIRE(game.is_over() == (line || stones == 42));
      if (!game.is_over()) continue;
      REQUIRE(game.value() == (!line ? 0.5 : mover == 0 ? 1.0 : 0.0));
      (line ? num_lines : num_full) += 1;
    }
  }
  CHECK(num_lines > 2900);
  CHECK(num_full > 3);  // about one in 400
}

TEST_CASE("Connect Four: a stone falls to the lowest free row, a full column takes none") {
  Connect4 game;
  for (int row = 0; row < 6; ++row) {
    CHECK((game.board(game.to_play()) >> (3 * 7 + row) & 1) == 0);
    const int mover = game.to_play();
    game.play(3);
    CHECK((game.board(mover) >> (3 * 7 + row) & 1) == 1);
  }
  CHECK(moves_of(game) == MoveList{0, 1, 2, 4, 5, 6});
}

TEST_CASE("Hex ends exactly when a player's sides are joined, on every size") {
  Rng rng(4);
  for (int size = 1; size <= 19; ++size)
    for (int game_number = 0; game_number < (size < 8 ? 60 : 4); ++game_number) {
      Hex game(size);
      int winners[2] = {0, 0};
      while (!game.is_over()) {
        const MoveList legal = moves_of(game);
        REQUIRE(!legal.empty());  // Hex cannot be drawn
        const int mover = game.to_play();
        const Move move = legal[rng.below(legal.size())];
        REQUIRE(game.owner(move) == -1);
        game.play(move);
        REQUIRE(game.owner(move) == mover);
        const bool joined = joins_sides(game, mover);
        REQUIRE(game.is_over() == joined);
        REQUIRE(!joins_sides(game, 1 - mover));
        if (joined) {
          ++winners[mover];
          REQUIRE(game.value() == (mover == 0 ? 1.0 : 0.0));
          REQUIRE(moves_of(game).empty());
        }
      }
      REQUIRE(winners[0] + winners[1] == 1);
    }
}

TEST_CASE("Hex: a full board's winner is the winner of the game in which its moves were made") {
  for (const int size : {1, 2, 3, 5, 8, 11, 19}) check_playouts_are_games(Hex(size), size < 10 ? 300 : 30, 5);
  Hex half(7);
  Rng rng(6);
  for (int i = 0; i < 20; ++i) {
    const MoveList legal = moves_of(half);
    half.play(legal[rng.below(legal.size())]);
    if (half.is_over()) break;
    check_playouts_are_games(half, 20, static_cast<std::uint64_t>(i));
  }
}

TEST_CASE("Hex has as many states as its stones can be placed in") {
  // Two moves on 3x3: nine cells for the first stone, eight for the second; three: 9 * 8 * 7 / 2 (two equal stones).
  CHECK(count_states(Hex(3), 3) == std::vector<std::size_t>{1, 9, 72, 252});
}

TEST_CASE("Hex sizes outside 1..19 are refused") {
  CHECK_THROWS_AS(Hex(0), std::invalid_argument);
  CHECK_THROWS_AS(Hex(20), std::invalid_argument);
  CHECK_THROWS_AS(Hex(-3), std::invalid_argument);
}

TEST_CASE(
    "playouts of every native game are legal games, uniform in their first move, and silent about being recorded") {
  Connect4 late;  // one column is full
  for (const Move move : {0, 0, 0, 0, 0, 0, 3}) late.play(move);
  check_playouts_are_games(TicTacToe{}, 500, 1);
  check_playouts_are_games(Connect4{}, 500, 2);
  check_playouts_are_games(late, 500, 3);
  check_first_moves_uniform(TicTacToe{}, 4);
  check_first_moves_uniform(late, 5);
  check_first_moves_uniform(Hex(5), 6);
  check_record_changes_nothing(TicTacToe{});
  check_record_changes_nothing(Connect4{});
  check_record_changes_nothing(Hex(6));
}

TEST_CASE("a state's hash does not depend on the way to it, and tells who is to move") {
  Hex a(5), b(5);
  for (const Move move : {3, 7, 11}) a.play(move);
  for (const Move move : {11, 7, 3}) b.play(move);
  CHECK(a.hash() == b.hash());
  Connect4 c, d;
  for (const Move move : {3, 2, 4, 2}) c.play(move);
  for (const Move move : {4, 2, 3, 2}) d.play(move);
  CHECK(c.hash() == d.hash());
  // The same cells held by the other player are another state.
  Hex e(5), f(5);
  for (const Move move : {3, 7}) e.play(move);
  for (const Move move : {7, 3}) f.play(move);
  CHECK(e.hash() != f.hash());
}

TEST_CASE("a game that never ends, or lists no move, is an error of the uniform playout and no endless loop") {
  struct Endless {
    int num_distinct_moves() const { return 1; }
    int to_play() const { return 0; }
    bool is_over() const { return false; }
    double value() const { return 0; }
    std::uint64_t hash() const { return 0; }
    void legal_moves(MoveList& moves) const {
      if (has_moves) moves.push_back(0);
    }
    void play(Move) {}
    bool has_moves = true;
  };
  Endless endless;
  MoveList scratch;
  Rng rng(1);
  CHECK_THROWS_AS(play_out_uniformly(endless, rng, kNoRecord, scratch), std::runtime_error);
  endless.has_moves = false;
  CHECK_THROWS_AS(play_out_uniformly(endless, rng, kNoRecord, scratch), std::logic_error);
}
