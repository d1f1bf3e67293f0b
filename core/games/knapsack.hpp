// The 0/1 knapsack problem: which items, each once, are worth most and together weigh no more than the capacity. One
// player, who maximises the worth. A move is the number of an item.
//
// Items are taken in ascending order, so that every set is reached by one sequence of moves only. The end is where no
// later item fits; no best set is lost by that, because another item would make it better.
//
// The bound is Dantzig's (1957): fill the room with what is left by worth per weight, the last item in part.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "base/bits.hpp"
#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

class Knapsack {
 public:
  static constexpr const char* kName = "knapsack";
  static constexpr std::size_t kMaxItems = 64;
  static constexpr std::int32_t kMost = 1'000'000;

  Knapsack(std::span<const std::int32_t> weights, std::span<const std::int32_t> worths, std::int32_t capacity)
      : room_(capacity), num_items_(static_cast<std::uint8_t>(weights.size())) {
    if (weights.empty() || weights.size() > kMaxItems || weights.size() != worths.size())
      throw std::invalid_argument("there are " + std::to_string(weights.size()) + " weights and " +
                                  std::to_string(worths.size()) + " worths; give 1.." + std::to_string(kMaxItems) +
                                  " of both");
    check("capacity", capacity, 0, kMost * static_cast<std::int32_t>(kMaxItems));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      check("weight", weights[i], 1, kMost);
      check("worth", worths[i], 1, kMost);
      weights_[i] = weights[i];
      worths_[i] = worths[i];
    }
    sort_by_ratio();
    find_open();
  }

  // Weights and worths are uniform in 1..100; half of the weight fits.
  static Knapsack random(int num_items, std::uint64_t seed) {
    if (num_items < 1 || num_items > static_cast<int>(kMaxItems))
      throw std::invalid_argument(std::to_string(num_items) + " items are outside 1.." + std::to_string(kMaxItems));
    Rng rng(seed);
    std::array<std::int32_t, kMaxItems> weights{}, worths{};
    std::int32_t total = 0;
    const auto count = static_cast<std::size_t>(num_items);
    for (std::size_t i = 0; i < count; ++i) {
      weights[i] = 1 + static_cast<std::int32_t>(rng.below(100));
      worths[i] = 1 + static_cast<std::int32_t>(rng.below(100));
      total += weights[i];
    }
    return Knapsack({weights.data(), count}, {worths.data(), count}, total / 2);
  }

  std::span<const std::int32_t> weights() const { return {weights_.data(), num_items_}; }
  std::span<const std::int32_t> worths() const { return {worths_.data(), num_items_}; }
  std::int32_t room() const { return room_; }

  int num_distinct_moves() const { return num_items_; }
  Goal goal() const { return Goal::Maximise; }
  int to_play() const { return 0; }
  bool is_over() const { return open_ == 0; }
  double value() const { return worth_; }
  double bound() const {
    std::int64_t worth = worth_, room = room_;
    for (std::size_t rank = 0; rank < num_items_ && room > 0; ++rank) {
      const std::size_t item = by_ratio_[rank];
      if (item < next_) continue;
      if (weights_[item] > room) return static_cast<double>(worth + room * worths_[item] / weights_[item]);
      room -= weights_[item];
      worth += worths_[item];
    }
    return static_cast<double>(worth);
  }
  std::uint64_t hash() const { return mix64(taken_); }

  void legal_moves(MoveList& moves) const {
    for (std::uint64_t left = open_; left != 0; left &= left - 1) moves.push_back(std::countr_zero(left));
  }
  void play(Move move) {
    const auto item = static_cast<std::size_t>(move);
    taken_ |= std::uint64_t{1} << item;
    room_ -= weights_[item];
    worth_ += worths_[item];
    next_ = static_cast<std::uint8_t>(item + 1);
    find_open();
  }

  Move random_move(Rng& rng) const {
    return nth_bit(open_, static_cast<int>(rng.below(static_cast<std::uint64_t>(count_bits(open_)))));
  }
  using Stepper = RandomMoves<Knapsack>;

  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    return play_out_by_steps(*this, rng, record);
  }

 private:
  static void check(const char* what, std::int32_t number, std::int32_t low, std::int32_t high) {
    if (number < low || number > high)
      throw std::invalid_argument("a " + std::string(what) + " is " + std::to_string(number) + "; it must lie in " +
                                  std::to_string(low) + ".." + std::to_string(high));
  }
  void sort_by_ratio() {
    for (std::size_t i = 0; i < num_items_; ++i) by_ratio_[i] = static_cast<std::uint8_t>(i);
    std::stable_sort(by_ratio_.begin(), by_ratio_.begin() + num_items_, [&](std::size_t a, std::size_t b) {
      return std::int64_t{worths_[a]} * weights_[b] > std::int64_t{worths_[b]} * weights_[a];
    });
  }
  void find_open() {
    open_ = 0;
    for (std::size_t i = next_; i < num_items_; ++i)
      if (weights_[i] <= room_) open_ |= std::uint64_t{1} << i;
  }

  std::array<std::int32_t, kMaxItems> weights_{}, worths_{};
  std::array<std::uint8_t, kMaxItems> by_ratio_{};  // items, the most worth per weight first
  std::uint64_t taken_ = 0, open_ = 0;              // open: may be taken next
  std::int32_t room_ = 0, worth_ = 0;
  std::uint8_t num_items_ = 0, next_ = 0;
};

static_assert(Game<Knapsack> && HasPlayout<Knapsack> && HasStepper<Knapsack> && HasBound<Knapsack>);

}  // namespace tesuji
