// The table of known positions against a plain map; its rule of replacement; files; threads.
#include "search/known_positions.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/hashing.hpp"
#include "base/rng.hpp"

using namespace tesuji;

namespace {

StateKey key_number(std::uint64_t number) {
  return {mix64(number + 1), static_cast<std::uint32_t>(mix64(number + 77))};
}

}  // namespace

TEST_CASE("a table with room knows exactly what a map knows") {
  KnownPositions table(1 << 14);
  std::map<std::uint64_t, KnownPositions::Known> map;
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t number = rng.below(500);
    const double value = static_cast<double>(rng.below(3)) / 2;
    const auto weight = static_cast<std::uint32_t>(1 + rng.below(3));
    table.add(key_number(number), value, weight);
    map[number].sum += value * weight;
    map[number].weight += weight;
  }
  for (std::uint64_t number = 0; number < 600; ++number) {
    const auto known = table.find(key_number(number));
    REQUIRE(known.weight == map[number].weight);
    REQUIRE(known.sum == map[number].sum);
  }
  CHECK(table.size() == 500);
}

TEST_CASE("two states with one first key are told apart by the second") {
  KnownPositions table(4);
  table.add(StateKey(9, 1), 1.0);
  CHECK(table.find(StateKey(9, 2)).weight == 0);
  table.add(StateKey(9, 2), 0.0);
  CHECK(table.find(StateKey(9, 1)).mean() == 1.0);
  CHECK(table.find(StateKey(9, 2)).mean() == 0.0);
}

TEST_CASE("a new position takes a free place, then the place of the lightest; the heavy stay") {
  KnownPositions table(4);  // one bucket
  for (std::uint64_t number = 0; number < 4; ++number)
    table.add(key_number(number), 0.5, static_cast<std::uint32_t>(10 - number));
  CHECK(table.size() == 4);
  table.add(key_number(100), 1.0);
  CHECK(table.find(key_number(3)).weight == 0);  // weighed 7
  CHECK(table.find(key_number(100)).weight == 1);
  table.add(key_number(101), 1.0);
  CHECK(table.find(key_number(100)).weight == 0);
  for (std::uint64_t number = 0; number < 3; ++number) CHECK(table.find(key_number(number)).weight == 10 - number);
  CHECK(table.size() == 4);
}

TEST_CASE("weights count half for every generation since they were met; of equal ones the deeper goes") {
  KnownPositions table(4);
  table.add(key_number(0), 0.5, 9);
  table.begin_generation();
  table.begin_generation();  // 9 counts as 2
  for (std::uint64_t number = 1; number < 4; ++number)
    table.add(key_number(number), 0.5, 3, static_cast<std::uint32_t>(10 * number));
  table.add(key_number(100), 1.0, 5);
  CHECK(table.find(key_number(0)).weight == 0);
  table.add(key_number(101), 1.0, 5);
  CHECK(table.find(key_number(3)).weight == 0);  // 30 moves from the root
  CHECK(table.find(key_number(1)).depth == 10);
  table.add(key_number(1), 1.0, 1, 4);
  CHECK(table.find(key_number(1)).depth == 4);
  for (int move = 0; move < 5; ++move) table.begin_generation();
  table.add(key_number(2), 1.0);  // met again: 4 counts in full
  table.add(key_number(102), 1.0);
  CHECK(table.find(key_number(2)).weight == 4);
  CHECK(table.find(key_number(102)).weight == 1);
}

TEST_CASE("the capacity is a power of two, at most what was asked; too few and too many are refused") {
  CHECK(KnownPositions(1000).capacity() == 512);
  CHECK(KnownPositions(512).capacity() == 512);
  CHECK_THROWS_AS(KnownPositions(3), std::invalid_argument);
  CHECK_THROWS_AS(KnownPositions(KnownPositions::kMaxCapacity + 1), std::invalid_argument);
}

TEST_CASE("a weight that cannot grow stays, and its mean with it") {
  KnownPositions table(4);
  table.add(StateKey(1), 0.5, std::numeric_limits<std::uint32_t>::max());
  table.add(StateKey(1), 1.0);
  CHECK(table.find(StateKey(1)).mean() == 0.5);
}

TEST_CASE("a saved table is the same when loaded; a smaller one keeps the heavier positions") {
  KnownPositions table(1 << 10);
  for (std::uint64_t number = 0; number < 300; ++number)
    table.add(key_number(number), static_cast<double>(number % 2), static_cast<std::uint32_t>(number + 1));
  const std::vector<std::byte> saved = table.save();
  KnownPositions again(1 << 10), small(4);
  again.load(saved);
  CHECK(again.size() == table.size());
  for (std::uint64_t number = 0; number < 300; ++number) {
    REQUIRE(again.find(key_number(number)).weight == table.find(key_number(number)).weight);
    REQUIRE(again.find(key_number(number)).sum == table.find(key_number(number)).sum);
  }
  CHECK(again.save().size() == saved.size());
  small.load(saved);
  CHECK(small.find(key_number(299)).weight == 300);
  again.clear();
  CHECK(again.size() == 0);
}

TEST_CASE("bytes that no table saved are refused and change nothing; mutated ones never crash") {
  KnownPositions table(64), target(64);
  for (std::uint64_t number = 0; number < 20; ++number) table.add(key_number(number), 0.5);
  target.add(StateKey(1), 1.0);
  const std::vector<std::byte> saved = table.save();
  for (std::size_t length = 0; length < saved.size(); ++length)
    CHECK_THROWS_AS(target.load(std::span(saved).first(length)), std::invalid_argument);
  std::vector<std::byte> bad = saved;
  bad[0] ^= std::byte{1};
  CHECK_THROWS_AS(target.load(bad), std::invalid_argument);
  bad = saved;
  const double infinite = std::numeric_limits<double>::infinity();
  std::memcpy(bad.data() + 24 + 16, &infinite, sizeof infinite);  // the first position's sum
  CHECK_THROWS_AS(target.load(bad), std::invalid_argument);
  CHECK_THROWS_WITH_AS(target.load(saved, 7), "these are positions of another game, board or komi",
                       std::invalid_argument);
  CHECK(target.size() == 1);
  Rng rng(2);
  for (int i = 0; i < 2000; ++i) {
    bad = saved;
    for (int changes = 0; changes < 3; ++changes) bad[rng.below(bad.size())] = static_cast<std::byte>(rng.below(256));
    KnownPositions fresh(64);
    try {
      fresh.load(bad);
    } catch (const std::invalid_argument&) {
    }
  }
}

TEST_CASE("threads write and read at once: what is found was written, whole") {
  KnownPositions table(256);
  constexpr std::uint64_t kPositions = 400;  // more than there is room for
  const auto value_of = [](std::uint64_t number) { return static_cast<double>(number % 5) / 4; };
  std::vector<std::thread> threads;
  std::vector<int> num_bad(4);
  for (std::size_t i = 0; i < num_bad.size(); ++i)
    threads.emplace_back([&, i] {
      Rng rng(1, i);
      for (int round = 0; round < 20'000; ++round) {
        const std::uint64_t number = rng.below(kPositions);
        table.add(key_number(number), value_of(number));
        const std::uint64_t other = rng.below(kPositions);
        if (const auto known = table.find(key_number(other)); known.weight > 0)
          num_bad[i] += known.mean() != value_of(other);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int bad : num_bad) CHECK(bad == 0);
  CHECK(table.size() <= table.capacity());
}
