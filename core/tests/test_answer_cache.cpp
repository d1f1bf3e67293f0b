// What an evaluator has answered: found again, bounded, the least used first to go.
#include "search/answer_cache.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace tesuji;

namespace {

StateKey key(std::uint64_t number) { return {number * 0x9E3779B97F4A7C15u, static_cast<std::uint32_t>(number)}; }

void keep(AnswerCache& cache, std::uint64_t number) {
  const auto value = static_cast<float>(number) / 1000;
  cache.keep(key(number), std::array{value}, std::array{value, value + 1, value + 2});
}

}  // namespace

TEST_CASE("a kept answer is found whole, another key is not") {
  AnswerCache cache(1 << 16, 3);
  keep(cache, 7);
  const auto found = cache.find(key(7));
  REQUIRE(found.has_value());
  CHECK(found->values == std::vector<float>{0.007f});
  CHECK(found->priors == std::vector<float>{0.007f, 0.007f + 1, 0.007f + 2});
  CHECK_FALSE(cache.find(key(8)).has_value());
  CHECK_FALSE(cache.find({key(7).first, 8}).has_value());  // the same first hash by chance
  CHECK(cache.num_hits() == 1);
  CHECK(cache.num_misses() == 2);
}

TEST_CASE("what an evaluator leaves out is left out of what is found") {
  AnswerCache values(1 << 16, 3), priors(1 << 16, 3);
  values.keep(key(1), std::array{0.5f}, {});
  priors.keep(key(1), {}, std::array{0.1f, 0.2f, 0.3f});
  CHECK(values.find(key(1))->priors.empty());
  CHECK(priors.find(key(1))->values.empty());
  CHECK(priors.find(key(1))->priors.size() == 3);
}

TEST_CASE("the table is bounded, and what was asked for lately stays") {
  AnswerCache cache(10'000, 3);
  for (std::uint64_t number = 0; number < 10'000; ++number) {
    keep(cache, number);
    CHECK(cache.find(key(0)).has_value());
  }
  CHECK(cache.size() > 50);
  CHECK(cache.size() < 10'000 / (3 * sizeof(float)));
  CHECK(cache.find(key(9'999)).has_value());
  CHECK_FALSE(cache.find(key(1)).has_value());
}

TEST_CASE("without memory nothing is kept") {
  for (const std::size_t bytes : {0, 10}) {
    AnswerCache cache(bytes, 3);
    keep(cache, 1);
    CHECK_FALSE(cache.find(key(1)).has_value());
    CHECK(cache.size() == 0);
  }
}
