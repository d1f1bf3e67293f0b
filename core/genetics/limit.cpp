#include "genetics/limit.hpp"

#include <algorithm>
#include <array>

#include "base/attributes.hpp"

#if defined(__GNUC__) && defined(__x86_64__)
#define TESUJI_HAS_AVX2_CODE
#include <immintrin.h>
#endif

namespace tesuji::genetics {

namespace {

constexpr std::size_t kFew = 64;

struct Gathered {
  std::size_t num_few;
  std::int32_t num_right;  // of everybody
};

// The keys below `bound`, in their order.
Gathered gather_plainly(const std::int32_t* keys, std::size_t num_keys, std::int32_t bound, std::int32_t* few) {
  Gathered found{0, 0};
  for (std::size_t i = 0; i < num_keys; ++i) {
    found.num_right += keys[i] & 1;
    few[found.num_few] = keys[i];
    found.num_few += keys[i] < bound;
  }
  return found;
}

#ifdef TESUJI_HAS_AVX2_CODE

// For each set of lanes, the lanes of the set one after the other, a byte each.
constexpr std::array<std::uint64_t, 256> kLanesOfSet = [] {
  std::array<std::uint64_t, 256> lanes{};
  for (unsigned set = 0; set < 256; ++set)
    for (unsigned lane = 0, place = 0; lane < 8; ++lane)
      if ((set >> lane & 1) != 0) lanes[set] |= static_cast<std::uint64_t>(lane) << (8 * place++);
  return lanes;
}();

__attribute__((target("avx2,popcnt"))) Gathered gather_with_vectors(const std::int32_t* keys, std::size_t num_keys,
                                                                    std::int32_t bound, std::int32_t* few) {
  const __m256i bounds = _mm256_set1_epi32(bound), ones = _mm256_set1_epi32(1);
  __m256i right = _mm256_setzero_si256();
  std::size_t num_few = 0;
  for (std::size_t i = 0; i < num_keys; i += 8) {
    const __m256i key = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys + i));
    right = _mm256_add_epi32(right, _mm256_and_si256(key, ones));
    const auto set = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(bounds, key))));
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kLanesOfSet[set])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(few + num_few), _mm256_permutevar8x32_epi32(key, lanes));
    num_few += static_cast<std::size_t>(_mm_popcnt_u32(set));
  }
  alignas(32) std::array<std::int32_t, 8> by_lane;
  _mm256_store_si256(reinterpret_cast<__m256i*>(by_lane.data()), right);
  std::int32_t num_right = 0;
  for (const std::int32_t count : by_lane) num_right += count;
  return {num_few, num_right};
}

// The rank-th of few keys, from 0: the largest of those that at most `rank` are below. Each is compared with each, and
// nothing is branched on: sorting so few costs more in wrong guesses of the processor.
__attribute__((target("avx2"))) std::int32_t ranked_with_vectors(std::int32_t* few, std::size_t num_few,
                                                                 std::size_t rank) {
  for (std::size_t i = num_few; i % 8 != 0; ++i) few[i] = kNobody;
  const __m256i ranks = _mm256_set1_epi32(static_cast<std::int32_t>(rank));
  __m256i largest = _mm256_setzero_si256();
  for (std::size_t i = 0; i < num_few; i += 8) {
    const __m256i keys = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(few + i));
    __m256i num_below = _mm256_setzero_si256();
    for (std::size_t j = 0; j < num_few; ++j)
      num_below = _mm256_sub_epi32(num_below, _mm256_cmpgt_epi32(keys, _mm256_set1_epi32(few[j])));
    largest = _mm256_max_epi32(largest, _mm256_andnot_si256(_mm256_cmpgt_epi32(num_below, ranks), keys));
  }
  alignas(32) std::array<std::int32_t, 8> by_lane;
  _mm256_store_si256(reinterpret_cast<__m256i*>(by_lane.data()), largest);
  return *std::max_element(by_lane.begin(), by_lane.end());
}

#else

Gathered gather_with_vectors(const std::int32_t* keys, std::size_t num_keys, std::int32_t bound, std::int32_t* few) {
  return gather_plainly(keys, num_keys, bound, few);
}
std::int32_t ranked_with_vectors(std::int32_t*, std::size_t, std::size_t) { return kNobody; }

#endif

std::int32_t ranked_plainly(std::int32_t* few, std::size_t num_few, std::size_t rank) {
  std::nth_element(few, few + rank, few + num_few);
  return few[rank];
}

TESUJI_CLONED Limit divided(const std::int32_t* few, std::size_t num_few, std::int32_t key) {
  std::int32_t num_below = 0, right_below = 0, num_at = 0, right_at = 0;
  for (std::size_t i = 0; i < num_few; ++i) {
    const std::int32_t is_below = few[i] < key;
    num_below += is_below;
    right_below += is_below & few[i];
    num_at += (few[i] | 1) == key + 1;
    right_at += few[i] == key + 1;
  }
  return {key, num_at, -num_below, right_at, -right_below - right_at};  // as if nobody were right and none left out
}

}  // namespace

Limit find_limit(const std::int32_t* keys, std::size_t num_keys, std::size_t rank, std::size_t draw, bool with_vectors,
                 LimitScratch& scratch) {
  if (scratch.bounds.size() <= draw) scratch.bounds.resize(draw + 1, 64);
  if (scratch.few.size() < num_keys + 8) scratch.few.resize(num_keys + 8);  // eight are stored at a time
  std::int32_t& bound = scratch.bounds[draw];
  std::int32_t* const few = scratch.few.data();
  Gathered found{};
  while (true) {
    found = with_vectors ? gather_with_vectors(keys, num_keys, bound, few) : gather_plainly(keys, num_keys, bound, few);
    if (found.num_few > rank || bound == kNobody) break;
    bound = bound < kNobody / 2 ? 2 * bound : kNobody;
  }
  const std::int32_t last = with_vectors && found.num_few <= kFew ? ranked_with_vectors(few, found.num_few, rank)
                                                                  : ranked_plainly(few, found.num_few, rank);
  Limit limit = divided(few, found.num_few, last & ~1);
  limit.num_out += static_cast<std::int32_t>(rank);
  limit.right_above += found.num_right;
  bound = std::min(kNobody, limit.key + limit.key / 8 + 32);
  return limit;
}

}  // namespace tesuji::genetics
