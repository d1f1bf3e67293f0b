// The limit between those who are classified and the least confident, who are not (5.41): one pass over everybody that
// gathers the few who may be below, then the limit among these.
//
// An individual is a key, 2 * confidence + (1 if it is classified right).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tesuji::genetics {

// Nobody: above every limit, and not right. Keys come in eights; the last of them are filled up with it.
inline constexpr std::int32_t kNobody = std::numeric_limits<std::int32_t>::max() - 1;

struct Limit {
  std::int32_t key = 0;      // twice the confidence of the least confident who is classified
  std::int32_t num_at = 0;   // individuals with that confidence
  std::int32_t num_out = 0;  // those of them who are not classified
  std::int32_t right_at = 0, right_above = 0;
};

// What one thread needs to find limits, one draw after the other.
struct LimitScratch {
  std::vector<std::int32_t> bounds;  // [draw]: keys below it are gathered; a little above what the limit was last time
  std::vector<std::int32_t> few;
};

// `num_keys` is a multiple of eight. `rank` individuals are not classified.
Limit find_limit(const std::int32_t* keys, std::size_t num_keys, std::size_t rank, std::size_t draw, bool with_vectors,
                 LimitScratch& scratch);

}  // namespace tesuji::genetics
