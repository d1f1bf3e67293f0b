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

void find_loss(const Walk& walk, const std::int32_t* sums, std::size_t place, std::size_t lane) {
  const std::int32_t label = walk.labels[place];
  std::int32_t best = std::numeric_limits<std::int32_t>::min();
  for (std::size_t k = 0; k < walk.num_groups; ++k) best = std::max(best, sums[k * kLanes + lane] >> kIndexBits);
  float total = 0;
  for (std::size_t k = 0; k < walk.num_groups; ++k)
    total += exp_of_units((sums[k * kLanes + lane] >> kIndexBits) - best);
  const std::int32_t own = label < 0 ? best : sums[static_cast<std::size_t>(label) * kLanes + lane] >> kIndexBits;
  walk.gaps[place] = own - best;
  walk.totals[place] = label < 0 ? 1.0f : total;
}

void find_key(const Walk& walk, const std::int32_t* sums, std::size_t place, std::size_t lane) {
  std::int32_t best = std::numeric_limits<std::int32_t>::min(), second = best;
  for (std::size_t k = 0; k < walk.num_groups; ++k) {
    const std::int32_t sum = sums[k * kLanes + lane];
    second = std::max(second, std::min(best, sum));
    best = std::max(best, sum);
  }
  const bool is_right = kLastIndex - (best & kLastIndex) == walk.labels[place];
  walk.keys[place] = 2 * ((best >> kIndexBits) - (second >> kIndexBits)) + is_right;
}

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
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (walk.keys != nullptr) find_key(walk, sums.data(), block * kLanes + lane, lane);
      if (walk.gaps != nullptr) find_loss(walk, sums.data(), block * kLanes + lane, lane);
    }
  }
}

#ifdef TESUJI_HAS_AVX2_CODE

// Its helpers are macros of a kind: inlined into functions that are compiled for AVX2 themselves.
#define TESUJI_VECTORS __attribute__((target("avx2"), always_inline)) inline

namespace {

TESUJI_VECTORS __m256i load(const std::int32_t* numbers) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers));
}

TESUJI_VECTORS void store(std::int32_t* numbers, __m256i vector) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(numbers), vector);
}

// The four entries of a genotype table, twice.
TESUJI_VECTORS __m256 twice(const std::int32_t* entries) {
  return _mm256_castsi256_ps(_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(entries))));
}

// Looking genotypes up is a permutation of the four entries, by the lowest two bits of each lane.
TESUJI_VECTORS __m256i plus_entries(__m256i sum, __m256 entries, __m256i codes) {
  return _mm256_add_epi32(sum, _mm256_castps_si256(_mm256_permutevar_ps(entries, codes)));
}

TESUJI_VECTORS __m256i unpacked(std::uint16_t codes) {
  return _mm256_srlv_epi32(_mm256_set1_epi32(codes), _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14));
}

TESUJI_VECTORS void find_keys(const Walk& walk, const __m256i* sums, std::size_t num_groups, std::size_t block) {
  __m256i best = sums[0], second = _mm256_set1_epi32(std::numeric_limits<std::int32_t>::min());
  for (std::size_t k = 1; k < num_groups; ++k) {
    second = _mm256_max_epi32(second, _mm256_min_epi32(best, sums[k]));
    best = _mm256_max_epi32(best, sums[k]);
  }
  const __m256i last = _mm256_set1_epi32(kLastIndex);
  const __m256i group = _mm256_sub_epi32(last, _mm256_and_si256(best, last));
  const __m256i is_right = _mm256_cmpeq_epi32(group, load(walk.labels + block * kLanes));  // -1 or 0
  const __m256i margin = _mm256_sub_epi32(_mm256_srai_epi32(best, kIndexBits), _mm256_srai_epi32(second, kIndexBits));
  store(walk.keys + block * kLanes, _mm256_sub_epi32(_mm256_add_epi32(margin, margin), is_right));
}

TESUJI_VECTORS __m256 exp_of_units(__m256i units) {
  const __m256 power = _mm256_max_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(units), _mm256_set1_ps(kPowersPerUnit)),
                                     _mm256_set1_ps(kLeastPower));
  const __m256 whole = _mm256_floor_ps(_mm256_add_ps(power, _mm256_set1_ps(0.5f)));
  const __m256 rest = _mm256_sub_ps(power, whole);
  __m256 value = _mm256_set1_ps(kSeries[6]);
  for (std::size_t i = 6; i-- > 0;) value = _mm256_add_ps(_mm256_mul_ps(value, rest), _mm256_set1_ps(kSeries[i]));
  return _mm256_castsi256_ps(
      _mm256_add_epi32(_mm256_castps_si256(value), _mm256_slli_epi32(_mm256_cvttps_epi32(whole), 23)));
}

TESUJI_VECTORS void find_losses(const Walk& walk, const __m256i* sums, std::size_t num_groups, std::size_t block) {
  const __m256i labels = load(walk.labels + block * kLanes);
  __m256i best = sums[0];
  for (std::size_t k = 1; k < num_groups; ++k) best = _mm256_max_epi32(best, sums[k]);
  best = _mm256_srai_epi32(best, kIndexBits);
  __m256i gaps = _mm256_setzero_si256();
  __m256 totals = _mm256_setzero_ps();
  for (std::size_t k = 0; k < num_groups; ++k) {
    const __m256i gap = _mm256_sub_epi32(_mm256_srai_epi32(sums[k], kIndexBits), best);
    const __m256i is_own = _mm256_cmpeq_epi32(labels, _mm256_set1_epi32(static_cast<std::int32_t>(k)));
    gaps = _mm256_or_si256(gaps, _mm256_and_si256(is_own, gap));
    totals = _mm256_add_ps(totals, exp_of_units(gap));
  }
  store(walk.gaps + block * kLanes, gaps);
  // Nobody: the sign bit of the label.
  _mm256_storeu_ps(walk.totals + block * kLanes,
                   _mm256_blendv_ps(totals, _mm256_set1_ps(1.0f), _mm256_castsi256_ps(labels)));
}

// `Groups` is their number, or 0 where it is known at run time only. `IsOne`: one SNP, whose tables stay in registers.
template <std::size_t Groups, bool IsOne>
__attribute__((target("avx2"))) void walk_groups(const Walk& walk) {
  const std::size_t num_groups = Groups == 0 ? walk.num_groups : Groups;
  __m256i sums[Groups == 0 ? kMaxGroups : Groups];
  __m256 entries[IsOne ? Groups : 1];
  if constexpr (IsOne)
    for (std::size_t k = 0; k < Groups; ++k) entries[k] = twice(walk.tables[0] + k * 4);
  for (std::size_t block = 0; block < walk.num_blocks; ++block) {
    const std::int32_t* const from = walk.from + block * num_groups * kLanes;
    for (std::size_t k = 0; k < num_groups; ++k) sums[k] = load(from + k * kLanes);
    if constexpr (IsOne) {
      const __m256i codes = unpacked(walk.codes[0][block]);
      for (std::size_t k = 0; k < Groups; ++k) sums[k] = plus_entries(sums[k], entries[k], codes);
    } else {
      for (std::size_t i = 0; i < walk.codes.size(); ++i) {
        const __m256i codes = unpacked(walk.codes[i][block]);
        for (std::size_t k = 0; k < num_groups; ++k)
          sums[k] = plus_entries(sums[k], twice(walk.tables[i] + k * 4), codes);
      }
    }
    if (walk.to != nullptr) {
      std::int32_t* const to = walk.to + block * num_groups * kLanes;
      for (std::size_t k = 0; k < num_groups; ++k) store(to + k * kLanes, sums[k]);
    }
    if (walk.keys != nullptr) find_keys(walk, sums, num_groups, block);
    if (walk.gaps != nullptr) find_losses(walk, sums, num_groups, block);
  }
}

template <std::size_t Groups>
void walk_so_many(const Walk& walk) {
  walk.codes.size() == 1 ? walk_groups<Groups, true>(walk) : walk_groups<Groups, false>(walk);
}

}  // namespace

bool has_vectors() { return __builtin_cpu_supports("avx2") != 0; }

void walk_with_vectors(const Walk& walk) {
  switch (walk.num_groups) {
    case 2:
      return walk_so_many<2>(walk);
    case 3:
      return walk_so_many<3>(walk);
    case 4:
      return walk_so_many<4>(walk);
    case 5:
      return walk_so_many<5>(walk);
    case 6:
      return walk_so_many<6>(walk);
    case 7:
      return walk_so_many<7>(walk);
    case 8:
      return walk_so_many<8>(walk);
    default:
      return walk_groups<0, false>(walk);
  }
}

#else

bool has_vectors() { return false; }
void walk_with_vectors(const Walk& walk) { walk_plainly(walk); }

#endif

}  // namespace tesuji::genetics
