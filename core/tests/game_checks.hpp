// What is asked of every native game: counts of its games and states, and that its playouts are games.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "games/game.hpp"
#include "tests/move_record.hpp"

namespace tesuji {

template <Game G>
MoveList moves_of(const G& game) {
  MoveList moves;
  game.legal_moves(moves);
  std::sort(moves.begin(), moves.end());
  return moves;
}

// How many games of at most `depth` moves end there: leaves of the tree of games.
template <Game G>
std::uint64_t count_games(const G& game, int depth) {
  if (game.is_over() || depth == 0) return 1;
  std::uint64_t count = 0;
  for (const Move move : moves_of(game)) {
    G after = game;
    after.play(move);
    count += count_games(after, depth - 1);
  }
  return count;
}

// By number of moves: how many different hashes the reachable states have.
template <Game G>
std::vector<std::size_t> count_states(const G& root, int depth) {
  std::vector<std::size_t> counts;
  std::map<std::uint64_t, G> level{{root.hash(), root}};
  for (int ply = 0; ply <= depth; ++ply) {
    counts.push_back(level.size());
    std::map<std::uint64_t, G> next;
    for (const auto& [hash, game] : level)
      for (const Move move : moves_of(game)) {
        G after = game;
        after.play(move);
        next.emplace(after.hash(), after);
      }
    level = std::move(next);
  }
  return counts;
}

// Chi-squared over the first moves of playouts: each of the legal ones must come up equally often.
template <Game G>
void check_first_moves_uniform(const G& game, std::uint64_t seed) {
  const MoveList legal = moves_of(game);
  constexpr int kPerMove = 2000;
  std::map<Move, int> count;
  Rng rng(seed);
  MoveRecord record;
  const int draws = kPerMove * static_cast<int>(legal.size());
  for (int i = 0; i < draws; ++i) {
    G copy = game;
    record.clear();
    copy.play_out(rng, &record);
    REQUIRE(record.player(0) == game.to_play());
    ++count[record.move(0)];
  }
  double chi_squared = 0;
  for (const Move move : legal) chi_squared += std::pow(count[move] - kPerMove, 2) / kPerMove;
  const double degrees = static_cast<double>(legal.size()) - 1;
  CHECK(count.size() == legal.size());
  CHECK(chi_squared < degrees + 3.1 * std::sqrt(2 * degrees) + 4);  // about the 99.9 % point
}

// A playout's record is a legal game whose value it reports.
template <Game G>
void check_playouts_are_games(const G& game, int num_playouts, std::uint64_t seed) {
  Rng rng(seed);
  MoveRecord record;
  for (int i = 0; i < num_playouts; ++i) {
    G played = game, replayed = game;
    record.clear();
    const double value = played.play_out(rng, &record);
    for (std::size_t turn = 0; turn < record.size() && !replayed.is_over(); ++turn) {
      const MoveList legal = moves_of(replayed);
      REQUIRE(record.player(turn) == replayed.to_play());
      REQUIRE(std::find(legal.begin(), legal.end(), record.move(turn)) != legal.end());
      replayed.play(record.move(turn));
    }
    REQUIRE(replayed.is_over());
    REQUIRE(replayed.value() == value);
  }
}

// With and without a record a playout draws the same numbers.
template <Game G>
void check_record_changes_nothing(const G& game) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng with(seed), without(seed);
    MoveRecord record;
    G a = game, b = game;
    REQUIRE(a.play_out(with, &record) == b.play_out(without, kNoRecord));
    REQUIRE(with.next() == without.next());
  }
}

}  // namespace tesuji
