// The travelling salesman problem in the plane: the shortest round trip through all cities. One player, who minimises
// the length. The trip begins in city 0; a move is the city to go to next.
//
// The bound is a minimum spanning tree (Held and Karp 1970, without their ascent): what is left of the trip is a path
// through the cities not yet visited, from here to city 0, and a path is a tree.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "base/bits.hpp"
#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

class Tsp {
 public:
  static constexpr const char* kName = "tsp";
  static constexpr std::size_t kMaxCities = 64;

  Tsp(std::span<const double> xs, std::span<const double> ys) : num_cities_(static_cast<std::uint8_t>(xs.size())) {
    if (xs.size() < 2 || xs.size() > kMaxCities || xs.size() != ys.size())
      throw std::invalid_argument("there are " + std::to_string(xs.size()) + " x and " + std::to_string(ys.size()) +
                                  " y coordinates; give 2.." + std::to_string(kMaxCities) + " of both");
    for (std::size_t i = 0; i < xs.size(); ++i) {
      if (!std::isfinite(xs[i]) || !std::isfinite(ys[i]) || std::abs(xs[i]) > kFarthest || std::abs(ys[i]) > kFarthest)
        throw std::invalid_argument("city " + std::to_string(i) + " lies at (" + std::to_string(xs[i]) + ", " +
                                    std::to_string(ys[i]) + "); coordinates must lie in -1e9..1e9");
      xs_[i] = xs[i];
      ys_[i] = ys[i];
    }
    left_ = (xs.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << xs.size()) - 1) & ~std::uint64_t{1};
  }

  // Cities on the grid points of a square of 1000 x 1000.
  static Tsp random(int num_cities, std::uint64_t seed) {
    if (num_cities < 2 || num_cities > static_cast<int>(kMaxCities))
      throw std::invalid_argument(std::to_string(num_cities) + " cities are outside 2.." + std::to_string(kMaxCities));
    Rng rng(seed);
    std::array<double, kMaxCities> xs{}, ys{};
    const auto count = static_cast<std::size_t>(num_cities);
    for (std::size_t i = 0; i < count; ++i) {
      xs[i] = static_cast<double>(rng.below(1000));
      ys[i] = static_cast<double>(rng.below(1000));
    }
    return Tsp({xs.data(), count}, {ys.data(), count});
  }

  std::span<const double> xs() const { return {xs_.data(), num_cities_}; }
  std::span<const double> ys() const { return {ys_.data(), num_cities_}; }
  double distance(std::size_t a, std::size_t b) const {
    const double x = xs_[a] - xs_[b], y = ys_[a] - ys_[b];
    return std::sqrt(x * x + y * y);
  }

  int num_distinct_moves() const { return num_cities_; }
  Goal goal() const { return Goal::Minimise; }
  int to_play() const { return 0; }
  bool is_over() const { return left_ == 0; }
  double value() const { return length_ + distance(here_, 0); }
  // Shorter by a trillionth, more than sums in another order can differ.
  double bound() const { return (length_ + spanning_tree(left_ | std::uint64_t{1} << here_ | 1)) * (1 - 1e-12); }
  // The length so far belongs to the state, because the value counts it.
  std::uint64_t hash() const { return combine(combine(left_, here_), std::bit_cast<std::uint64_t>(length_)); }

  void legal_moves(MoveList& moves) const {
    for (std::uint64_t left = left_; left != 0; left &= left - 1) moves.push_back(std::countr_zero(left));
  }
  void play(Move move) {
    const auto city = static_cast<std::size_t>(move);
    length_ += distance(here_, city);
    here_ = static_cast<std::uint8_t>(city);
    left_ &= ~(std::uint64_t{1} << city);
  }

  Move random_move(Rng& rng) const {
    return nth_bit(left_, static_cast<int>(rng.below(static_cast<std::uint64_t>(count_bits(left_)))));
  }
  using Stepper = RandomMoves<Tsp>;

  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    return play_out_by_steps(*this, rng, record);
  }

 private:
  static constexpr double kFarthest = 1e9;

  // The length of the shortest tree that joins some cities (Prim).
  double spanning_tree(std::uint64_t cities) const {
    std::array<double, kMaxCities> nearest;
    nearest.fill(std::numeric_limits<double>::infinity());
    auto last = static_cast<std::size_t>(std::countr_zero(cities));
    double length = 0;
    for (cities &= cities - 1; cities != 0; cities &= ~(std::uint64_t{1} << last)) {
      std::size_t best = kMaxCities;
      for (std::uint64_t rest = cities; rest != 0; rest &= rest - 1) {
        const auto city = static_cast<std::size_t>(std::countr_zero(rest));
        nearest[city] = std::min(nearest[city], distance(last, city));
        if (best == kMaxCities || nearest[city] < nearest[best]) best = city;
      }
      length += nearest[best];
      last = best;
    }
    return length;
  }

  std::array<double, kMaxCities> xs_{}, ys_{};
  double length_ = 0;
  std::uint64_t left_ = 0;  // cities not yet visited
  std::uint8_t num_cities_ = 0, here_ = 0;
};

static_assert(Game<Tsp> && HasPlayout<Tsp> && HasStepper<Tsp> && HasBound<Tsp>);

}  // namespace tesuji
