// Chains with two liberties: where one is put into atari, and how one is made safe. docs/algorithms/playouts.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "go/acceptance.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

// `add(cell)` hears the moves.
template <class S>
class WeakChains {
 public:
  WeakChains(const S& stones, const Acceptance<S>& acceptance) : stones_(stones), acceptance_(acceptance) {}

  // An enemy chain, put into atari by C from the side where it gains least by running.
  template <Color C, class Add>
  void attack(Cell chain, const Add& add) const {
    const ChainLiberties liberties = liberties_of(stones_, chain);
    if (liberties.number != 2) return;
    std::array<int, 2> left{};  // liberties after the atari here and the flight there
    for (std::size_t i = 0; i < 2; ++i) {
      const Cell move = liberties.cells[i], flight = liberties.cells[1 - i];
      left[i] = 4;
      if (!acceptance_.template is_acceptable<C>(move) || liberties_after<C, 2>(stones_, move) < 2) continue;
      left[i] = liberties_after_flight<opponent(C)>(flight, move);
    }
    const int least = std::min(left[0], left[1]);
    if (least > 2) return;
    for (std::size_t i = 0; i < 2; ++i)
      if (left[i] == least) add(liberties.cells[i]);
  }

  // A chain of C that an atari would endanger: make the liberties three, or take an attacker.
  template <Color C, class Add>
  void strengthen(Cell chain, const Add& add) const {
    const ChainLiberties liberties = liberties_of(stones_, chain);
    if (liberties.number != 2) return;
    bool is_in_danger = false;
    for (std::size_t i = 0; i < 2; ++i) {
      const Cell attack = liberties.cells[i], flight = liberties.cells[1 - i];
      is_in_danger = is_in_danger || (is_playable<opponent(C)>(stones_, attack) &&
                                      liberties_after<opponent(C), 2>(stones_, attack) >= 2 &&
                                      liberties_after_flight<C>(flight, attack) <= 2);
    }
    if (!is_in_danger) return;
    for_each_capture_around<C>(stones_, chain, [&](Cell at, Cell) {
      if (is_playable<C>(stones_, at)) add(at);
    });
    for (const Cell liberty : liberties.cells)
      if (acceptance_.template is_acceptable<C>(liberty) && liberties_after<C, 3>(stones_, liberty) >= 3) add(liberty);
  }

 private:
  // How many liberties a chain with the liberties `flight` and `taken` has after the second was taken and it fled to
  // the first; at most three.
  template <Color C>
  int liberties_after_flight(Cell flight, Cell taken) const {
    if (!is_playable<C>(stones_, flight)) return 0;
    FewCells<3> after;
    for (const int step : S::L::kOrthogonal) {
      const auto other = static_cast<Cell>(flight + step);
      if (stones_.color(other) == Color::Empty && other != taken) after.add(other);
      if (stones_.color(other) == C) {
        const Cell chain = stones_.chain(other);
        if (stones_.num_pairs(chain) > 16) return 3;  // five liberties at least, three besides these two
        for (const Cell liberty : few_liberties<5>(stones_, chain))
          if (liberty != flight && liberty != taken) after.add(liberty);
      }
      if (stones_.color(other) == opponent(C) && stones_.atari_liberty(stones_.chain(other)) == flight)
        after.add(other);
    }
    return static_cast<int>(after.size);
  }

  const S& stones_;
  const Acceptance<S>& acceptance_;
};

}  // namespace tesuji::go
