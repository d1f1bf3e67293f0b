#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/rng.hpp"
#include "search/graph.hpp"
#include "search/value_table.hpp"

using namespace tesuji;

namespace {

// As a search does: a node is made, its state is entered, and it refers to what it finds.
EntryId refer(ValueTable& table, StateKey key, std::uint32_t times = 1) {
  bool was_there = false;
  const EntryId id = table.find_or_make(key, was_there);
  if (id != kNoEntry) table.entry(id).references += times;
  return id;
}

void visit(ValueTable& table, EntryId id, double result) {
  table.entry(id).visits += 1;
  table.entry(id).value += to_fixed(result);
}

}  // namespace

TEST_CASE("table: a state has one entry, and another state another") {
  ValueTable table(100, 2);
  bool was_there = true;
  const EntryId first = table.find_or_make(7, was_there);
  CHECK(!was_there);
  CHECK(first == 1);
  CHECK(table.find_or_make(8, was_there) == 2);
  CHECK(table.find_or_make(7, was_there) == first);
  CHECK(was_there);
  CHECK(table.find(8) == 2);
  CHECK(table.find(9) == kNoEntry);
  CHECK(table.size() == 2);
}

TEST_CASE("table: hash 0 is a hash like others") {
  ValueTable table(10, 2);
  CHECK(refer(table, 0) == 1);
  CHECK(refer(table, 0) == 1);
  CHECK(table.find(0) == 1);
}

TEST_CASE("table: a state with the first hash of another is counted and gets no entry") {
  ValueTable table(100, 2);
  const EntryId id = refer(table, StateKey(7, 1));
  CHECK(refer(table, StateKey(7, 2)) == kNoEntry);
  CHECK(refer(table, StateKey(7, 2)) == kNoEntry);
  CHECK(table.num_collisions() == 2);
  CHECK(table.find(StateKey(7, 2)) == kNoEntry);
  CHECK(table.find(StateKey(7, 1)) == id);
  CHECK(table.size() == 1);
}

TEST_CASE("table: first come, first served") {
  for (const bool has_threads : {false, true}) {
    ValueTable table(3, 2, has_threads);
    for (const std::uint64_t key : {1, 2, 3}) CHECK(refer(table, key) != kNoEntry);
    CHECK(refer(table, 4) == kNoEntry);
    CHECK(refer(table, 2) == 2);
    CHECK(table.num_turned_away() == 1);
    CHECK(table.size() == 3);
  }
}

TEST_CASE("table: grows and still finds everything") {
  ValueTable small(20'000, 2), full(20'000, 2, true);
  Rng rng(5);
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < 20'000; ++i) keys.push_back(std::uint64_t{rng.next()} << 32 | rng.next());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    CHECK(refer(small, keys[i]) == i + 1);
    CHECK(refer(full, keys[i]) == i + 1);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK(small.find(keys[i]) == i + 1);
  CHECK(small.bytes() == full.bytes());
}

TEST_CASE("table: between moves, entries with too few references go and the others keep what they know") {
  ValueTable table(100, 2);
  for (std::uint64_t key = 1; key <= 10; ++key) {
    const EntryId id = refer(table, key, key % 3 == 0 ? 2 : 1);
    for (std::uint64_t i = 0; i < key; ++i) visit(table, id, 0.5);
  }
  const std::vector<EntryId> renamed = table.drop_rare_entries();
  CHECK(renamed == std::vector<EntryId>{0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0});
  CHECK(table.size() == 3);
  CHECK(table.min_references() == 2);
  for (std::uint64_t key = 1; key <= 10; ++key) {
    const EntryId id = table.find(key);
    CHECK(id == renamed[key]);
    if (id == kNoEntry) continue;
    CHECK(table.entry(id).visits == key);
    CHECK(table.entry(id).value == static_cast<std::int64_t>(key) * kOne / 2);
    CHECK(table.entry(id).references == 2);
  }
  // A place that was free before is as new.
  const EntryId fresh = refer(table, 1);
  CHECK(fresh == 4);
  CHECK(table.entry(fresh).visits == 0);
  CHECK(table.entry(fresh).references == 1);
}

TEST_CASE("table: the threshold rises by one for each move in which states were turned away") {
  ValueTable table(4, 2);
  const auto fill = [&](std::uint64_t from) {
    for (std::uint64_t key = from; key < from + 6; ++key) refer(table, key, 3);
  };
  fill(0);
  table.drop_rare_entries();
  CHECK(table.min_references() == 3);
  CHECK(table.size() == 4);  // all have 3
  refer(table, 100);         // turned away again
  table.drop_rare_entries();
  CHECK(table.min_references() == 4);
  CHECK(table.size() == 0);
  refer(table, 200);
  table.drop_rare_entries();  // nobody was turned away
  CHECK(table.min_references() == 4);
}

TEST_CASE("table: what is saved comes back") {
  ValueTable table(50, 2);
  for (std::uint64_t key = 0; key < 60; ++key)
    if (const EntryId id = refer(table, StateKey(key, 9), 1 + key % 4); id != kNoEntry) visit(table, id, 0.25);
  const TableSnapshot saved = table.snapshot();
  CHECK(saved.num_turned_away == 10);
  ValueTable again(50, 7, true);
  again.restore(saved);
  CHECK(again.min_references() == 2);
  for (std::uint64_t key = 0; key < 60; ++key) CHECK(again.find(StateKey(key, 9)) == table.find(StateKey(key, 9)));
  const TableSnapshot twice = again.snapshot();
  CHECK(twice.key == saved.key);
  CHECK(twice.second == saved.second);
  CHECK(twice.value == saved.value);
  CHECK(twice.visits == saved.visits);
  CHECK(twice.references == saved.references);
  CHECK(twice.num_turned_away == saved.num_turned_away);
}

TEST_CASE("table: of a saved table that is too large the entries with the most references come back") {
  ValueTable table(100, 2);
  for (std::uint64_t key = 0; key < 100; ++key) refer(table, key, 1 + static_cast<std::uint32_t>(key / 10));
  ValueTable smaller(25, 2);
  smaller.restore(table.snapshot());
  CHECK(smaller.size() == 20);
  CHECK(smaller.min_references() == 9);
  for (std::uint64_t key = 0; key < 100; ++key) CHECK((smaller.find(key) != kNoEntry) == (key >= 80));
}

TEST_CASE("table: damaged tables are refused and change nothing") {
  ValueTable table(10, 2);
  for (std::uint64_t key = 0; key < 3; ++key) visit(table, refer(table, key, 2), 1.0);
  const TableSnapshot good = table.snapshot();
  std::vector<TableSnapshot> damaged(8, good);
  damaged[0].second.pop_back();
  damaged[1].visits[1] = -1;
  damaged[2].visits[1] = std::int64_t{1} << 32;
  damaged[3].value[0] = -1;
  damaged[4].value[0] = kOne + 1;  // more than its visits can be worth
  damaged[5].references[2] = -1;
  damaged[6].key[2] = damaged[6].key[0];
  damaged[7].min_references = -1;
  for (const TableSnapshot& bad : damaged) {
    CHECK_THROWS_AS(table.restore(bad), std::invalid_argument);
    CHECK(table.snapshot().key == good.key);
  }
}

TEST_CASE("table: threads that enter the same states agree, and no visit is lost") {
  constexpr int kThreads = 4, kStates = 2'000, kRounds = 20;
  for (const std::size_t capacity : {std::size_t{10'000}, std::size_t{500}}) {
    ValueTable table(capacity, 1, true);
    std::vector<std::vector<EntryId>> seen(kThreads, std::vector<EntryId>(kStates));
    std::atomic<std::uint64_t> num_visits{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int round = 0; round < kRounds; ++round)
          for (int state = 0; state < kStates; ++state) {
            bool was_there = false;
            const EntryId id = table.find_or_make(static_cast<std::uint64_t>(state), was_there);
            if (id == kNoEntry) continue;
            seen[static_cast<std::size_t>(t)][static_cast<std::size_t>(state)] = id;
            table.entry(id).references.fetch_add(1, std::memory_order_relaxed);
            table.entry(id).visits.fetch_add(1, std::memory_order_relaxed);
            num_visits.fetch_add(1, std::memory_order_relaxed);
          }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(table.size() <= capacity);
    std::uint64_t sum = 0;
    for (EntryId id = 1; id <= table.size(); ++id) sum += table.entry(id).visits;
    CHECK(sum == num_visits);
    std::set<EntryId> used;
    for (std::size_t state = 0; state < kStates; ++state) {
      std::set<EntryId> ids;
      for (const auto& of_thread : seen)
        if (of_thread[state] != kNoEntry) ids.insert(of_thread[state]);
      CHECK(ids.size() <= 1);
      if (!ids.empty()) CHECK(used.insert(*ids.begin()).second);
    }
    // Spares that lost a race go with the next dropping.
    table.drop_rare_entries();
    CHECK(table.size() == used.size());
    for (std::size_t state = 0; state < kStates; ++state)
      CHECK((table.find(state) != kNoEntry) == (seen[0][state] != kNoEntry));
  }
}
