// The memory of a graph: a cap that holds, rooms of workers, and what is kept in order when it is compacted.
#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <stdexcept>

#include "search/arena.hpp"

using namespace tesuji;

TEST_CASE("nodes come from the front and blocks from the back until the cap is reached, with what lies beside") {
  constexpr std::size_t kCap = 4096, kBeside = 512;
  Arena arena(kCap, 0, 1);
  std::size_t num_nodes = 0;
  while (arena.make_node(1, 0, kBeside) != kNoNode && arena.make_block(20, 0, kBeside)) {
    ++num_nodes;
    CHECK(arena.bytes_taken() + kBeside <= kCap);
  }
  CHECK(num_nodes > 0);
  CHECK(arena.num_nodes() >= num_nodes);
  CHECK(arena.bytes_taken() + kBeside + arena.bytes_of_node() + Arena::bytes_of_block(20) > kCap);
  CHECK(arena.node(1).mover == 1);
  arena.clear();
  CHECK(arena.num_nodes() == 0);
  CHECK(arena.bytes_taken() == 0);
}

TEST_CASE("workers take from rooms of their own, and no place is given twice") {
  Arena arena(1 << 16, 0, 2);
  std::set<NodeId> nodes;
  std::set<std::uint32_t> blocks;
  for (int i = 0; i < 50; ++i)
    for (const std::size_t worker : {std::size_t{0}, std::size_t{1}, Arena::kNoWorker}) {
      CHECK(nodes.insert(arena.make_node(0, worker, 0)).second);
      CHECK(blocks.insert(arena.make_block(16, worker, 0).value()).second);
      arena.count_edges(2, worker);
    }
  CHECK(arena.num_nodes() == 150);
  CHECK(arena.num_edges() == 300);
  CHECK(*nodes.rbegin() < arena.end_of_nodes());
}

TEST_CASE("what is kept slides to both ends and is what it was") {
  Arena arena(4096, 0, 1);
  std::uint32_t names[4];
  for (std::uint32_t i = 0; i < 4; ++i) {
    const NodeId id = arena.make_node(static_cast<int>(i % 2), 0, 0);
    names[i] = *arena.make_block(24, 0, 0);
    std::memset(arena.block(names[i]), static_cast<int>(i), 24);
    arena.node(id).block = names[i];
  }
  Arena::Compaction compaction(arena);
  const std::uint32_t second = compaction.keep_block(names[1], 24, 3);
  const std::uint32_t last = compaction.keep_block(names[3], 24, 3);
  compaction.keep_node(2);
  compaction.keep_node(4);
  compaction.finish();
  CHECK(second == names[0]);
  CHECK(last == names[1]);
  CHECK(arena.block(second)[23] == std::byte{1});
  CHECK(arena.block(last)[0] == std::byte{3});
  CHECK(arena.num_nodes() == 2);
  CHECK(arena.num_edges() == 6);
  CHECK(arena.node(2).block == names[3]);  // its owner renames it
  CHECK(arena.make_node(0, 0, 0) == 3);
}

TEST_CASE("a cap beyond 32-bit names is refused") {
  CHECK_THROWS_AS(Arena(std::size_t{1} << 40, 0, 1), std::invalid_argument);
}
