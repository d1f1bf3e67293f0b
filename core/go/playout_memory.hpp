// What the playouts of one search learn from each other: good replies, and which points decide the game.
//
// One memory serves all threads of a search. Its numbers are relaxed atomics without read-modify-write: an update that
// another thread overwrites is one playout among thousands (docs/algorithms/playouts.md).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "go/points.hpp"

namespace tesuji::go {

class PlayoutMemory {
 public:
  explicit PlayoutMemory(std::size_t num_points) : points_(num_points) {}
  std::size_t num_points() const { return points_.size(); }

  // --- last good replies, with forgetting (Drake 2009; Baier and Drake 2010): moves are points, row-major ---

  static constexpr std::int16_t kNone = -1;

  std::int16_t reply(std::size_t color, std::int16_t to) const {
    return points_[static_cast<std::size_t>(to)].reply[color].load(std::memory_order_relaxed);
  }
  void remember(std::size_t color, std::int16_t to, std::int16_t move) {
    points_[static_cast<std::size_t>(to)].reply[color].store(move, std::memory_order_relaxed);
  }
  void forget(std::size_t color, std::int16_t to, std::int16_t move) {
    auto& reply = points_[static_cast<std::size_t>(to)].reply[color];
    if (reply.load(std::memory_order_relaxed) == move) reply.store(kNone, std::memory_order_relaxed);
  }

  // --- who owns what at the end ---

  // Every eighth playout is counted: more would make threads wait for each other's numbers.
  bool counts_next() {
    const std::uint32_t number = num_ended_.load(std::memory_order_relaxed);
    num_ended_.store(number + 1, std::memory_order_relaxed);
    return number % 8 == 0;
  }
  void count_playout(bool black_won) {
    add(num_playouts_);
    if (black_won) add(num_black_won_);
  }
  void count_owner(std::size_t point, bool is_black, bool black_won) {
    add(is_black ? points_[point].black : points_[point].white);
    if (is_black == black_won) add(points_[point].winner);
  }
  // The search goes on from another position.
  void forget_owners() {
    for (Point& point : points_)
      for (Count* count : {&point.black, &point.white, &point.winner}) count->store(0, std::memory_order_relaxed);
    for (Count* count : {&num_playouts_, &num_black_won_}) count->store(0, std::memory_order_relaxed);
  }
  // From -1 (white's) to 1 (black's); 0 if nothing was counted.
  float ownership(std::size_t point) const {
    const std::uint32_t black = points_[point].black.load(std::memory_order_relaxed);
    const std::uint32_t white = points_[point].white.load(std::memory_order_relaxed);
    const std::uint32_t n = num_playouts_.load(std::memory_order_relaxed);
    return n == 0 ? 0 : (static_cast<float>(black) - static_cast<float>(white)) / static_cast<float>(n);
  }
  // How much more often a point belongs to the winner than chance would have it (Coulom 2009): from about -1/2 to 1/2;
  // 0 while few playouts were counted.
  float criticality(std::size_t point) const {
    const auto n = static_cast<float>(num_playouts_.load(std::memory_order_relaxed));
    if (n < kFewPlayouts) return 0;
    const float black_won = static_cast<float>(num_black_won_.load(std::memory_order_relaxed)) / n;
    const float black = static_cast<float>(points_[point].black.load(std::memory_order_relaxed)) / n;
    const float white = static_cast<float>(points_[point].white.load(std::memory_order_relaxed)) / n;
    const float winner = static_cast<float>(points_[point].winner.load(std::memory_order_relaxed)) / n;
    return winner - (black * black_won + white * (1 - black_won));
  }

  // --- all of it as bytes, while no playout runs ---

  std::vector<std::byte> save() const {
    std::vector<Word> words{kMark, static_cast<Word>(points_.size())};
    for_each_number(*this, [&](const auto& number) { words.push_back(static_cast<Word>(number.load())); });
    std::vector<std::byte> bytes(words.size() * sizeof(Word));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
  }
  // Throws std::invalid_argument, and changes nothing, for anything but what save() gave for a board of this size.
  void load(std::span<const std::byte> saved) {
    std::vector<Word> words(saved.size() / sizeof(Word));
    std::memcpy(words.data(), saved.data(), words.size() * sizeof(Word));
    bool is_good = saved.size() % sizeof(Word) == 0 && words.size() == 5 + 5 * points_.size() && words[0] == kMark &&
                   words[1] == points_.size();
    std::size_t at = 2;
    const auto is_reply = [&](Word word) { return word == static_cast<Word>(kNone) || word < points_.size(); };
    for (std::size_t i = 5; is_good && i < words.size(); i += 5) is_good = is_reply(words[i]) && is_reply(words[i + 1]);
    if (!is_good) throw std::invalid_argument("what its playouts remember is damaged, or of another board");
    for_each_number(*this, [&]<class T>(std::atomic<T>& number) { number.store(static_cast<T>(words[at++])); });
  }

 private:
  static constexpr float kFewPlayouts = 64;  // of those that were counted
  using Word = std::uint32_t;
  static constexpr Word kMark = 0x314D5054;  // "TPM1"
  // The three counts of playouts, then five numbers for each point.
  template <class Self, class F>
  static void for_each_number(Self& self, const F& function) {
    for (auto* number : {&self.num_ended_, &self.num_playouts_, &self.num_black_won_}) function(*number);
    for (auto& point : self.points_) {
      for (auto& reply : point.reply) function(reply);
      for (auto* number : {&point.black, &point.white, &point.winner}) function(*number);
    }
  }
  using Count = std::atomic<std::uint32_t>;
  struct Point {
    std::array<std::atomic<std::int16_t>, 2> reply = {kNone, kNone};
    Count black{0}, white{0}, winner{0};
  };
  static void add(Count& count) { count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

  std::vector<Point> points_;
  Count num_ended_{0};                        // all playouts
  Count num_playouts_{0}, num_black_won_{0};  // that were counted
};

}  // namespace tesuji::go
