// What knowledge says of a move before the search has tried it. See docs/algorithms/go-priors.md.
//
// Each feature that a move has votes for it (1) or against it (0) with a weight in virtual visits; the prior is the
// mean of the votes, with `even` undecided ones (0.5) among them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "go/patterns.hpp"
#include "go/rule_playout.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

struct PriorWeights {
  float even = 10;
  float capture = 15;       // takes a chain in atari ...
  float capture_stone = 2;  // ... and so much more for each of its stones, up to ten
  float escape = 12;        // saves a chain in atari; likewise per stone
  float escape_stone = 2;
  float failed_escape = 12;  // against: runs into a ladder or stays in atari
  float atari = 4;           // puts a chain into atari
  float ladder = 14;         // ... that cannot get away; likewise per stone
  float ladder_stone = 2;
  float self_atari = 14;                         // against
  float pattern = 4;                             // a 3x3 pattern, anywhere
  float pattern_near = 6;                        // beside the last move
  std::array<float, 4> distance = {0, 6, 4, 2};  // by distance to the last move in the common fate graph
  float first_line = 8;                          // against, where nothing stands near
  float second_line = 4;                         // against, likewise
  float third_line = 3;                          // for, likewise
  float centre = 3;                              // for the lines above the third, likewise
  float urgent = 8;                              // for what the playouts would answer: nakade, low liberties
  float pass = 15;                               // against
};

// Priors for the moves of C in one position.
template <Color C, class S>
class MovePriors {
 public:
  MovePriors(const S& stones, const PriorWeights& weights, const PatternTable& patterns, Cell last)
      : stones_(stones), weights_(weights), patterns_(patterns), last_(last) {
    distance_.fill(kFar);
    if (last == kPass) return;
    spread_from(last);
    find_urgent_moves();
  }

  float of_pass() const { return votes_for(0, weights_.pass); }

  float of(Cell cell) const {
    Votes votes;
    const Outcome outcome = outcome_of<C>(stones_, cell);
    judge_captures(cell, votes);
    judge_escapes(cell, outcome, votes);
    judge_ataris(cell, outcome, votes);
    if (outcome.captured == 0 && outcome.liberties < 2) votes.against += weights_.self_atari;
    if (patterns_.template matches<C>(stones_.code3x3(cell)))
      votes.in_favour += is_beside_last(cell) ? weights_.pattern_near : weights_.pattern;
    if (urgent_.has(cell)) votes.in_favour += weights_.urgent;
    if (distance_[cell] < kFar) votes.in_favour += weights_.distance[distance_[cell]];
    judge_line(cell, votes);
    return votes_for(votes.in_favour, votes.against);
  }

 private:
  static constexpr std::uint8_t kFar = 4;
  struct Votes {
    float in_favour = 0, against = 0;
  };

  float votes_for(float in_favour, float against) const {
    return (in_favour + 0.5f * weights_.even) / (in_favour + against + weights_.even);
  }
  static float stones_counted(int size) { return static_cast<float>(std::min(size, 10)); }

  void judge_captures(Cell cell, Votes& votes) const {
    for_each_chain_around(stones_, cell, opponent(C), [&](Cell chain) {
      if (stones_.atari_liberty(chain) == cell)
        votes.in_favour += weights_.capture + weights_.capture_stone * stones_counted(stones_.chain_size(chain));
    });
  }

  void judge_escapes(Cell cell, const Outcome& outcome, Votes& votes) const {
    bool is_asked = false, is_caught = false;
    for_each_chain_around(stones_, cell, C, [&](Cell chain) {
      if (stones_.atari_liberty(chain) != cell) return;
      if (!is_asked) is_caught = fails_to_escape(cell, outcome);
      is_asked = true;
      if (is_caught)
        votes.against += weights_.failed_escape;
      else
        votes.in_favour += weights_.escape + weights_.escape_stone * stones_counted(stones_.chain_size(chain));
    });
  }
  bool fails_to_escape(Cell cell, const Outcome& outcome) const {
    if (outcome.liberties < 2) return true;
    if (outcome.liberties > 2 || outcome.captured > 0) return false;
    S after = stones_;
    after.template play<C>(cell);
    return detail::hunter_catches<C>(after, cell, 0);
  }

  void judge_ataris(Cell cell, const Outcome& outcome, Votes& votes) const {
    if (outcome.captured == 0 && outcome.liberties < 2) return;
    for_each_chain_around(stones_, cell, opponent(C), [&](Cell chain) {
      if (few_liberties<3>(stones_, chain).size != 2) return;
      if (is_ladder_move<opponent(C)>(stones_, chain, cell))
        votes.in_favour += weights_.ladder + weights_.ladder_stone * stones_counted(stones_.chain_size(chain));
      else
        votes.in_favour += weights_.atari;
    });
  }

  bool is_beside_last(Cell cell) const {
    if (last_ == kPass) return false;
    const auto is_at = [&](int step) { return static_cast<Cell>(last_ + step) == cell; };
    return std::any_of(S::L::kOrthogonal.begin(), S::L::kOrthogonal.end(), is_at) ||
           std::any_of(S::L::kDiagonal.begin(), S::L::kDiagonal.end(), is_at);
  }

  // Lines count where the board is still open: no stone within two steps.
  void judge_line(Cell cell, Votes& votes) const {
    const int row = S::L::row(cell), column = S::L::column(cell);
    const int line = std::min({row, column, stones_.height() - 1 - row, stones_.width() - 1 - column});
    if (!is_open_around(row, column)) return;
    if (line == 0) votes.against += weights_.first_line;
    if (line == 1) votes.against += weights_.second_line;
    if (line == 2) votes.in_favour += weights_.third_line;
    if (line > 2) votes.in_favour += weights_.centre;
  }
  bool is_open_around(int row, int column) const {
    for (int r = std::max(0, row - 2); r <= std::min(stones_.height() - 1, row + 2); ++r)
      for (int c = std::max(0, column - 2); c <= std::min(stones_.width() - 1, column + 2); ++c)
        if (stones_.color(S::L::cell(r, c)) != Color::Empty) return false;
    return true;
  }

  // What playouts would answer to the last move besides captures, escapes and patterns.
  void find_urgent_moves() {
    static const PlayoutPolicy policy;
    Rng rng(0);  // these rules draw nothing
    S stones = stones_;
    RulePlayout<S> playout(stones, policy, rng);
    for (const Origin rule : {Origin::Nakade, Origin::LowLiberties}) {
      const Candidates& found = playout.template find<C>(rule, last_, kPass);
      for (std::size_t i = 0; i < found.size(); ++i) urgent_.add(found.cell(i));
    }
  }

  // Distance in the common fate graph: a step to a neighbour costs one, within a chain nothing.
  void spread_from(Cell start) {
    std::array<Cell, S::L::kPoints> cells;
    std::size_t size = 0;
    const auto reach = [&](Cell cell, std::uint8_t distance) {
      if (stones_.color(cell) == Color::OffBoard || distance_[cell] <= distance) return;
      if (stones_.color(cell) == Color::Empty) {
        distance_[cell] = distance;
        cells[size++] = cell;
        return;
      }
      Cell stone = cell;
      do {
        distance_[stone] = distance;
        cells[size++] = stone;
        stone = stones_.next_stone(stone);
      } while (stone != cell);
    };
    reach(start, 0);
    for (std::size_t next = 0; next < size; ++next) {
      const Cell cell = cells[next];
      if (distance_[cell] + 1 >= kFar) break;
      for (const int step : S::L::kOrthogonal)
        reach(static_cast<Cell>(cell + step), static_cast<std::uint8_t>(distance_[cell] + 1));
    }
  }

  const S& stones_;
  const PriorWeights& weights_;
  const PatternTable& patterns_;
  Cell last_;
  std::array<std::uint8_t, S::L::kCells> distance_;
  FewCells<16> urgent_;
};

}  // namespace tesuji::go
