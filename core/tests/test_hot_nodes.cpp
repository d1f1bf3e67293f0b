// Copies of nodes that threads keep: what they count arrives in the graph, whole, whoever counts and in what order.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/rng.hpp"
#include "search/hot_nodes.hpp"

using namespace tesuji;

namespace {

struct Walked {
  Graph graph{1 << 22, {.in_flight = true}, GraphMode::Tree, 2};
  std::vector<NodeId> nodes;

  // Nodes of three edges each, walked often enough to be copied.
  explicit Walked(std::size_t number, std::uint32_t walks = 1000) {
    for (std::size_t i = 0; i < number; ++i) {
      nodes.push_back(graph.make_node(0));
      Node& node = graph.node(nodes.back());
      REQUIRE(graph.make_edges(node, MoveList{0, 1, 2}, {}, Width::Full, false));
      node.walks = node.visits = walks;
      graph.edges(node).visits()[0] = walks;
    }
  }
  std::array<std::uint32_t, 3> visits(NodeId id) {
    const Edges edges = graph.edges(graph.node(id));
    return {edges.visits()[0], edges.visits()[1], edges.visits()[2]};
  }
};

}  // namespace

TEST_CASE("a node walked little has no copy") {
  Walked walked(1, 127);
  HotNodes hot(2);
  CHECK(hot.take(walked.graph, walked.nodes[0]) == nullptr);
  CHECK(hot.find(walked.nodes[0]) == nullptr);
}

TEST_CASE("a copy shows what the graph knew and the walks since; the graph learns of them when they are brought in") {
  Walked walked(1);
  HotNodes hot(2);
  HotNode* const copy = hot.take(walked.graph, walked.nodes[0]);
  REQUIRE(copy != nullptr);
  CHECK(copy->walks() == 1000);
  copy->back_up(1, kOne / 2);
  CHECK(copy->walks() == 1001);
  CHECK(copy->visits()[1] == 1);
  CHECK(copy->value()[1] == kOne / 2);
  CHECK(walked.visits(walked.nodes[0]) == std::array{1000u, 0u, 0u});
  hot.bring_in(walked.graph);
  const Node& node = walked.graph.node(walked.nodes[0]);
  CHECK(walked.visits(walked.nodes[0]) == std::array{1000u, 1u, 0u});
  CHECK(walked.graph.edges(node).value()[1] == kOne / 2);
  CHECK(node.walks == 1001);
  CHECK(hot.find(walked.nodes[0]) == nullptr);
}

TEST_CASE("a copy is read again after so many walks, so that others' walks are seen") {
  Walked walked(1, 320);
  HotNodes hot(2);
  for (int i = 0; i < 10; ++i) hot.take(walked.graph, walked.nodes[0])->back_up(2, 0);
  CHECK(walked.visits(walked.nodes[0])[2] == 0);
  walked.graph.edges(walked.graph.node(walked.nodes[0])).visits()[1] = 77;
  CHECK(hot.take(walked.graph, walked.nodes[0])->visits()[1] == 77);
  CHECK(walked.visits(walked.nodes[0])[2] == 10);
}

TEST_CASE("nodes that want the same place do not throw each other out at every walk") {
  Walked walked(16 * 5);  // nodes 16 apart share their places, of which there are four
  HotNodes hot(2);
  for (std::size_t i = 0; i < 5; ++i) hot.take(walked.graph, walked.nodes[16 * i]);
  for (std::size_t i = 0; i < 4; ++i) CHECK(hot.find(walked.nodes[16 * i]) != nullptr);
  CHECK(hot.find(walked.nodes[64]) == nullptr);
  Node& hotter = walked.graph.node(walked.nodes[64]);
  hotter.walks = 2'500;
  CHECK(hot.take(walked.graph, walked.nodes[64]) != nullptr);
}

TEST_CASE("all threads together are at most about three percent of a node's walks behind") {
  for (const std::size_t num_workers : {2, 16}) {
    Walked walked(1, 3200);
    HotNodes hot(num_workers);
    std::uint32_t num_behind = 0;
    while (walked.visits(walked.nodes[0])[2] == 0) {
      hot.take(walked.graph, walked.nodes[0])->back_up(2, 0);
      ++num_behind;
    }
    CHECK(num_behind * num_workers <= 3200 / 16 + 16 * num_workers);
    CHECK(num_behind <= 3200 / 32 * 2 / num_workers + 2);
  }
}

TEST_CASE("two threads with copies of the same nodes lose nothing") {
  constexpr std::size_t kNodes = 100;  // more than there are places, so that copies come and go
  constexpr int kWalks = 20'000;
  Walked walked(kNodes);
  const auto work = [&](std::uint64_t seed) {
    Rng rng(seed);
    HotNodes hot(2);
    for (int i = 0; i < kWalks; ++i) {
      const NodeId id = walked.nodes[rng.below(kNodes)], other = walked.nodes[rng.below(kNodes)];
      const auto edge = static_cast<std::uint32_t>(rng.below(3));
      HotNode* const taken = hot.take(walked.graph, id);
      hot.take(walked.graph, other);  // may take the place of the first
      if (HotNode* const copy = taken != nullptr ? hot.find(id) : nullptr) {
        copy->back_up(edge, kOne / 2);
      } else {
        Node& node = walked.graph.node(id);
        add(walked.graph.edges(node).value()[edge], kOne / 2, true);
        add(walked.graph.edges(node).visits()[edge], 1u, true);
        add(node.walks, 1u, true);
      }
    }
    hot.bring_in(walked.graph);
  };
  std::thread first(work, 1), second(work, 2);
  first.join();
  second.join();
  std::uint64_t visits = 0, walks = 0;
  std::int64_t value = 0;
  for (const NodeId id : walked.nodes) {
    const Node& node = walked.graph.node(id);
    for (const std::uint32_t n : walked.visits(id)) visits += n;
    for (int i = 0; i < 3; ++i) value += walked.graph.edges(node).value()[i];
    walks += node.walks;
  }
  CHECK(visits == kNodes * 1000 + 2 * kWalks);
  CHECK(walks == visits);
  CHECK(value == kWalks * kOne);
}

TEST_CASE("workers with rooms of their own make nodes that differ, all counted, under the cap") {
  constexpr std::size_t kCap = 1 << 20;
  Graph graph(kCap, {}, GraphMode::Tree, 2);
  graph.set_root(graph.make_node(0));
  std::array<std::vector<NodeId>, 2> made;
  const auto work = [&](std::size_t worker) {
    for (;;) {
      const NodeId id = graph.make_node(0, worker);
      if (id == kNoNode || !graph.make_edges(graph.node(id), MoveList{1, 2}, {}, Width::Full, true, worker)) return;
      made[worker].push_back(id);
    }
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  CHECK(graph.is_full());
  CHECK(graph.bytes() <= kCap);
  const std::size_t num_made = made[0].size() + made[1].size();
  CHECK(graph.num_edges() == 2 * num_made);
  CHECK(graph.num_nodes() >= 1 + num_made);  // the last node of a worker may have got no edges
  CHECK(graph.num_nodes() <= 1 + num_made + 2);
  std::vector<NodeId> all(made[0]);
  all.insert(all.end(), made[1].begin(), made[1].end());
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
  for (const NodeId id : all) CHECK(graph.edges(graph.node(id)).move(1) == 2);
  graph.recycle(0.5);
  CHECK(graph.num_nodes() == 1);
  CHECK(graph.num_edges() == 0);
}
