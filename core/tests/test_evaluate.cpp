// Evaluators in C++: how batches fill, what is backed up, what is left behind when one fails. Two threads, for the
// sanitizers. Python functions as evaluators are tested in tests/search/test_evaluator.py.
#include "search/evaluate.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "games/connect4.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"
#include "go/game.hpp"
#include "search/search.hpp"

using namespace tesuji;

namespace {

const std::function<bool()> kGoOn = [] { return true; };

std::uint64_t total_visits(const SearchResult& result) {
  std::uint64_t sum = 0;
  for (const RootEdge& edge : result.edges) sum += edge.visits;
  return sum;
}

// A number in 0..1 that depends on every byte of a state.
float some_value(const std::uint8_t* array, std::size_t size) {
  std::uint64_t hash = size;
  for (std::size_t i = 0; i < size; ++i) hash = combine(hash, array[i]);
  return static_cast<float>(hash >> 40) / static_cast<float>(1 << 24);
}

// Values, or values and priors, that depend on the states alone; `sizes` keeps how large the batches were.
Evaluator hashing_evaluator(std::size_t num_moves, bool gives_priors, std::vector<std::size_t>* sizes = nullptr) {
  return [=](Leaves& leaves) {
    if (sizes != nullptr) sizes->push_back(leaves.size());
    Evaluations answer;
    const std::size_t bytes = leaves.arrays.size() / leaves.size();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const float value = some_value(leaves.arrays.data() + i * bytes, bytes);
      answer.values.push_back(value);
      for (std::size_t move = 0; gives_priors && move < num_moves; ++move)
        answer.priors.push_back(value + static_cast<float>(move % 3));
    }
    return answer;
  };
}

// No walk is left half done: visits and walks agree, values lie between 0 and the visits, nobody waits.
void check_graph(const Graph& graph) {
  for (NodeId id = 1; id < graph.end_of_nodes(); ++id) {
    const Node& node = graph.node(id);
    CHECK_FALSE(node.waits);
    REQUIRE(node.value >= 0);
    REQUIRE(node.value <= static_cast<std::int64_t>(node.visits) * kOne);
    if (!graph.has_edges(node)) continue;
    const Edges edges = graph.edges(node);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      sum += edges.visits()[i];
      REQUIRE(edges.value()[i] >= 0);
      REQUIRE(edges.value()[i] <= static_cast<std::int64_t>(edges.visits()[i]) * kOne);
    }
    REQUIRE(sum == node.walks);
  }
}

SearchConfig puct(int threads = 1) {
  SearchConfig config;
  config.selection = Selection::Puct;
  config.exploration = 1.5f;
  config.num_threads = threads;
  return config;
}

std::vector<std::uint64_t> visits_of(const SearchResult& result) {
  std::vector<std::uint64_t> visits;
  for (const RootEdge& edge : result.edges) visits.push_back(edge.visits);
  return visits;
}

}  // namespace

TEST_CASE("a gatherer evaluates a batch when it is full, in the order of its leaves") {
  std::vector<std::size_t> sizes;
  Gatherer gatherer(hashing_evaluator(7, false, &sizes), dynamic(Connect4{}), {.batch_size = 3});
  gatherer.begin(1);
  std::vector<Gatherer::Place> places;
  for (Move column = 0; column < 3; ++column) {
    for (const auto& place : places) CHECK_FALSE(place.is_done());
    Connect4 state;
    state.play(column);
    places.push_back(gatherer.add(dynamic(state)));
  }
  CHECK(sizes == std::vector<std::size_t>{3});
  for (Move column = 0; column < 3; ++column) {
    Connect4 state;
    state.play(column);
    REQUIRE(places[static_cast<std::size_t>(column)].is_done());
    CHECK(places[static_cast<std::size_t>(column)].value() == gatherer.ask(dynamic(state)).value());
  }
}

TEST_CASE("a leaf that waits alone is evaluated at once if nobody else can come, else after the time-out") {
  std::vector<std::size_t> sizes;
  Gatherer gatherer(hashing_evaluator(7, false, &sizes), dynamic(Connect4{}), {.batch_size = 8, .timeout_s = 0.02});
  gatherer.begin(1);
  gatherer.wait(gatherer.add(dynamic(Connect4{})));
  CHECK(sizes == std::vector<std::size_t>{1});
  gatherer.begin(2);  // the other thread walks and walks
  const auto start = std::chrono::steady_clock::now();
  gatherer.wait(gatherer.add(dynamic(Connect4{})));
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(20));
  CHECK(sizes == std::vector<std::size_t>{1, 1});
}

TEST_CASE("two threads share a batch") {
  std::vector<std::size_t> sizes;
  Gatherer gatherer(hashing_evaluator(7, false, &sizes), dynamic(Connect4{}), {.batch_size = 2, .timeout_s = 30});
  gatherer.begin(2);
  const auto take_part = [&] { gatherer.wait(gatherer.add(dynamic(Connect4{}))); };
  std::thread other(take_part);
  take_part();
  other.join();
  CHECK(sizes == std::vector<std::size_t>{2});
}

TEST_CASE("an answer is kept, and the same state is not asked about again") {
  std::vector<std::size_t> sizes;
  Gatherer gatherer(hashing_evaluator(7, true, &sizes), dynamic(Connect4{}),
                    {.batch_size = 1, .uses_priors = true, .cache_bytes = 1 << 20});
  gatherer.begin(1);
  Connect4 state;
  state.play(3);
  const auto first = gatherer.add(dynamic(Connect4(state)));
  gatherer.begin(1);  // another run
  const auto again = gatherer.add(dynamic(Connect4(state)));
  CHECK_FALSE(first.was_known);
  CHECK(again.was_known);
  REQUIRE(again.is_done());
  CHECK(again.value() == first.value());
  for (std::size_t move = 0; move < 7; ++move) CHECK(again.priors(7)[move] == first.priors(7)[move]);
  CHECK(gatherer.ask(dynamic(state)).was_known);
  CHECK(sizes.size() == 1);
  CHECK(gatherer.num_cache_hits() == 2);
  CHECK(gatherer.num_evaluations() == 1);
}

TEST_CASE("answers of different states are kept apart, whoever moves and wherever the stones are") {
  std::vector<std::size_t> sizes;
  Gatherer gatherer(hashing_evaluator(7, false, &sizes), dynamic(Connect4{}),
                    {.batch_size = 1, .cache_bytes = 1 << 20});
  gatherer.begin(1);
  CHECK_FALSE(gatherer.add(dynamic(Connect4{})).was_known);
  for (Move first = 0; first < 7; ++first) {
    Connect4 state;
    state.play(first);
    CHECK_FALSE(gatherer.add(dynamic(Connect4(state))).was_known);
    for (Move second = 0; second < 7; ++second) {
      Connect4 reply = state;
      reply.play(second);
      CHECK_FALSE(gatherer.add(dynamic(reply)).was_known);
    }
  }
}

TEST_CASE("Go's answers are kept by what the evaluator sees, the last moves among it") {
  const go::Board board(5, 5, {});
  const go::GoContext context(board, 7.5);
  Gatherer gatherer(hashing_evaluator(26, false), dynamic(go::GoGame<9>(board, context)),
                    {.batch_size = 1, .cache_bytes = 1 << 20});
  gatherer.begin(1);
  const auto after = [&](std::initializer_list<Move> moves) {
    go::GoGame<9> state(board, context);
    for (const Move move : moves) state.play(move);
    return state;
  };
  CHECK(after({0, 6, 12, 18}).hash() == after({12, 18, 0, 6}).hash());
  gatherer.add(dynamic(after({0, 6, 12, 18})));
  CHECK_FALSE(gatherer.add(dynamic(after({12, 18, 0, 6}))).was_known);
  CHECK(gatherer.add(dynamic(after({0, 6, 12, 18}))).was_known);
}

namespace {

// How many calls of an evaluator ran at the same time; each waits a little for company.
struct Company {
  std::atomic<int> now{0}, most{0};
  void stay() {
    const int here = ++now;
    for (int known = most; here > known && !most.compare_exchange_weak(known, here);) {
    }
    for (int i = 0; i < 200 && now < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --now;
  }
};

int most_in_flight(int allowed) {
  Company company;
  auto evaluator = hashing_evaluator(7, false);
  Gatherer gatherer(
      [&](Leaves& leaves) {
        company.stay();
        return evaluator(leaves);
      },
      dynamic(Connect4{}), {.batch_size = 1, .max_batches_in_flight = allowed});
  gatherer.begin(2);
  const auto work = [&](Move column) {
    for (int i = 0; i < 3; ++i) {
      Connect4 state;
      state.play(column);
      gatherer.add(dynamic(state));
    }
  };
  std::thread other(work, 0);
  work(1);
  other.join();
  return company.most;
}

// Its states are read by two threads at the same time, or not at all.
struct MeetingGame : Connect4 {
  static inline std::atomic<int> num_readers{0};
  static inline std::atomic<bool> met{false};
  void encode(std::span<std::uint8_t> zeros) const {
    ++num_readers;
    for (int i = 0; i < 2'000 && !met; ++i) {
      if (num_readers >= 2) met = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    Connect4::encode(zeros);
  }
};

}  // namespace

TEST_CASE("as many batches are evaluated at the same time as the evaluator allows") {
  CHECK(most_in_flight(1) == 1);
  CHECK(most_in_flight(2) == 2);
}

TEST_CASE("states are made arrays of outside the lock") {
  Gatherer gatherer(hashing_evaluator(7, false), dynamic(MeetingGame{}), {.batch_size = 2});
  gatherer.begin(2);
  std::thread other([&] { gatherer.add(dynamic(MeetingGame{})); });
  gatherer.add(dynamic(MeetingGame{}));
  other.join();
  CHECK(MeetingGame::met);
}

TEST_CASE("a search asks about no state twice, keeps its answers when it advances, and is the same search every time") {
  std::vector<std::vector<std::uint64_t>> visits;
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<std::vector<std::uint8_t>> asked;
    auto evaluator = hashing_evaluator(25, true);
    SearchConfig config = puct();
    config.batch_size = 1;  // an answer is there before the next leaf is
    Search<Hex> search(Hex(5), config, 3);
    search.evaluate_with([&](Leaves& leaves) {
      asked.push_back(leaves.arrays);
      return evaluator(leaves);
    });
    search.run({.simulations = 2'000}, kGoOn);
    const std::size_t before = asked.size();
    search.advance(search.result().main_line.at(0));
    search.run({.simulations = 2'000}, kGoOn);
    const std::set<std::vector<std::uint8_t>> distinct(asked.begin(), asked.end());
    CHECK(distinct.size() == asked.size());
    CHECK(search.result().cache_hits > 100);
    CHECK(search.result().evaluations == asked.size());
    CHECK(asked.size() > before);
    check_graph(search.graph());
    visits.push_back(visits_of(search.result()));
  }
  CHECK(visits[0] == visits[1]);
}

TEST_CASE("answers of the wrong size or kind are refused") {
  const auto answering = [](Evaluations answer, bool uses_priors = true) {
    Gatherer gatherer([=](Leaves&) { return answer; }, dynamic(TicTacToe{}),
                      {.batch_size = 1, .uses_priors = uses_priors});
    gatherer.begin(1);
    gatherer.add(dynamic(TicTacToe{}));
  };
  CHECK_NOTHROW(answering({{0.5f}, {}}));
  CHECK_THROWS_WITH(answering({{}, {}}), doctest::Contains("answered nothing"));
  CHECK_THROWS_WITH(answering({{0.5f, 0.5f}, {}}), doctest::Contains("gave 2 values; 1 were asked for"));
  CHECK_THROWS_WITH(answering({{0.5f}, {0.1f}}), doctest::Contains("gave 1 priors; 9 were asked for"));
  CHECK_THROWS_WITH(answering({{}, std::vector<float>(9)}, false), doctest::Contains("the config uses none"));
}

TEST_CASE("with batches of one leaf and one thread, every leaf is evaluated before the next walk") {
  SearchConfig config;
  config.batch_size = 1;
  std::vector<std::size_t> sizes;
  Search<Connect4> search(Connect4{}, config, 1);
  search.evaluate_with(hashing_evaluator(7, false, &sizes));
  search.run({.simulations = 500}, kGoOn);
  CHECK(std::set<std::size_t>(sizes.begin(), sizes.end()) == std::set<std::size_t>{1});
  CHECK(sizes.size() <= 501);
  CHECK(total_visits(search.result()) == 500);
  check_graph(search.graph());
}

TEST_CASE("one thread fills its batches and repeats itself") {
  for (const bool gives_priors : {false, true}) {
    std::vector<std::vector<std::uint64_t>> visits;
    for (int turn = 0; turn < 2; ++turn) {
      std::vector<std::size_t> sizes;
      SearchConfig config = gives_priors ? puct() : SearchConfig{};
      config.evaluator_weight = 0.7f;
      Search<Hex> search(Hex(7), config, 5);
      search.evaluate_with(hashing_evaluator(49, gives_priors, &sizes));
      search.run({.simulations = 5'000}, kGoOn);
      CHECK(total_visits(search.result()) == 5'000);
      check_graph(search.graph());
      visits.push_back(visits_of(search.result()));
      std::size_t full = 0;
      for (const std::size_t size : sizes) full += size == 32;
      CHECK(full * 10 >= sizes.size() * 8);
    }
    CHECK(visits[0] == visits[1]);
  }
}

TEST_CASE("the weight mixes value and playout") {
  for (const float weight : {0.0f, 0.25f, 1.0f}) {
    SearchConfig config;
    config.evaluator_weight = weight;
    Search<Connect4> search(Connect4{}, config, 1);
    search.evaluate_with([](Leaves& leaves) { return Evaluations{std::vector<float>(leaves.size(), 1), {}}; });
    search.run({.simulations = 2'000}, kGoOn);
    CHECK(search.result().value >= weight);
    CHECK(search.result().value <= (weight == 1.0f ? 1.0 : weight + (1 - weight) * 0.8));
  }
}

TEST_CASE("values alone make no playouts, priors alone make them") {
  SearchConfig config = puct();
  Search<Connect4> search(Connect4{}, config, 1);
  search.evaluate_with([](Leaves& leaves) { return Evaluations{{}, std::vector<float>(7 * leaves.size(), 0.25f)}; });
  search.run({.simulations = 2'000}, kGoOn);
  const SearchResult result = search.result();
  for (const RootEdge& edge : result.edges) CHECK(edge.prior == doctest::Approx(1.0 / 7));
  CHECK(result.value > 0.5);
  check_graph(search.graph());
}

TEST_CASE("an evaluator that throws ends the run on every thread and leaves nothing behind") {
  for (const int threads : {1, 2}) {
    for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock}) {
      SearchConfig config = puct(threads);
      config.parallel = parallel;
      Search<Hex> search(Hex(9), config, 1);
      std::atomic<int> calls{0};
      auto evaluator = hashing_evaluator(81, true);
      std::atomic<int> last{40};
      search.evaluate_with([&](Leaves& leaves) {
        if (++calls == last) throw std::runtime_error("no more");
        return evaluator(leaves);
      });
      CHECK_THROWS_WITH(search.run({.simulations = 1'000'000}, kGoOn), "no more");
      CHECK(calls == 40);
      check_graph(search.graph());
      const std::uint64_t before = total_visits(search.result());
      last = 0;
      search.run({.simulations = 1'000}, kGoOn);
      CHECK(total_visits(search.result()) == before + 1'000);
      check_graph(search.graph());
    }
  }
}

TEST_CASE("two threads search with an evaluator in every way") {
  const go::Board board(9, 9, {.ko = go::KoRule::Positional});
  const go::GoContext context(board, 7.5);
  for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock, Parallel::Roots})
    for (const GraphMode graph : {GraphMode::Tree, GraphMode::Dag})
      for (const std::size_t memory : {std::size_t{1} << 28, std::size_t{1} << 21}) {
        SearchConfig config = puct(2);
        config.parallel = parallel;
        config.graph = graph;
        config.memory_bytes = memory;
        config.solver = graph == GraphMode::Tree;
        config.amaf = AmafSchedule::HandSelected;
        config.evaluator_weight = 0.5f;
        Search<go::GoGame<9>> search(go::GoGame<9>(board, context), config, 1);
        search.evaluate_with(hashing_evaluator(82, true));
        for (int turn = 0; turn < 2; ++turn) {
          const std::uint64_t before = total_visits(search.result());
          search.run({.simulations = 3'000}, kGoOn);
          const SearchResult result = search.result();
          CHECK(total_visits(result) == before + 3'000);
          if (parallel != Parallel::Roots) check_graph(search.graph());
          search.advance(result.main_line.at(0));
        }
      }
}

TEST_CASE("a small game is proved with an evaluator, though leaves wait") {
  for (const int threads : {1, 2}) {
    SearchConfig config;
    config.solver = true;
    config.num_threads = threads;
    Search<TicTacToe> search(TicTacToe{}, config, 1);
    search.evaluate_with(hashing_evaluator(9, false));
    search.run({.simulations = 1'000'000}, kGoOn);
    CHECK(search.result().proof == 2);
    check_graph(search.graph());
  }
}

TEST_CASE("narrow nodes grow with an evaluator's priors") {
  SearchConfig config = puct();
  config.width = 5;
  config.width_walks = 50;
  Search<Hex> search(Hex(5), config, 1);
  search.evaluate_with(hashing_evaluator(25, true));
  search.run({.simulations = 5'000}, kGoOn);
  CHECK(search.result().edges.size() == 25);
  check_graph(search.graph());
}

TEST_CASE("arrays show both players' stones") {
  Connect4 connect4;
  connect4.play(3);
  connect4.play(3);
  std::vector<std::uint8_t> planes(84);
  connect4.encode(planes);
  CHECK(planes[3] == 1);           // the first player's disc at the foot of column 3
  CHECK(planes[42 + 7 + 3] == 1);  // the second's above it
  CHECK(std::count(planes.begin(), planes.end(), 1) == 2);
}
