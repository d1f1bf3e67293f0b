// 3x3 patterns as a table over all codes of a point's eight neighbours (Stones::code3x3). Which codes match is decided
// where pattern files are read (src/tesuji/go/knowledge/patterns.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "go/points.hpp"

namespace tesuji::go {

class PatternTable {
 public:
  static constexpr std::size_t kCodes = 1u << 16;

  PatternTable() : bits_(kCodes) {}
  // One byte per code: bit 0 if black should play there, bit 1 if white should.
  explicit PatternTable(std::span<const std::uint8_t> bits) : bits_(bits.begin(), bits.end()) {
    if (bits.size() != kCodes) throw std::invalid_argument("a pattern table has 65,536 entries");
  }

  template <Color C>
  bool matches(std::uint32_t code) const {
    return (bits_[code] >> index_of(C)) & 1u;
  }

 private:
  std::vector<std::uint8_t> bits_;
};

}  // namespace tesuji::go
