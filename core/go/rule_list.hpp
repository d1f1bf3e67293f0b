// The rules of a playout policy in their order, each with a probability of being tried at a move.
//
// One random number decides about up to six rules: which subset of them is tried is drawn from a table of all subsets
// (the alias method: Walker 1977, Vose 1991). The rules are independent, up to rounding by 2^-32, as if each were drawn
// for on its own. Rules that are always tried draw nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "base/rng.hpp"

namespace tesuji::go {

// Where a move came from; the first ones are rules that a policy may name.
enum class Origin : std::uint8_t {
  CaptureLast,    // take the chain that just moved, if it is in atari
  Defend,         // save own chains that the last move put into atari
  Nakade,         // the vital point of a small eye space at the last move
  LowLiberties,   // attack the chain that just moved, or help own chains at it, where two liberties are left
  Pattern,        // a 3x3 pattern beside the last move
  PatternOwn,     // the same beside the own last move
  Capture,        // take any chain in atari
  Escape,         // save any own chain in atari
  FillBoard,      // a point in the middle of nowhere
  LastGoodReply,  // what last won a playout as an answer to the last move
  AtariTactics,   // where the last move put stones into atari or ran from one: take, save, put into atari again
  Edge,           // the best answer to the last move that was learnt, where its surroundings are as they were then
  Node,           // the best move near the last one that was learnt in such surroundings
  Skipped,        // found by a rule and not played by its draw, before random ones
  Random,         // none of them: uniform
  Mended,         // uniform, moved to where it mends an eye shape
  Pass,           // nothing left to play
};
inline constexpr std::size_t kNumOrigins = 17;
inline constexpr std::size_t kNumRules = 13;

struct RuleUse {
  Origin rule = Origin::Random;
  float probability = 1;  // of trying it at a move
};

// Up to six rules that are drawn for together. A subset is a mask of their places.
class RuleBlock {
 public:
  static constexpr std::size_t kMaxRules = 6;

  explicit RuleBlock(std::span<const RuleUse> uses) : size_(uses.size()) {
    for (std::size_t i = 0; i < size_; ++i) rules_[i] = uses[i].rule;
    is_certain_ = std::all_of(uses.begin(), uses.end(), [](const RuleUse& use) { return use.probability >= 1; });
    fill_table(uses);
  }

  Origin rule(std::size_t place) const { return rules_[place]; }
  std::uint32_t draw(Rng& rng) const {
    if (is_certain_) return (1u << size_) - 1;
    const std::uint32_t number = rng.next();
    const Entry& entry = table_[number >> kShareBits];
    return (number & (kWhole - 1)) < entry.own_share ? number >> kShareBits : entry.other;
  }

 private:
  static constexpr std::size_t kMasks = 1u << kMaxRules;
  static constexpr int kShareBits = 32 - static_cast<int>(kMaxRules);
  static constexpr std::uint32_t kWhole = 1u << kShareBits;

  // A mask is drawn as itself with its own share of an entry, as `other` with the rest.
  struct Entry {
    std::uint32_t own_share = kWhole;
    std::uint32_t other = 0;
  };

  void fill_table(std::span<const RuleUse> uses) {
    std::array<double, kMasks> left{};  // of each mask's probability, in entries
    std::vector<std::uint32_t> poor, rich;
    for (std::uint32_t mask = 0; mask < kMasks; ++mask) {
      left[mask] = mask >> size_ == 0 ? static_cast<double>(kMasks) : 0;
      for (std::size_t i = 0; i < size_; ++i) {
        const double probability = std::clamp(static_cast<double>(uses[i].probability), 0.0, 1.0);
        left[mask] *= mask >> i & 1u ? probability : 1 - probability;
      }
      (left[mask] < 1 ? poor : rich).push_back(mask);
    }
    const auto likeliest = static_cast<std::uint32_t>(std::max_element(left.begin(), left.end()) - left.begin());
    while (!poor.empty() && !rich.empty()) {
      const std::uint32_t mask = poor.back(), giver = rich.back();
      poor.pop_back();
      table_[mask] = {static_cast<std::uint32_t>(left[mask] * kWhole + 0.5), giver};
      left[giver] -= 1 - left[mask];
      if (left[giver] >= 1) continue;
      rich.pop_back();
      poor.push_back(giver);
    }
    // By rounding some are left: those that need their whole entry, and those that need nothing of theirs.
    for (const std::uint32_t mask : poor) table_[mask] = left[mask] > 0.5 ? Entry{} : Entry{0, likeliest};
  }

  std::array<Origin, kMaxRules> rules_{};
  std::size_t size_;
  bool is_certain_ = false;
  std::array<Entry, kMasks> table_{};
};

class RuleList {
 public:
  RuleList() = default;
  RuleList(std::initializer_list<RuleUse> uses) : RuleList(std::vector<RuleUse>(uses)) {}
  explicit RuleList(std::vector<RuleUse> uses) : uses_(std::move(uses)) {
    for (std::size_t first = 0; first < uses_.size(); first += RuleBlock::kMaxRules)
      blocks_.emplace_back(std::span(uses_).subspan(first, std::min(RuleBlock::kMaxRules, uses_.size() - first)));
  }

  std::span<const RuleUse> uses() const { return uses_; }
  bool has(Origin rule) const {
    return std::any_of(uses_.begin(), uses_.end(), [&](const RuleUse& use) { return use.rule == rule; });
  }

  // Tries the rules of one move in their order, until one says that it found something; whether one did.
  template <class FindsMove>
  bool try_rules(Rng& rng, FindsMove finds_move) const {
    for (const RuleBlock& block : blocks_)
      for (std::uint32_t tried = block.draw(rng); tried != 0; tried &= tried - 1)
        if (finds_move(block.rule(static_cast<std::size_t>(std::countr_zero(tried))))) return true;
    return false;
  }

 private:
  std::vector<RuleUse> uses_;
  std::vector<RuleBlock> blocks_;
};

}  // namespace tesuji::go
