#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/rng.hpp"
#include "search/graph.hpp"

using namespace tesuji;

namespace {

constexpr Columns kAll{.amaf = true, .prior = true, .squares = true, .bounds = true};

// What one knows of a node whatever its number: enough to recognise it after it has moved.
struct Facts {
  std::uint32_t visits;
  std::int64_t value;
  int mover;
  std::vector<Move> moves;
  std::vector<std::uint32_t> edge_visits;
  std::vector<std::int64_t> edge_values;
  std::vector<float> priors;

  bool operator==(const Facts&) const = default;
};

Facts facts_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  Facts facts{node.visits, node.value, node.mover, {}, {}, {}, {}};
  if (!graph.has_edges(node)) return facts;
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    facts.moves.push_back(edges.move(i));
    facts.edge_visits.push_back(edges.visits()[i]);
    facts.edge_values.push_back(edges.value()[i]);
    if (graph.columns().prior) facts.priors.push_back(edges.prior()[i]);
  }
  return facts;
}

// Every node that can be reached, by its path from the root.
std::map<std::vector<Move>, Facts> by_path(const Graph& graph) {
  std::map<std::vector<Move>, Facts> found;
  std::vector<std::pair<std::vector<Move>, NodeId>> todo{{{}, graph.root()}};
  while (!todo.empty()) {
    auto [path, id] = todo.back();
    todo.pop_back();
    found.emplace(path, facts_of(graph, id));
    if (!graph.has_edges(graph.node(id))) continue;
    const Edges edges = graph.edges(graph.node(id));
    for (std::uint32_t i = 0; i < edges.size; ++i)
      if (const NodeId child = edges.child()[i]; child != kNoNode) {
        auto below = path;
        below.push_back(edges.move(i));
        todo.emplace_back(below, child);
      }
  }
  return found;
}

// Grows a tree at random, as simulations would: a walk adds one node and visits all on its path.
void grow(Graph& graph, Rng& rng, int num_walks) {
  if (graph.root() == kNoNode) graph.set_root(graph.make_node(0));
  for (int walk = 0; walk < num_walks; ++walk) {
    NodeId at = graph.root();
    for (int depth = 0;; ++depth) {
      Node& node = graph.node(at);
      ++node.visits;
      node.value += static_cast<std::int64_t>(rng.below(kOne));
      if (!graph.has_edges(node)) {
        MoveList moves;
        std::vector<float> priors;
        for (std::uint64_t i = 0, size = 1 + rng.below(6); i < size; ++i) {
          moves.push_back(static_cast<Move>(10 * i + rng.below(10)));
          priors.push_back(static_cast<float>(rng.unit()));
        }
        if (!graph.make_edges(node, moves, priors, Width::Full, false)) return;
      }
      const Edges edges = graph.edges(graph.node(at));
      // Low edges are walked most, so that visits differ.
      const auto edge = static_cast<std::uint32_t>(std::min(rng.below(edges.size), rng.below(edges.size)));
      ++edges.visits()[edge];
      edges.value()[edge] += static_cast<std::int64_t>(rng.below(kOne));
      if (edges.child()[edge] != kNoNode) {
        at = edges.child()[edge];
        continue;
      }
      const NodeId made = graph.make_node(depth % 2 == 0 ? 1 : 0);
      if (made == kNoNode) return;
      edges.child()[edge] = made;
      graph.node(made).visits =
          edges.visits()[edge].load();  // a child that made room comes back with its edge's visits
      break;
    }
  }
}

}  // namespace

TEST_CASE("a node takes at most 32 bytes and an edge with AMAF at most 40") {
  CHECK(sizeof(Node) <= 32);
  CHECK(Graph(1 << 20, {.amaf = true}, GraphMode::Tree).bytes_per_edge() <= 40);
  CHECK(Graph(1 << 20, {.amaf = true, .prior = true}, GraphMode::Tree).bytes_per_edge() <= 40);
  CHECK(Graph(1 << 20, {}, GraphMode::Tree).bytes_per_edge() < Graph(1 << 20, kAll, GraphMode::Tree).bytes_per_edge());
}

TEST_CASE("the columns of a block keep out of each other's way, whatever the config and the number of edges") {
  for (int mask = 0; mask < 16; ++mask) {
    const Columns columns{(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0, (mask & 8) != 0};
    Graph graph(1 << 18, columns, GraphMode::Tree);
    std::vector<NodeId> ids;
    for (int size = 1; size < 40; ++size) {
      const NodeId id = graph.make_node(size % 2);
      ids.push_back(id);
      MoveList moves(static_cast<std::size_t>(size));
      std::vector<float> priors(static_cast<std::size_t>(size));
      for (int i = 0; i < size; ++i) {
        moves[static_cast<std::size_t>(i)] = 1000 * size + i;
        priors[static_cast<std::size_t>(i)] = static_cast<float>(i) / 64;
      }
      REQUIRE(graph.make_edges(graph.node(id), moves, priors, Width::Full, false));
      const Edges edges = graph.edges(graph.node(id));
      REQUIRE(edges.size == static_cast<std::uint32_t>(size));
      for (std::uint32_t i = 0; i < edges.size; ++i) {
        edges.value()[i] = 1'000'000 + i;
        edges.visits()[i] = 2'000'000 + i;
        edges.child()[i] = 3'000'000 + i;
        if (columns.amaf) edges.amaf()[i] = 4'000'000 + i;
        if (columns.squares) edges.squares()[i] = 5'000'000 + i;
        if (columns.bounds) edges.upper()[i] = 6'000'000.f + static_cast<float>(i);
        if (columns.bounds) edges.lower()[i] = 7'000'000.f + static_cast<float>(i);
      }
    }
    for (const NodeId id : ids) {
      const Edges edges = graph.edges(graph.node(id));
      for (std::uint32_t i = 0; i < edges.size; ++i) {
        REQUIRE(edges.move(i) == static_cast<Move>(1000 * edges.size + i));
        REQUIRE(edges.value()[i] == 1'000'000 + i);
        REQUIRE(edges.visits()[i] == 2'000'000 + i);
        REQUIRE(edges.child()[i] == 3'000'000 + i);
        if (columns.amaf) REQUIRE(edges.amaf()[i] == 4'000'000 + i);
        if (columns.prior) REQUIRE(edges.prior()[i] == static_cast<float>(i) / 64);
        if (columns.squares) REQUIRE(edges.squares()[i] == 5'000'000 + i);
        if (columns.bounds) REQUIRE(edges.upper()[i] == 6'000'000.f + static_cast<float>(i));
        if (columns.bounds) REQUIRE(edges.lower()[i] == 7'000'000.f + static_cast<float>(i));
      }
    }
  }
}

TEST_CASE("a move, its proof and whether it is open share a word without disturbing each other") {
  Graph graph(1 << 16, {}, GraphMode::Tree);
  const NodeId id = graph.make_node(0);
  const auto largest = static_cast<Move>(Edges::kMoveMask);
  REQUIRE(graph.make_edges(graph.node(id), MoveList{0, largest}, {}, Width::Full, false));
  const Edges edges = graph.edges(graph.node(id));
  for (const Proof proof : {Proof::None, Proof::Loss, Proof::Draw, Proof::Win}) {
    for (std::uint32_t i = 0; i < 2; ++i)
      edges.word()[i] = static_cast<std::uint32_t>(edges.move(i)) |
                        static_cast<std::uint32_t>(proof) << Edges::kProofShift | Edges::kUnlocked;
    CHECK((edges.move(0) == 0 && edges.move(1) == largest));
    CHECK((edges.proof(0) == proof && edges.proof(1) == proof));
    CHECK((edges.is_unlocked(0) && edges.is_unlocked(1)));
  }
}

TEST_CASE("a proved value is what the proof says") {
  CHECK(proven_value(Proof::Loss) == 0);
  CHECK(proven_value(Proof::Draw) == to_fixed(0.5));
  CHECK(proven_value(Proof::Win) == to_fixed(1.0));
}

TEST_CASE("the memory cap is never passed, and a full graph says so") {
  for (const GraphMode mode : {GraphMode::Tree, GraphMode::Dag})
    for (const std::size_t cap : {std::size_t{700}, std::size_t{5'000}, std::size_t{123'457}}) {
      Graph graph(cap, {.amaf = true}, mode);
      Rng rng(cap);
      while (!graph.is_full()) {
        grow(graph, rng, 1);
        REQUIRE(graph.bytes() <= cap);
      }
      CHECK(graph.bytes() > (cap < 1'000 ? cap / 4 : cap / 2));
    }
}

TEST_CASE("recycling keeps what is visited most, with all its numbers, and drops the rest") {
  for (const Columns& columns : {Columns{}, kAll}) {
    Graph graph(60'000, columns, GraphMode::Tree);
    Rng rng(5);
    for (int round = 0; round < 20; ++round) {
      while (!graph.is_full()) grow(graph, rng, 10);
      const auto before = by_path(graph);
      graph.recycle(0.5);
      const auto after = by_path(graph);
      REQUIRE(!graph.is_full());
      REQUIRE(graph.bytes() <= 30'000);
      REQUIRE(after.size() > 20);
      REQUIRE(after.size() < before.size());
      REQUIRE(graph.num_nodes() == after.size());
      std::size_t num_edges = 0;
      std::uint32_t fewest_kept = 0xFFFFFFFF;
      for (const auto& [path, facts] : after) {
        REQUIRE(before.at(path) == facts);
        num_edges += facts.moves.size();
        fewest_kept = std::min(fewest_kept, facts.visits);
      }
      REQUIRE(graph.num_edges() == num_edges);
      // What was dropped although its parent was kept had fewer visits than anything kept.
      for (const auto& [path, facts] : before)
        if (!path.empty() && !after.contains(path) && after.contains({path.begin(), path.end() - 1}))
          REQUIRE(facts.visits < std::max(fewest_kept, 2u));
    }
  }
}

TEST_CASE("recycling from a new root drops everything beside it") {
  Graph graph(1 << 20, {}, GraphMode::Tree);
  Rng rng(6);
  grow(graph, rng, 800);
  const Edges edges = graph.edges(graph.node(graph.root()));
  const auto all = by_path(graph);
  const NodeId next = edges.child()[0];
  const Move move = edges.move(0);
  REQUIRE(next != kNoNode);
  graph.set_root(next);
  graph.recycle(0.9);
  const auto kept = by_path(graph);
  std::size_t expected = 0;
  for (const auto& [path, facts] : all) {
    if (path.empty() || path[0] != move) continue;
    ++expected;
    REQUIRE(kept.at({path.begin() + 1, path.end()}) == facts);
  }
  CHECK(kept.size() == expected);
  CHECK(graph.num_nodes() == expected);
}

TEST_CASE("the index finds a state again, also after recycling, and never another one") {
  Graph graph(200'000, {}, GraphMode::Dag);
  bool was_there = true;
  const NodeId root = graph.find_or_make(0, 0, was_there);
  REQUIRE(!was_there);
  graph.set_root(root);
  constexpr std::uint64_t kStates = 300;
  MoveList moves;
  for (std::uint64_t key = 1; key <= kStates; ++key) moves.push_back(static_cast<Move>(key));
  REQUIRE(graph.make_edges(graph.node(root), moves, {}, Width::Full, false));
  for (std::uint64_t key = 1; key <= kStates; ++key) {
    const NodeId child = graph.find_or_make(key, static_cast<int>(key % 2), was_there);
    REQUIRE(!was_there);
    graph.node(child).visits = static_cast<std::uint32_t>(key);
    graph.edges(graph.node(root)).child()[static_cast<std::uint32_t>(key - 1)] = child;
  }
  const auto check = [&] {
    const Edges edges = graph.edges(graph.node(graph.root()));
    std::set<NodeId> met;
    for (std::uint64_t key = 1; key <= kStates; ++key) {
      const NodeId child = edges.child()[static_cast<std::uint32_t>(key - 1)];
      if (child == kNoNode) continue;
      REQUIRE(graph.find_or_make(key, 0, was_there) == child);
      REQUIRE(was_there);
      REQUIRE(graph.node(child).visits == key);
      REQUIRE(graph.node(child).mover == key % 2);
      met.insert(child);
    }
    return met.size();
  };
  CHECK(check() == kStates);
  graph.recycle(0.22);  // drops the least visited
  const std::size_t left = check();
  CHECK(left < kStates);
  CHECK(left > 0);
  CHECK(graph.edges(graph.node(graph.root())).child()[kStates - 1] != kNoNode);
  // A state that was dropped is a new one.
  graph.find_or_make(1, 0, was_there);
  CHECK(!was_there);
}

TEST_CASE("clearing leaves an empty graph that can be used again") {
  for (const GraphMode mode : {GraphMode::Tree, GraphMode::Dag}) {
    Graph graph(1 << 18, {}, mode);
    Rng rng(7);
    grow(graph, rng, 200);
    bool was_there = false;
    if (mode == GraphMode::Dag) graph.find_or_make(99, 0, was_there);
    graph.clear();
    CHECK(graph.root() == kNoNode);
    CHECK(graph.num_nodes() == 0);
    CHECK(graph.num_edges() == 0);
    if (mode == GraphMode::Dag) {
      graph.find_or_make(99, 0, was_there);
      CHECK(!was_there);
    }
    grow(graph, rng, 200);
    CHECK(graph.num_nodes() > 100);
  }
}

TEST_CASE("two threads that ask for the same states get the same nodes") {
  Graph graph(8 << 20, {}, GraphMode::Dag);
  constexpr std::uint64_t kStates = 20'000;
  std::vector<NodeId> found[2] = {std::vector<NodeId>(kStates), std::vector<NodeId>(kStates)};
  const auto ask = [&](std::size_t which) {
    for (std::uint64_t key = 0; key < kStates; ++key) {
      bool was_there = false;
      found[which][key] = graph.find_or_make(key, 0, was_there);
    }
  };
  std::thread other(ask, 1);
  ask(0);
  other.join();
  CHECK(found[0] == found[1]);
  CHECK(std::set<NodeId>(found[0].begin(), found[0].end()).size() == kStates);
}

TEST_CASE("two threads that expand the same leaves: one of them does, and both see the moves") {
  Graph graph(8 << 20, {}, GraphMode::Tree);
  constexpr int kLeaves = 5'000;
  std::vector<NodeId> leaves;
  for (int i = 0; i < kLeaves; ++i) leaves.push_back(graph.make_node(0));
  std::atomic<int> num_made{0}, num_seen{0};
  const auto expand = [&] {
    const MoveList moves{5, 6, 7};
    for (const NodeId id : leaves) {
      Node& node = graph.node(id);
      num_made += graph.make_edges(node, moves, {}, Width::Full, true);
      if (!graph.has_edges(node)) continue;  // the other one is at it
      const Edges edges = graph.edges(node);
      num_seen += edges.size == 3 && edges.move(0) == 5 && edges.move(2) == 7;
    }
  };
  std::thread other(expand);
  expand();
  other.join();
  CHECK(num_made == kLeaves);
  CHECK(num_seen >= kLeaves);
  CHECK(graph.num_edges() == 3 * kLeaves);
}

// --- narrow nodes ---

namespace {

// A narrow root with edges 10 and 20 that have learnt something, whatever the columns.
NodeId narrow_root(Graph& graph) {
  const NodeId id = graph.make_node(0);
  graph.set_root(id);
  Node& node = graph.node(id);
  const std::vector<float> priors = {0.75f, 0.5f};
  REQUIRE(graph.make_edges(node, MoveList{10, 20}, priors, Width::Narrow, false));
  node.visits = 9, node.walks = 7, node.value = 3 * kOne;
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < 2; ++i) {
    edges.value()[i] = 100 + i;
    edges.visits()[i] = 3 + i;
    edges.child()[i] = graph.make_node(1);
    edges.word()[i] |= static_cast<std::uint32_t>(Proof::Loss) << Edges::kProofShift | Edges::kUnlocked;
    if (graph.columns().amaf) edges.amaf()[i] = 400 + i;
    if (graph.columns().squares) edges.squares()[i] = 500 + i;
    if (graph.columns().bounds) edges.upper()[i] = 0.75f, edges.lower()[i] = 0.25f;
  }
  return id;
}

}  // namespace

TEST_CASE("a narrow node that grows keeps what its edges learnt, and gets the others as if new") {
  for (int mask = 0; mask < 16; ++mask) {
    const Columns columns{(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0, (mask & 8) != 0};
    Graph graph(1 << 16, columns, GraphMode::Tree);
    const NodeId id = narrow_root(graph);
    Node& node = graph.node(id);
    const std::vector<float> priors = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f};
    REQUIRE(graph.add_edges(node, MoveList{30, 20, 40, 10, 50}, priors));
    CHECK(node.width == Width::Full);
    CHECK((node.visits == 9 && node.walks == 7 && node.value == 3 * kOne));
    CHECK(graph.num_edges() == 5);
    const Edges edges = graph.edges(node);
    REQUIRE(edges.size == 5);
    const std::vector<Move> expected = {10, 20, 30, 40, 50};
    for (std::uint32_t i = 0; i < 5; ++i) {
      const bool is_old = i < 2;
      CHECK(edges.move(i) == expected[i]);
      CHECK(edges.value()[i] == (is_old ? 100 + i : 0));
      CHECK(edges.visits()[i] == (is_old ? 3 + i : 0));
      CHECK(edges.child()[i] == (is_old ? id + 1 + i : kNoNode));
      CHECK(edges.proof(i) == (is_old ? Proof::Loss : Proof::None));
      CHECK(edges.is_unlocked(i) == is_old);
      if (columns.amaf) CHECK(edges.amaf()[i] == (is_old ? 400 + i : 0));
      if (columns.squares) CHECK(edges.squares()[i] == (is_old ? 500 + i : 0));
      if (columns.bounds) CHECK(edges.upper()[i] == (is_old ? 0.75f : 2.0f));
      if (columns.bounds) CHECK(edges.lower()[i] == (is_old ? 0.25f : -1.0f));
      if (columns.prior) CHECK(edges.prior()[i] == std::vector<float>{0.75f, 0.5f, 0.1f, 0.3f, 0.5f}[i]);
    }
  }
}

TEST_CASE("a narrow node that finds no room to grow stays as it is, and the graph says that it is full") {
  Graph graph(700, kAll, GraphMode::Tree);
  const NodeId id = narrow_root(graph);
  MoveList moves;
  for (Move move = 0; move < 30; ++move) moves.push_back(move);
  const Facts before = facts_of(graph, id);
  CHECK(!graph.add_edges(graph.node(id), moves, std::vector<float>(moves.size(), 0.5f)));
  CHECK(graph.is_full());
  CHECK(graph.node(id).width == Width::Narrow);
  CHECK(facts_of(graph, id) == before);
}

TEST_CASE("recycling gives back the block that a node left behind, and keeps narrow nodes narrow") {
  Graph graph(1 << 16, kAll, GraphMode::Tree);
  const NodeId id = narrow_root(graph);
  const NodeId child = graph.edges(graph.node(id)).child()[0];
  graph.node(child).visits = 5;
  REQUIRE(graph.make_edges(graph.node(child), MoveList{1, 2}, std::vector<float>{0.5f, 0.5f}, Width::Narrow, false));
  const std::size_t before = graph.bytes();
  REQUIRE(graph.add_edges(graph.node(id), MoveList{10, 20, 30}, std::vector<float>{0.1f, 0.2f, 0.3f}));
  const std::size_t grown = graph.bytes();
  const auto facts = by_path(graph);
  graph.recycle(0.9);
  CHECK(graph.bytes() == grown - 2 * graph.bytes_per_edge());
  CHECK(graph.bytes() == before + graph.bytes_per_edge());
  CHECK(by_path(graph) == facts);
  CHECK(graph.num_edges() == 5);
  const Node& root = graph.node(graph.root());
  CHECK(root.width == Width::Full);
  CHECK(graph.node(graph.edges(root).child()[0]).width == Width::Narrow);
}
