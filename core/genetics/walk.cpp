#include "genetics/walk.hpp"

#include <algorithm>
#include <array>
#include <limits>

#if defined(__GNUC__) && defined(__x86_64__)
#define TESUJI_HAS_AVX2_CODE
#include <immintrin.h>
#endif

namespace tesuji::genetics {

namespace {

constexpr std::size_t kLanes = 8, kMaxGroups = 64;

}  // namespace

void walk_plainly(const Walk& walk) {
  std::array<std::int32_t, kMaxGroups * kLanes> sums;
  const std::size_t size = walk.num_groups * kLanes;
  for (std::size_t block = 0; block < walk.num_blocks; ++block) {
    std::copy_n(walk.from + block * size, size, sums.begin());
    for (std::size_t i = 0; i < walk.codes.size(); ++i) {
      const unsigned codes = walk.codes[i][block];
      for (std::size_t k = 0; k < walk.num_groups; ++k)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          sums[k * kLanes + lane] += walk.tables[i][k * 4 + (codes >> (2 * lane) & 3u)];
    }
    if (walk.to != nullptr) std::copy_n(sums.begin(), size, walk.to + block * size);
    if (walk.keys == nullptr) continue;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::int32_t best = std::numeric_limits<std::int32_t>::min(), second = best;
      for (std::size_t k = 0; k < walk.num_groups; ++k) {
        const std::int32_t sum = sums[k * kLanes + lane];
        second = std::max(second, std::min(best, sum));
        best = std::max(best, sum);
      }
      const std::int32_t label = walk.labels[block * kLanes + lane];
      const bool is_right = kLastIndex - (best & kLastIndex) == label;
      walk.keys[block * kLanes + lane] = 2 * ((best >> kIndexBits) - (second >> kIndexBits)) + is_right;
    }
  }
}

#ifdef TESUJI_HAS_AVX2_CODE

namespace {

// `Groups` is their number, or 0 where it is known at run time only.
template <std::size_t Groups>
__attribute__((target("avx2"))) void walk_groups(const Walk& walk) {
  const std::size_t num_groups = Groups == 0 ? walk.num_groups : Groups;
  const __m256i shifts = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
  __m256i sums[Groups == 0 ? kMaxGroups : Groups];
  for (std::size_t block = 0; block < walk.num_blocks; ++block) {
    const std::int32_t* const from = walk.from + block * num_groups * kLanes;
    for (std::size_t k = 0; k < num_groups; ++k)
      sums[k] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + k * kLanes));
    for (std::size_t i = 0; i < walk.codes.size(); ++i) {
      // Looking a genotype up is a permutation of the four entries, by the lowest two bits of each lane.
      const __m256i codes = _mm256_srlv_epi32(_mm256_set1_epi32(walk.codes[i][block]), shifts);
      const std::int32_t* const table = walk.tables[i];
      for (std::size_t k = 0; k < num_groups; ++k) {
        const __m128i entries = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table + k * 4));
        const __m256 twice = _mm256_castsi256_ps(_mm256_broadcastsi128_si256(entries));
        sums[k] = _mm256_add_epi32(sums[k], _mm256_castps_si256(_mm256_permutevar_ps(twice, codes)));
      }
    }
    if (walk.to != nullptr) {
      std::int32_t* const to = walk.to + block * num_groups * kLanes;
      for (std::size_t k = 0; k < num_groups; ++k)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + k * kLanes), sums[k]);
    }
    if (walk.keys == nullptr) continue;
    __m256i best = _mm256_set1_epi32(std::numeric_limits<std::int32_t>::min()), second = best;
    for (std::size_t k = 0; k < num_groups; ++k) {
      second = _mm256_max_epi32(second, _mm256_min_epi32(best, sums[k]));
      best = _mm256_max_epi32(best, sums[k]);
    }
    const __m256i last = _mm256_set1_epi32(kLastIndex);
    const __m256i group = _mm256_sub_epi32(last, _mm256_and_si256(best, last));
    const __m256i label = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(walk.labels + block * kLanes));
    const __m256i wrong_or_right = _mm256_srli_epi32(_mm256_cmpeq_epi32(group, label), 31);
    const __m256i margin = _mm256_sub_epi32(_mm256_srai_epi32(best, kIndexBits), _mm256_srai_epi32(second, kIndexBits));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(walk.keys + block * kLanes),
                        _mm256_add_epi32(_mm256_add_epi32(margin, margin), wrong_or_right));
  }
}

}  // namespace

bool has_vectors() { return __builtin_cpu_supports("avx2") != 0; }

void walk_with_vectors(const Walk& walk) {
  switch (walk.num_groups) {
    case 2:
      return walk_groups<2>(walk);
    case 3:
      return walk_groups<3>(walk);
    case 4:
      return walk_groups<4>(walk);
    case 5:
      return walk_groups<5>(walk);
    case 6:
      return walk_groups<6>(walk);
    case 7:
      return walk_groups<7>(walk);
    case 8:
      return walk_groups<8>(walk);
    default:
      return walk_groups<0>(walk);
  }
}

#else

bool has_vectors() { return false; }
void walk_with_vectors(const Walk& walk) { walk_plainly(walk); }

#endif

}  // namespace tesuji::genetics
