// How strong the features of urgency.hpp are: a table of logarithms, as it lies in a file.
//
// Open addressing: a key's place is its lower bits, its fingerprint the upper 32. A fingerprint of 0 is a free slot.
// Two keys that share both are taken for one, which happens to one move in millions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "go/urgency.hpp"

namespace tesuji::go {

class UrgencyTable {
 public:
  static constexpr float kScale = 1.0f / 1024;  // of a stored logarithm

  static constexpr std::uint32_t fingerprint(std::uint64_t key) {
    const auto upper = static_cast<std::uint32_t>(key >> 32);
    return upper == 0 ? 1 : upper;
  }

  // The columns of a file; their length is a power of two, and at least one slot is free.
  UrgencyTable(std::vector<std::uint32_t> fingerprints, std::vector<std::int16_t> logarithms)
      : fingerprints_(std::move(fingerprints)), logarithms_(std::move(logarithms)), mask_(fingerprints_.size() - 1) {
    bool has_room = false;
    for (const std::uint32_t one : fingerprints_) has_room = has_room || one == 0;
    if (fingerprints_.size() != logarithms_.size() || (fingerprints_.size() & mask_) != 0 || !has_room)
      throw std::invalid_argument("a table of urgencies has a power of two of slots, one of them free");
  }

  // Adds the logarithm of a key's strength; false if it is not there.
  bool add(std::uint64_t key, std::int32_t& sum) const {
    const std::uint32_t wanted = fingerprint(key);
    for (std::size_t at = static_cast<std::size_t>(key) & mask_;; at = (at + 1) & mask_) {
      if (fingerprints_[at] == wanted) {
        sum += logarithms_[at];
        return true;
      }
      if (fingerprints_[at] == 0) return false;
    }
  }

  // The logarithm of a move's strength.
  template <class Features>
  float log_strength(const Features& features, Cell cell) const {
    std::int32_t sum = 0;
    features.visit(cell, [&](std::uint64_t key) { return add(key, sum); });
    return kScale * static_cast<float>(sum);
  }

 private:
  std::vector<std::uint32_t> fingerprints_;
  std::vector<std::int16_t> logarithms_;
  std::size_t mask_;
};

}  // namespace tesuji::go
