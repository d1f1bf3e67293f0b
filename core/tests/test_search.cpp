// The search with threads, for the sanitizers, and what only C++ games can show. The rest is tested from Python
// (tests/search).
//
// TESUJI_TEST_SECONDS is how long the long searches last altogether (default 6); a minute or more under a
// sanitizer is worth its while.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

#include "games/connect4.hpp"
#include "games/dynamic.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"
#include "go/game.hpp"
#include "search/search.hpp"

using namespace tesuji;

namespace {

double long_seconds() {
  const char* const text = std::getenv("TESUJI_TEST_SECONDS");
  return text == nullptr ? 6.0 : std::stod(text);
}

const std::function<bool()> kGoOn = [] { return true; };

std::uint64_t total_visits(const SearchResult& result) {
  return std::accumulate(result.edges.begin(), result.edges.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const RootEdge& edge) { return sum + edge.visits; });
}

// Sums hold at every node, and no walk is left in flight.
void check_graph(const Graph& graph) {
  std::vector<NodeId> todo{graph.root()};
  std::vector<bool> seen(graph.end_of_nodes());
  while (!todo.empty()) {
    const Node& node = graph.node(todo.back());
    todo.pop_back();
    const bool knows_itself = graph.shares_nodes() || &node == &graph.node(graph.root());
    REQUIRE(node.value >= 0);
    REQUIRE(node.value <= static_cast<std::int64_t>(node.visits) * kOne);
    if (!graph.has_edges(node)) continue;
    const Edges edges = graph.edges(node);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      sum += edges.visits()[i];
      REQUIRE(edges.value()[i] >= 0);
      REQUIRE(edges.value()[i] <= static_cast<std::int64_t>(edges.visits()[i]) * kOne);
      if (graph.columns().in_flight) REQUIRE(edges.in_flight()[i] == 0);
      const NodeId child = edges.child()[i];
      if (child == kNoNode || seen[child]) continue;
      seen[child] = true;
      todo.push_back(child);
    }
    REQUIRE(sum == node.walks);
    if (knows_itself) REQUIRE(node.walks <= node.visits);
  }
}

// Searches for some seconds with two threads, reading the result while they work, then advances and goes on. How often
// the result was read.
template <Game G>
int search_for_a_while(const G& root, SearchConfig config, double seconds) {
  config.num_threads = 2;
  Search<G> search(root, config, 1);
  int num_reports = 0;
  for (const double share : {0.7, 0.3}) {
    const std::uint64_t before = total_visits(search.result());
    search.run({.simulations = 0, .seconds = share * seconds, .nodes = 0}, [&] {
      const SearchResult so_far = search.result();
      ++num_reports;
      return so_far.counts.simulations < (std::uint64_t{1} << 60);
    });
    const SearchResult result = search.result();
    REQUIRE(result.counts.simulations > 0);
    REQUIRE(total_visits(result) == before + result.counts.simulations);
    REQUIRE(result.bytes <= config.memory_bytes);
    if (config.parallel != Parallel::Roots) check_graph(search.graph());
    search.advance(result.main_line.at(0));
  }
  return num_reports;
}

// The ways in which threads share, over all graph modes that several threads may have, with and without room to spare.
template <Game G>
void search_in_every_way(const G& root, const SearchConfig& config, double seconds) {
  struct Way {
    Parallel parallel;
    GraphMode graph;
    std::size_t memory_bytes;
  };
  const std::vector<Way> ways = {
      {Parallel::LockFree, GraphMode::Tree, std::size_t{1} << 28},
      {Parallel::LockFree, GraphMode::Dag, 1 << 28},
      {Parallel::LockFree, GraphMode::Tree, 1 << 19},
      {Parallel::LockFree, GraphMode::Dag, 1 << 19},
      {Parallel::GlobalLock, GraphMode::Tree, 1 << 20},
      {Parallel::Roots, GraphMode::Tree, 1 << 20},
      {Parallel::LockFree, GraphMode::SharedValues, 1 << 28},
      {Parallel::LockFree, GraphMode::SharedValues, 1 << 19},
      {Parallel::GlobalLock, GraphMode::SharedValues, 1 << 20},
      {Parallel::LockFree, GraphMode::SharedCounts, 1 << 20},
  };
  int num_reports = 0;
  for (const Way& way : ways) {
    SearchConfig varied = config;
    varied.parallel = way.parallel;
    varied.graph = way.graph;
    varied.memory_bytes = way.memory_bytes;
    varied.table_entries = way.memory_bytes >> 8;
    num_reports += search_for_a_while(root, varied, seconds / static_cast<double>(ways.size()));
  }
  CHECK(num_reports > 0);
}

SearchConfig with_rave() {
  SearchConfig config;
  config.exploration = 0.2f;
  config.amaf = AmafSchedule::HandSelected;
  return config;
}

}  // namespace

TEST_CASE("two threads search Hex in every way") { search_in_every_way(Hex(9), with_rave(), long_seconds() / 2); }

TEST_CASE("two threads search 9x9 Go in every way") {
  const go::Board board(9, 9, {.ko = go::KoRule::Positional});
  const go::GoContext context(board, 7.5);
  search_in_every_way(go::GoGame<9>(board, context), with_rave(), long_seconds() / 2);
}

TEST_CASE("threads that share values lose nothing: the table knows of every visit") {
  for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock}) {
    SearchConfig config;
    config.graph = GraphMode::SharedValues;
    config.parallel = parallel;
    config.num_threads = 4;
    config.memory_bytes = std::size_t{1} << 28;
    Search<Connect4> search(Connect4{}, config, 3);
    search.run({.simulations = 20'000, .seconds = 0, .nodes = 0}, kGoOn);
    const GraphSnapshot graph = search.snapshot().graphs[0];
    const TableSnapshot table = search.table();
    CHECK(table.num_turned_away == 0);
    CHECK(search.result().counts.transposition_hits > 1'000);
    const auto sum = [](const std::vector<std::int64_t>& numbers) {
      return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
    };
    CHECK(sum(table.visits) == sum(graph.node_visits));
    double values = 0;
    for (const double value : graph.node_value) values += value;
    CHECK(static_cast<double>(sum(table.value)) == values * static_cast<double>(kOne));
    CHECK(sum(table.references) == static_cast<std::int64_t>(graph.node_visits.size()));
  }
}

TEST_CASE("two threads search with every selection, prior-free choice and expansion") {
  for (const Selection selection : {Selection::Ucb1, Selection::Ucb1Tuned, Selection::EpsilonGreedy, Selection::Bast})
    for (const Expansion expansion : {Expansion::OneChild, Expansion::AllChildren, Expansion::WholePath}) {
      SearchConfig config;
      config.selection = selection;
      config.expansion = expansion;
      config.num_threads = 2;
      config.solver = expansion != Expansion::WholePath;
      config.widening = selection == Selection::EpsilonGreedy;
      config.memory_bytes = 1 << 20;
      config.amaf = selection == Selection::Ucb1 ? AmafSchedule::MinimumMse : AmafSchedule::Off;
      Search<Connect4> search(Connect4{}, config, 3);
      search.run({.simulations = 4'000, .seconds = 0, .nodes = 0}, kGoOn);
      const SearchResult result = search.result();
      CHECK(result.counts.simulations == 4'000);
      CHECK(total_visits(result) == 4'000);
      check_graph(search.graph());
    }
}

TEST_CASE("one thread and one seed give the same result, with and without other searches beside it") {
  const auto visits = [] {
    Search<Hex> search(Hex(6), with_rave(), 17);
    search.run({.simulations = 3'000, .seconds = 0, .nodes = 0}, kGoOn);
    std::vector<std::uint64_t> found;
    for (const RootEdge& edge : search.result().edges) found.push_back(edge.visits);
    return found;
  };
  const auto alone = visits();
  std::vector<std::uint64_t> beside;
  std::thread other([&] { beside = visits(); });
  CHECK(visits() == alone);
  other.join();
  CHECK(beside == alone);
}

TEST_CASE("stop() from another thread ends a run") {
  for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock, Parallel::Roots}) {
    SearchConfig config;
    config.num_threads = 2;
    config.parallel = parallel;
    config.memory_bytes = 1 << 20;
    Search<Hex> search(Hex(9), config, 1);
    std::atomic<bool> began{false};
    std::thread stopper([&] {
      while (!began) std::this_thread::yield();
      search.stop();
    });
    bool was_asked = false;
    search.run({.simulations = 0, .seconds = 30, .nodes = 0}, [&] { return was_asked = began = true; });
    began = true;
    stopper.join();
    CHECK(was_asked);
    CHECK(search.result().seconds < 30);
    CHECK(search.result().counts.simulations > 0);
  }
}

namespace {

// A game of two moves whose playouts wait for each other: the second simulation begins when the first is in its
// playout, and neither comes back before both are there. Every result is one half.
struct Meeting {
  std::mutex lock;
  std::condition_variable changed;
  bool is_on = false;
  int num_begun = 0, num_playing = 0;

  template <class Condition>
  void wait(std::unique_lock<std::mutex>& hold, Condition condition) {
    changed.wait_for(hold, std::chrono::seconds(20), condition);
  }
};

class MeetingGame {
 public:
  MeetingGame(Meeting& meeting, int mover) : meeting_(&meeting), mover_(mover) {}
  MeetingGame(const MeetingGame& other) : meeting_(other.meeting_), mover_(other.mover_) {
    std::unique_lock hold(meeting_->lock);
    if (!meeting_->is_on) return;
    if (++meeting_->num_begun == 2) meeting_->wait(hold, [&] { return meeting_->num_playing >= 1; });
  }

  int num_distinct_moves() const { return 2; }
  int to_play() const { return mover_; }
  bool is_over() const { return false; }
  double value() const { return 0.5; }
  std::uint64_t hash() const { return has_moved_ ? 1 : 0; }
  void legal_moves(MoveList& moves) const { moves.insert(moves.end(), {0, 1}); }
  void play(Move) { has_moved_ = true; }
  double play_out(Rng&, MadeMoves*) {
    std::unique_lock hold(meeting_->lock);
    if (meeting_->is_on) {
      ++meeting_->num_playing;
      meeting_->changed.notify_all();
      meeting_->wait(hold, [&] { return meeting_->num_playing >= 2; });
    }
    return 0.5;
  }

 private:
  Meeting* meeting_;
  int mover_;
  bool has_moved_ = false;
};
static_assert(Game<MeetingGame> && HasPlayout<MeetingGame>);

}  // namespace

TEST_CASE("virtual loss: while one simulation is in its playout the next takes another edge, whoever moves") {
  for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock})
    for (const int mover : {0, 1}) {
      Meeting meeting;
      SearchConfig config;
      config.exploration = 0;
      config.maturity = 1000;
      config.num_threads = 2;
      config.parallel = parallel;
      Search<MeetingGame> search(MeetingGame(meeting, mover), config, 1);
      // Both edges once, one after the other: their means are equal.
      for (int i = 0; i < 2; ++i) search.run({.simulations = 1, .seconds = 0, .nodes = 0}, kGoOn);
      REQUIRE(search.result().edges[0].visits == 1);
      meeting.is_on = true;
      search.run({.simulations = 2, .seconds = 0, .nodes = 0}, kGoOn);
      const SearchResult result = search.result();
      CHECK(result.edges[0].visits == 2);
      CHECK(result.edges[1].visits == 2);
      CHECK(result.edges[0].value == doctest::Approx(0.5));
      CHECK(result.edges[1].value == doctest::Approx(0.5));
    }
}

namespace {

// Connect Four that fails in its n-th playout.
struct Failing : Connect4 {
  explicit Failing(std::atomic<int>& playouts_left) : left(&playouts_left) {}
  double play_out(Rng& rng, MadeMoves* record) {
    if (--*left == 0) throw std::domain_error("the playout failed");
    return Connect4::play_out(rng, record);
  }
  std::atomic<int>* left;
};

}  // namespace

TEST_CASE("an exception on any thread comes back as itself, and the search can be used again") {
  for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock, Parallel::Roots})
    for (const int after : {1, 2, 3, 50, 51, 500}) {
      std::atomic<int> left{after};
      SearchConfig config;
      config.num_threads = 2;
      config.parallel = parallel;
      config.memory_bytes = 1 << 20;
      Search<Failing> search(Failing(left), config, 1);
      CHECK_THROWS_WITH_AS(search.run({.simulations = 10'000, .seconds = 0, .nodes = 0}, kGoOn), "the playout failed",
                           std::domain_error);
      search.run({.simulations = 100, .seconds = 0, .nodes = 0}, kGoOn);
      CHECK(search.result().counts.simulations == 100);
    }
}

namespace {

// Tic-tac-toe behind the virtual interface of games that are not known when the core is compiled.
class Wrapped final : public AbstractGame {
 public:
  std::unique_ptr<AbstractGame> copy() const override { return std::make_unique<Wrapped>(*this); }
  int num_distinct_moves() const override { return game_.num_distinct_moves(); }
  int to_play() const override { return game_.to_play(); }
  bool is_over() const override { return game_.is_over(); }
  double value() const override { return game_.value(); }
  std::uint64_t hash() const override { return game_.hash(); }
  void legal_moves(MoveList& moves) const override { game_.legal_moves(moves); }
  void play(Move move) override { game_.play(move); }
  void priors(std::span<const Move> moves, std::span<float> priors) const override {
    for (std::size_t i = 0; i < moves.size(); ++i) priors[i] = moves[i] == 4 ? 0.9f : 0.1f;
  }

 private:
  TicTacToe game_;
};

}  // namespace

TEST_CASE("a dynamic game is searched like a native one, with its priors") {
  SearchConfig config;
  config.selection = Selection::Puct;
  config.solver = true;
  config.num_threads = 2;
  Search<DynamicGame> search(DynamicGame(std::make_unique<Wrapped>()), config, 1);
  search.run({.simulations = 2'000, .seconds = 0, .nodes = 0}, kGoOn);
  const SearchResult result = search.result();
  CHECK(result.edges.size() == 9);
  CHECK(result.edges[4].prior == doctest::Approx(0.9));
  check_graph(search.graph());
}

TEST_CASE("results can be read, and a search thrown away, before any run") {
  const Search<Hex> search(Hex(5), {}, 1);
  CHECK(search.result().edges.empty());
  CHECK(search.result().counts.simulations == 0);
}

// --- narrow nodes ---

namespace {

SearchConfig narrow(int width, std::uint32_t walks) {
  SearchConfig config;
  config.prior_use = PriorUse::VirtualVisits;
  config.width = width;
  config.width_walks = walks;
  return config;
}

// Every node that can be reached.
template <class Visit>
void for_each_node(const Graph& graph, Visit visit) {
  std::vector<NodeId> todo{graph.root()};
  std::vector<bool> seen(graph.end_of_nodes());
  while (!todo.empty()) {
    const Node& node = graph.node(todo.back());
    todo.pop_back();
    visit(node);
    if (!graph.has_edges(node)) continue;
    const Edges edges = graph.edges(node);
    for (std::uint32_t i = 0; i < edges.size; ++i)
      if (const NodeId child = edges.child()[i]; child != kNoNode && !seen[child]) {
        seen[child] = true;
        todo.push_back(child);
      }
  }
}

// Connect Four with priors, the n-th question for which fails.
struct Doubtful : Connect4 {
  explicit Doubtful(std::atomic<int>& questions_left) : left(&questions_left) {}
  void priors(std::span<const Move> moves, std::span<float> priors) const {
    if (--*left == 0) throw std::domain_error("the priors failed");
    for (std::size_t i = 0; i < moves.size(); ++i) priors[i] = static_cast<float>(1 + moves[i]) / 8;
  }
  std::atomic<int>* left;
};
static_assert(HasPriors<Doubtful>);

}  // namespace

TEST_CASE("two threads search 9x9 Go with narrow nodes in every way") {
  const go::Board board(9, 9, {.ko = go::KoRule::Positional});
  go::GoContext context(board, 7.5);
  context.knowledge.policy.rules = {{go::Origin::LastGoodReply, 0.5f}, {go::Origin::Capture, 1.0f}};
  context.knowledge.priors.criticality = 1.0f;
  context.knowledge.uses_symmetry = true;
  SearchConfig config = narrow(6, 30);
  config.amaf = AmafSchedule::MinimumMse;
  search_in_every_way(go::GoGame<9, go::kTactical>(board, context), config, long_seconds() / 2);
}

TEST_CASE("a narrow node has its edges until it was walked often enough, and then all of them") {
  for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock})
    for (const int num_threads : {1, 2}) {
      std::atomic<int> never{0};
      SearchConfig config = narrow(3, 50);
      config.parallel = parallel;
      config.num_threads = num_threads;
      Search<Doubtful> search(Doubtful(never), config, 1);
      search.run({.simulations = 6'000, .seconds = 0, .nodes = 0}, kGoOn);
      check_graph(search.graph());
      int num_narrow = 0, num_grown = 0;
      for_each_node(search.graph(), [&](const Node& node) {
        REQUIRE(node.width != Width::Growing);
        if (!search.graph().has_edges(node)) return;
        // It asks for the others when a walk finds 50 here; every other thread may have passed just before.
        if (node.width == Width::Narrow) {
          REQUIRE(node.num_edges == 3);
          REQUIRE(node.walks < 50u + static_cast<std::uint32_t>(num_threads));
        }
        num_narrow += node.width == Width::Narrow;
        num_grown += node.width == Width::Full && node.walks > 50;
      });
      CHECK(num_narrow > 20);
      CHECK(num_grown > 20);
    }
}

TEST_CASE("an exception while a node asks for its other moves does not keep it from getting them later") {
  int num_failed = 0;
  for (int after = 1; after <= 80; ++after) {
    std::atomic<int> left{after};
    Search<Doubtful> search(Doubtful(left), narrow(2, 5), 1);
    try {
      search.run({.simulations = 200, .seconds = 0, .nodes = 0}, kGoOn);
    } catch (const std::domain_error&) {
      ++num_failed;
    }
    search.run({.simulations = 200, .seconds = 0, .nodes = 0}, kGoOn);
    for_each_node(search.graph(), [](const Node& node) { REQUIRE(node.width != Width::Growing); });
  }
  CHECK(num_failed > 40);
}
