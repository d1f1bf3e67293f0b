// What knowledge says of a move before the search has tried it. See docs/algorithms/go-priors.md.
//
// A move's strength is the product of its features' strengths: a Bradley-Terry model, in which the chance that an
// expert chooses a move is its share of the sum. The prior compares a move with the strongest one there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "go/features.hpp"
#include "go/urgency_table.hpp"

namespace tesuji::go {

// Strengths of shapes, found by their 24 bits; shapes that are not there have strength 1.
class ShapeTable {
 public:
  ShapeTable() : entries_(1) {}
  ShapeTable(std::span<const std::uint32_t> shapes, std::span<const float> strengths)
      : entries_(std::bit_ceil(2 * shapes.size() + 1)) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      std::size_t at = place_of(shapes[i]);
      while (entries_[at].shape != kNoShape && entries_[at].shape != shapes[i]) at = (at + 1) & (entries_.size() - 1);
      entries_[at] = {shapes[i], strengths[i]};
    }
  }

  float strength(std::uint32_t shape) const {
    for (std::size_t at = place_of(shape);; at = (at + 1) & (entries_.size() - 1)) {
      if (entries_[at].shape == shape) return entries_[at].strength;
      if (entries_[at].shape == kNoShape) return 1.0f;
    }
  }

 private:
  static constexpr std::uint32_t kNoShape = 0xFFFFFFFFu;
  struct Entry {
    std::uint32_t shape = kNoShape;
    float strength = 1.0f;
  };
  std::size_t place_of(std::uint32_t shape) const {
    return static_cast<std::size_t>(shape * 0x9E3779B1u >> 7) & (entries_.size() - 1);
  }

  std::vector<Entry> entries_;  // open addressing; at least half of it is free
};

// How strong features are; 1 says nothing.
struct Strengths {
  std::array<float, kNumLevels> levels;
  std::vector<float> codes = std::vector<float>(std::size_t{1} << 16, 1.0f);  // of 3x3 codes
  ShapeTable shapes;                                                          // and of shapes, on top of their codes

  Strengths() { levels.fill(1.0f); }

  float of(const Features& features) const {
    float product = codes[features.code3x3()] * shapes.strength(features.shape);
    for (std::size_t i = 0; i < features.size; ++i) product *= levels[features.levels[i]];
    return product;
  }
};

class MEval;

struct PriorWeights {
  std::shared_ptr<const Strengths> strengths = std::make_shared<const Strengths>();
  std::shared_ptr<const UrgencyTable> urgency;  // judges the strongest moves again, where there is one
  int judged_again = 30;                        // so many of them
  std::shared_ptr<const MEval> m_eval;          // adds virtual wins near the root of 19x19, where there is one
  float pass = 0.001f;                          // strength of passing
  int roots = 2;             // square roots of strength / best: the more, the closer good moves are to the best
  float floor = 0.0f;        // prior of a hopeless move
  float criticality = 0.0f;  // a move at a point of criticality x is so many times x stronger

  float prior(float strength, float best) const {
    float share = best > 0 ? std::min(1.0f, strength / best) : 1.0f;
    for (int i = 0; i < roots; ++i) share = std::sqrt(share);
    return floor + (1 - floor) * share;
  }
};

}  // namespace tesuji::go
