// The rules of a policy are tried in their order, each with its probability, independently of each other.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/rng.hpp"
#include "go/rule_list.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

// The rules that are tried at one move.
std::vector<Origin> tried(const RuleList& rules, Rng& rng) {
  std::vector<Origin> found;
  rules.try_rules(rng, [&](Origin rule) {
    found.push_back(rule);
    return false;
  });
  return found;
}

}  // namespace

TEST_CASE("rules that are always tried come in their order and draw nothing") {
  const RuleList rules = {{Origin::Nakade, 1},  {Origin::CaptureLast, 1}, {Origin::Defend, 1},   {Origin::Pattern, 1},
                          {Origin::Capture, 1}, {Origin::Escape, 1},      {Origin::FillBoard, 1}};
  Rng rng(1), untouched(1);
  CHECK(tried(rules, rng) == std::vector{Origin::Nakade, Origin::CaptureLast, Origin::Defend, Origin::Pattern,
                                         Origin::Capture, Origin::Escape, Origin::FillBoard});
  CHECK(rng.next() == untouched.next());
}

TEST_CASE("the first rule that finds a move is the last that is tried") {
  const RuleList rules = {{Origin::Nakade, 1}, {Origin::Defend, 1}, {Origin::Pattern, 1}};
  Rng rng(1);
  std::vector<Origin> asked;
  CHECK(rules.try_rules(rng, [&](Origin rule) {
    asked.push_back(rule);
    return rule == Origin::Defend;
  }));
  CHECK(asked == std::vector{Origin::Nakade, Origin::Defend});
  CHECK(!RuleList{}.try_rules(rng, [](Origin) { return true; }));
}

TEST_CASE("a rule of probability 0 is never tried, one of probability 1 always") {
  const RuleList rules = {{Origin::Nakade, 0}, {Origin::Defend, 1}, {Origin::Pattern, 0.5f}, {Origin::Capture, 0}};
  Rng rng(2);
  for (int i = 0; i < 100'000; ++i) {
    const std::vector<Origin> found = tried(rules, rng);
    REQUIRE(!found.empty());
    REQUIRE(found[0] == Origin::Defend);
    REQUIRE((found.size() == 1 || (found.size() == 2 && found[1] == Origin::Pattern)));
  }
}

TEST_CASE("subsets of rules come as often as independent rules make them, in blocks of any size") {
  const std::array<float, 8> probabilities = {0.9f, 0.9f, 0.6f, 0.5f, 0.9f, 0.1f, 0.3f, 0.001f};
  for (std::size_t size = 1; size <= probabilities.size(); ++size) {
    std::vector<RuleUse> uses;
    for (std::size_t i = 0; i < size; ++i) uses.push_back({static_cast<Origin>(i), probabilities[i]});
    const RuleList rules(uses);
    std::vector<int> counts(std::size_t{1} << size);
    constexpr int kMoves = 400'000;
    Rng rng(3);
    for (int i = 0; i < kMoves; ++i) {
      std::size_t mask = 0;
      for (const Origin rule : tried(rules, rng)) mask |= std::size_t{1} << static_cast<std::size_t>(rule);
      ++counts[mask];
    }
    double chi2 = 0;
    int num_classes = 0;
    for (std::size_t mask = 0; mask < counts.size(); ++mask) {
      double expected = kMoves;
      for (std::size_t i = 0; i < size; ++i)
        expected *= mask >> i & 1u ? static_cast<double>(probabilities[i]) : 1 - static_cast<double>(probabilities[i]);
      if (expected < 5) continue;
      const double difference = counts[mask] - expected;
      chi2 += difference * difference / expected;
      ++num_classes;
    }
    // Mean and variance of chi squared; five standard deviations.
    CHECK(chi2 < num_classes + 5 * std::sqrt(2.0 * num_classes));
  }
}
