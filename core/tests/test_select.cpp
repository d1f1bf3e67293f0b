// Every selection formula against numbers worked out by hand. A node is set up with statistics; an edge that was never
// tried is worth exactly the first-play urgency, so the urgency at which it is preferred measures the other edge's
// score.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include "base/rng.hpp"
#include "search/select.hpp"
#include "tests/selecting.hpp"

using namespace tesuji;
using tesuji::testing::mean_of;
using tesuji::testing::selector_of;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Row {
  std::uint32_t visits = 0;
  double value = 0;  // the sum for the first player
  std::uint32_t amaf_visits = 0;
  double amaf_value = 0;
  float prior = 0;
  double squares = 0;
  std::uint32_t child_visits = 0;  // in a DAG; 0: the same as the edge's
  double child_value = 0;
};

void set_amaf(const Edges& edges, std::uint32_t edge, std::uint32_t visits, double value) {
  const auto sum = static_cast<std::uint64_t>(value / static_cast<double>(amaf::kScale));
  edges.amaf()[edge] = sum << 32 | visits;
}

// One node with the given edges; move i is edge i.
class Desk {
 public:
  Desk(const SearchConfig& settings, int mover, const std::vector<Row>& rows)
      : config(settings), graph(1 << 16, columns_for(settings), settings.graph) {
    MoveList moves;
    std::vector<float> priors;
    for (const Row& row : rows) {
      moves.push_back(static_cast<Move>(moves.size()));
      priors.push_back(row.prior);
    }
    id = graph.make_node(mover);
    graph.set_root(id);
    REQUIRE(graph.make_edges(node(), moves, priors, Width::Full, false));
    const Columns columns = columns_for(config);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      edges().visits()[i] = row.visits;
      edges().value()[i] = to_fixed(row.value);
      node().walks += row.visits;
      node().visits += row.visits;
      node().value += to_fixed(row.value);
      if (columns.amaf) set_amaf(edges(), i, row.amaf_visits, row.amaf_value);
      if (columns.squares) edges().squares()[i] = to_fixed(row.squares);
      if (config.graph == GraphMode::Dag && row.visits > 0) {
        const NodeId child = graph.make_node(1 - mover);
        edges().child()[i] = child;
        graph.node(child).visits = row.child_visits > 0 ? row.child_visits : row.visits;
        graph.node(child).value = to_fixed(row.child_visits > 0 ? row.child_value : row.value);
      }
    }
  }

  Node& node() { return graph.node(id); }
  Edges edges() { return graph.edges(node()); }
  std::uint32_t choose(const std::vector<std::uint32_t>& excluded = {}, std::uint64_t seed = 1) {
    Rng rng(seed);
    EdgeScores scratch;
    return selector_of(config, graph).choose(node(), nullptr, mean_of(node()), excluded, rng, scratch);
  }

  SearchConfig config;
  Graph graph;
  NodeId id;
};

// The score of the first edge: the urgency at which the second, never tried and without any knowledge, is preferred.
double score(SearchConfig config, int mover, const Row& row) {
  double low = -10, high = 10;
  for (int step = 0; step < 50; ++step) {
    const double urgency = (low + high) / 2;
    config.first_play_urgency = static_cast<float>(urgency);
    (Desk(config, mover, {row, Row{}}).choose() == 0 ? low : high) = urgency;
  }
  return (low + high) / 2;
}

// The score of the first edge where a prior takes the urgency's place: the prior at which the second is preferred.
double score_in_priors(const SearchConfig& config, int mover, const Row& row) {
  double low = 0, high = 1;
  for (int step = 0; step < 50; ++step) {
    const double prior = (low + high) / 2;
    (Desk(config, mover, {row, Row{.prior = static_cast<float>(prior)}}).choose() == 0 ? low : high) = prior;
  }
  return (low + high) / 2;
}

doctest::Approx about(double value) { return doctest::Approx(value).epsilon(2e-6); }

SearchConfig greedy() { return {.exploration = 0}; }

}  // namespace

TEST_CASE("UCB1: mean + c sqrt(ln N / n)") {
  // 7 visits, 4.2 won: 0.6 + 0.7 sqrt(ln 7 / 7) = 0.6 + 0.7 * 0.5272461
  CHECK(score({.exploration = 0.7f}, 0, {.visits = 7, .value = 4.2}) == about(0.9690723));
  // For the second player the mean is 0.4.
  CHECK(score({.exploration = 0.7f}, 1, {.visits = 7, .value = 4.2}) == about(0.7690723));
  CHECK(score(greedy(), 0, {.visits = 4, .value = 1}) == about(0.25));
  CHECK(score(greedy(), 1, {.visits = 4, .value = 1}) == about(0.75));
  CHECK(score({.exploration = 5}, 0, {.visits = 1, .value = 1}) == about(1));  // ln 1 = 0
}

TEST_CASE("UCB1: N is the sum over all edges, so little tried edges gain as the others are tried") {
  // N = 10: 0.6 + c 0.573533, 0.5 + c 1.072983, 0.0 + c 1.517427
  const std::vector<Row> rows = {{.visits = 7, .value = 4.2}, {.visits = 2, .value = 1.0}, {.visits = 1, .value = 0}};
  // First and second are equal at c = 0.1 / 0.49945 = 0.20022, second and third at 0.5 / 0.444444 = 1.12500.
  const auto chosen = [&](float c) { return Desk({.exploration = c}, 0, rows).choose(); };
  CHECK(chosen(0.200f) == 0);
  CHECK(chosen(0.2005f) == 1);
  CHECK(chosen(1.1248f) == 1);
  CHECK(chosen(1.1252f) == 2);
}

TEST_CASE("an edge that was never tried comes first, in the order of the edges") {
  CHECK(Desk({}, 0, {{.visits = 1, .value = 1}, {}, {}}).choose() == 1);
  CHECK(Desk({}, 1, {{}, {}, {}}).choose() == 0);
}

TEST_CASE("equal scores are taken in the order of the edges, however many there are") {
  for (std::uint32_t size = 1; size <= 20; ++size)
    for (std::uint32_t best = 0; best < size; ++best) {
      std::vector<Row> rows(size, Row{.visits = 10, .value = 4});
      for (std::uint32_t i = best; i < size; i += 2) rows[i].value = 7;  // several share the best mean
      CHECK(Desk(greedy(), 0, rows).choose() == best);
    }
}

TEST_CASE("UCB1-Tuned: mean + c sqrt(ln N / n min(1/4, variance + sqrt(2 ln N / n)))") {
  const SearchConfig tuned{.selection = Selection::Ucb1Tuned, .exploration = 1};
  // n = N = 10: ln 10 / 10 = 0.2302585; a coin of mean 0.6 has variance 0.24; the bound is over 1/4:
  // 0.6 + sqrt(0.2302585 / 4) = 0.8399263
  CHECK(score(tuned, 0, {.visits = 10, .value = 6, .squares = 6}) == about(0.8399263));
  // n = N = 1000, always 0.5: variance 0, ln N / n = 0.006907755, its double's root 0.1175394, which is under 1/4:
  // 0.5 + sqrt(0.006907755 * 0.1175394) = 0.5 + 0.02849468
  CHECK(score(tuned, 0, {.visits = 1000, .value = 500, .squares = 250}) == about(0.5284947));
  CHECK(score(tuned, 1, {.visits = 1000, .value = 500, .squares = 250}) == about(0.5284947));
}

TEST_CASE("epsilon-greedy: the best mean, and a random edge with probability epsilon") {
  const std::vector<Row> rows = {{.visits = 5, .value = 1}, {.visits = 5, .value = 4}, {.visits = 5, .value = 2}};
  Desk never({.selection = Selection::EpsilonGreedy, .epsilon = 0}, 0, rows);
  Desk often({.selection = Selection::EpsilonGreedy, .epsilon = 0.6f}, 0, rows);
  int count[3] = {0, 0, 0};
  for (std::uint64_t seed = 0; seed < 30'000; ++seed) {
    CHECK(never.choose({}, seed) == 1);
    ++count[often.choose({}, seed)];
  }
  CHECK(std::abs(count[0] - 6'000) < 300);
  CHECK(std::abs(count[2] - 6'000) < 300);
  CHECK(Desk({.selection = Selection::EpsilonGreedy, .epsilon = 0}, 1, rows).choose() == 0);
}

TEST_CASE("PUCT: mean + c P sqrt(N) / (1 + n); an edge never tried is as good as its node") {
  const SearchConfig puct{.selection = Selection::Puct, .exploration = 1.5f};
  // N = n = 16, P = 0.3: 0.25 + 1.5 * 0.3 * 4 / 17 = 0.25 + 0.1058824
  CHECK(score(puct, 0, {.visits = 16, .value = 4, .prior = 0.3f}) == about(0.3558824));
  CHECK(score(puct, 1, {.visits = 16, .value = 4, .prior = 0.3f}) == about(0.8558824));
  // Without an urgency: N = 16, the node's mean is 0.25. The untried edge's score is 0.25 + 1.5 P 4, the tried one's
  // 0.3558824: they meet at P = 0.01764706.
  const auto chosen = [&](float prior) {
    return Desk(puct, 0, {{.visits = 16, .value = 4, .prior = 0.3f}, {.prior = prior}}).choose();
  };
  CHECK(chosen(0.01764f) == 0);
  CHECK(chosen(0.01766f) == 1);
}

TEST_CASE("RAVE: beta V_rave + (1 - beta) V_uct with beta = sqrt(k / (3n + k))") {
  SearchConfig rave = greedy();
  rave.amaf = AmafSchedule::HandSelected;
  rave.rave_k = 100;
  // n = 40: beta = sqrt(100 / 220) = 0.6741999; 0.6742 * 0.75 + 0.3258 * 0.25 = 0.5870999
  const Row row{.visits = 40, .value = 10, .amaf_visits = 80, .amaf_value = 60};
  CHECK(score(rave, 0, row) == about(0.5870999));
  CHECK(score(rave, 1, row) == about(1 - 0.5870999));
  // Never tried: RAVE alone. Never seen: the mean alone.
  CHECK(score(rave, 0, {.amaf_visits = 80, .amaf_value = 60}) == about(0.75));
  CHECK(score(rave, 1, {.amaf_visits = 80, .amaf_value = 60}) == about(0.25));
  CHECK(score(rave, 0, {.visits = 40, .value = 10}) == about(0.25));
}

TEST_CASE("RAVE with its own exploration: V_rave + c sqrt(ln M / m)") {
  SearchConfig rave = greedy();
  rave.amaf = AmafSchedule::HandSelected;
  rave.rave_k = 100;
  rave.rave_exploration = 0.31f;
  // M = m = 80: 0.75 + 0.31 sqrt(ln 80 / 80) = 0.75 + 0.31 * 0.2340404 = 0.8225525; with n = 40:
  // 0.6741999 * 0.8225525 + 0.3258001 * 0.25 = 0.6360149
  CHECK(score(rave, 0, {.amaf_visits = 80, .amaf_value = 60}) == about(0.8225525));
  CHECK(score(rave, 0, {.visits = 40, .value = 10, .amaf_visits = 80, .amaf_value = 60}) == about(0.6360149));
}

TEST_CASE("minimum MSE: beta = m / (m + n + m n b)") {
  SearchConfig rave = greedy();
  rave.amaf = AmafSchedule::MinimumMse;
  rave.rave_bias = 1 / 400.f;
  // m = 80, n = 40: 80 / (80 + 40 + 8) = 0.625; 0.625 * 0.75 + 0.375 * 0.25 = 0.5625
  CHECK(score(rave, 0, {.visits = 40, .value = 10, .amaf_visits = 80, .amaf_value = 60}) == about(0.5625));
  CHECK(score(rave, 1, {.visits = 40, .value = 10, .amaf_visits = 80, .amaf_value = 60}) == about(0.4375));
  CHECK(score(rave, 0, {.amaf_visits = 80, .amaf_value = 60}) == about(0.75));
}

TEST_CASE("AMAF is still a mean when its counts are as large as they get") {
  SearchConfig rave = greedy();
  rave.amaf = AmafSchedule::HandSelected;
  const auto most = static_cast<std::uint32_t>(amaf::kSaturated);
  CHECK(score(rave, 0, {.amaf_visits = most, .amaf_value = static_cast<double>(most)}) == about(1));
  CHECK(score(rave, 1, {.amaf_visits = most, .amaf_value = static_cast<double>(most)}) ==
        doctest::Approx(0).epsilon(1e-5));
}

TEST_CASE("an edge with billions of visits is still a tried one with its mean") {
  for (const std::uint32_t visits : {2'000'000'000u, 3'000'000'000u, 4'200'000'000u}) {
    CHECK(score(greedy(), 0, {.visits = visits, .value = 0.25 * visits}) == about(0.25));
    CHECK(score(greedy(), 1, {.visits = visits, .value = 0.25 * visits}) == about(0.75));
  }
}

TEST_CASE("virtual visits: the prior counts as so many visits with that mean") {
  SearchConfig prior = greedy();
  prior.prior_use = PriorUse::VirtualVisits;
  prior.prior_weight = 10;
  // (30 * 0.6 + 10 * 0.2) / 40 = 0.5; an untried edge is worth its prior.
  CHECK(score_in_priors(prior, 0, {.visits = 30, .value = 18, .prior = 0.2f}) == about(0.5));
  CHECK(score_in_priors(prior, 1, {.visits = 30, .value = 12, .prior = 0.2f}) == about(0.5));
  // With exploration they count in n too: 0.5 + c sqrt(ln 30 / 40) against p + c sqrt(ln 30 / 10): with c = 0.2 they
  // meet at p = 0.5 + 0.2 (0.2915997 - 0.5831994) = 0.4416801.
  prior.exploration = 0.2f;
  CHECK(score_in_priors(prior, 0, {.visits = 30, .value = 18, .prior = 0.2f}) == about(0.4416801));
}

TEST_CASE("virtual visits and RAVE: the schedule counts them too") {
  SearchConfig prior = greedy();
  prior.prior_use = PriorUse::VirtualVisits;
  prior.prior_weight = 10;
  prior.amaf = AmafSchedule::HandSelected;
  prior.rave_k = 120;
  // Q = (30 * 0.6 + 10 * 0.2) / 40 = 0.5, beta = sqrt(120 / (3 * 40 + 120)) = 0.7071068, V_rave = 0.9:
  // 0.7071068 * 0.9 + 0.2928932 * 0.5 = 0.7828427
  const Row row = {.visits = 30, .value = 18, .amaf_visits = 50, .amaf_value = 45, .prior = 0.2f};
  CHECK(score_in_priors(prior, 0, row) == about(0.7828427));
}

TEST_CASE("progressive bias: weight * prior, divided by n + 1 if it fades") {
  SearchConfig prior = greedy();
  prior.prior_use = PriorUse::ProgressiveBias;
  prior.prior_weight = 0.5f;
  // 0.6 + 0.5 * 0.8 / 10 = 0.64; without fading 0.6 + 0.4 = 1.0
  CHECK(score(prior, 0, {.visits = 9, .value = 5.4, .prior = 0.8f}) == about(0.64));
  CHECK(score(prior, 1, {.visits = 9, .value = 3.6, .prior = 0.8f}) == about(0.64));
  prior.prior_fades = false;
  CHECK(score(prior, 0, {.visits = 9, .value = 5.4, .prior = 0.8f}) == about(1.0));
}

TEST_CASE("horizon: a V_prior + (1 - a) (b V_rave + (1 - b) V_uct), a = max(0, (h - n) / h)") {
  SearchConfig prior = greedy();
  prior.prior_use = PriorUse::Horizon;
  prior.prior_horizon = 40;
  // n = 10: a = 0.75; 0.75 * 0.8 + 0.25 * 0.4 = 0.7
  CHECK(score_in_priors(prior, 0, {.visits = 10, .value = 4, .prior = 0.8f}) == about(0.7));
  CHECK(score_in_priors(prior, 0, {.visits = 50, .value = 20, .prior = 0.8f}) == about(0.4));  // beyond the horizon
  prior.amaf = AmafSchedule::HandSelected;
  prior.rave_k = 30;
  // b = sqrt(30 / 60) = 0.7071068; b 0.6 + (1 - b) 0.4 = 0.5414214; 0.75 * 0.8 + 0.25 * 0.5414214 = 0.7353553
  const Row row{.visits = 10, .value = 4, .amaf_visits = 20, .amaf_value = 12, .prior = 0.8f};
  CHECK(score_in_priors(prior, 0, row) == about(0.7353553));
}

TEST_CASE("DAG: the mean is the child's, shared by its parents; the visits are the edge's") {
  SearchConfig dag{.exploration = 0.7f, .graph = GraphMode::Dag};
  // The child was visited 20 times with mean 0.3, 7 of them through this edge: 0.3 + 0.7 sqrt(ln 7 / 7)
  const Row row{.visits = 7, .value = 5, .child_visits = 20, .child_value = 6};
  CHECK(score(dag, 0, row) == doctest::Approx(0.6690723).epsilon(5e-6));
  CHECK(score(dag, 1, row) == doctest::Approx(1.0690723).epsilon(5e-6));
}

TEST_CASE("DAG: an edge whose child is gone, or was made anew and knows less, has its own mean") {
  SearchConfig dag{.exploration = 0, .graph = GraphMode::Dag};
  const std::vector<Row> rows = {{.visits = 100, .value = 60}, {.visits = 100, .value = 50}};
  for (const int mover : {0, 1}) {
    const std::uint32_t better = mover == 0 ? 0 : 1;
    Desk gone(dag, mover, rows);
    gone.edges().child()[0] = kNoNode;
    gone.edges().child()[1] = kNoNode;
    CHECK(gone.choose() == better);
    for (const std::int64_t result : {std::int64_t{0}, kOne}) {
      Desk anew(dag, mover, rows);
      for (std::uint32_t edge = 0; edge < 2; ++edge) {
        Node& child = anew.graph.node(anew.edges().child()[edge]);
        child.visits = 1;
        child.value = edge == 0 ? result : kOne - result;
      }
      CHECK(anew.choose() == better);
    }
  }
}

TEST_CASE(
    "excluded, proved and locked edges are passed over; if nothing else is left one that is not excluded is taken") {
  const std::vector<Row> rows = {{.visits = 5, .value = 4}, {.visits = 5, .value = 3}, {.visits = 5, .value = 2}};
  Desk plain(greedy(), 0, rows);
  CHECK(plain.choose({0}) == 1);
  CHECK(plain.choose({0, 1}) == 2);
  CHECK(plain.choose({0, 1, 2}) == kNoEdge);
  SearchConfig solver = greedy();
  solver.solver = true;
  Desk proved(solver, 0, rows);
  for (const Proof proof : {Proof::Loss, Proof::Draw}) {
    proved.edges().word()[0] = static_cast<std::uint32_t>(proof) << Edges::kProofShift;
    CHECK(proved.choose() == 1);
  }
  for (std::uint32_t edge = 0; edge < 3; ++edge)
    proved.edges().word()[edge] = edge | static_cast<std::uint32_t>(Proof::Loss) << Edges::kProofShift;
  CHECK(proved.choose() != kNoEdge);
  SearchConfig widening = greedy();
  widening.widening = true;
  Desk locked(widening, 0, rows);
  locked.edges().word()[2].fetch_or(Edges::kUnlocked);
  CHECK(locked.choose() == 2);
}

namespace {

std::uint32_t num_unlocked(const SearchConfig& config, std::uint32_t num_walks, std::size_t num_edges) {
  Desk desk(config, 0, std::vector<Row>(num_edges));
  desk.node().walks = num_walks;
  selector_of(desk.config, desk.graph).widen(desk.node());
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < num_edges; ++i) count += desk.edges().is_unlocked(i);
  return count;
}

}  // namespace

TEST_CASE("widening: k(N) = max(Nmin, Ks ln(Kf N) + Nmin), Aya's numbers") {
  SearchConfig aya;  // Ks = 1 / ln 1.4, Kf = 1/40, Nmin = 2: one more move at 40 * 1.4^i visits: 56, 78.4, 109.8, 153.7
  aya.widening = true;
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {
      {0, 2}, {1, 2}, {40, 2}, {55, 2}, {57, 3}, {78, 3}, {79, 4}, {109, 4}, {110, 5}, {153, 5}, {154, 6}, {1000, 11}};
  for (const auto& [num_walks, open] : expected) CHECK(num_unlocked(aya, num_walks, 50) == open);
  CHECK(num_unlocked(aya, 1000, 7) == 7);  // there are no more
  SearchConfig goknot = aya;
  goknot.widening_minimum = 4;
  CHECK(num_unlocked(goknot, 10, 50) == 4);
  CHECK(num_unlocked(goknot, 1000, 50) == 13);
  SearchConfig other = aya;
  other.widening_rate = 0.7f;
  other.widening_scale = 2;
  // 2 ln(0.7 * 20) + 2 = 7.278, 2 ln(0.7 * 28) + 2 = 7.951, 2 ln(0.7 * 29) + 2 = 8.021
  CHECK(num_unlocked(other, 20, 50) == 7);
  CHECK(num_unlocked(other, 28, 50) == 7);
  CHECK(num_unlocked(other, 29, 50) == 8);
}

TEST_CASE("widening opens the moves of the best prior first, and AMAF reorders those still closed") {
  SearchConfig config = greedy();
  config.widening = true;
  config.widening_minimum = 1;
  config.prior_use = PriorUse::VirtualVisits;
  config.amaf = AmafSchedule::HandSelected;
  // Orders: prior + mean * m / (m + 10): 0.5, 0.6, 0.1 + 0.9 * 40 / 50 = 0.82, 0.55
  const std::vector<Row> rows = {
      {.prior = 0.5f}, {.prior = 0.6f}, {.amaf_visits = 40, .amaf_value = 36, .prior = 0.1f}, {.prior = 0.55f}};
  Desk desk(config, 0, rows);
  const Selector selector = selector_of(desk.config, desk.graph);
  selector.widen(desk.node());
  CHECK(desk.edges().is_unlocked(2));
  CHECK(!desk.edges().is_unlocked(1));
  desk.node().walks = 60;            // k = 1 + floor(2.972 * 0.405) = 2
  set_amaf(desk.edges(), 0, 10, 9);  // 0.5 + 0.9 * 10 / 20 = 0.95: now ahead of edge 1
  selector.widen(desk.node());
  CHECK(desk.edges().is_unlocked(0));
  CHECK(!desk.edges().is_unlocked(1));
  CHECK(!desk.edges().is_unlocked(3));
  // For the second player AMAF counts the other way round: edge 2 stands at 0.1 + 0.1 * 0.8 = 0.18.
  Desk second(config, 1, rows);
  selector_of(second.config, second.graph).widen(second.node());
  CHECK(second.edges().is_unlocked(1));
}

TEST_CASE("widening: two threads that open the last edges at once open each of them and nothing else") {
  SearchConfig config = greedy();
  config.widening = true;
  config.widening_scale = 1000;  // everything may open at once
  config.widening_rate = 1;
  for (int round = 0; round < 400; ++round) {
    Desk desk(config, 0, std::vector<Row>(200, Row{.visits = 1}));
    const Selector selector = selector_of(desk.config, desk.graph);
    std::atomic<int> num_ready{0};
    const auto widen = [&] {
      ++num_ready;
      while (num_ready < 2) {
      }
      selector.widen(desk.node());
    };
    std::thread other(widen);
    widen();
    other.join();
    for (std::uint32_t i = 0; i < 200; ++i) REQUIRE(desk.edges().is_unlocked(i));
  }
}

TEST_CASE("BAST: an edge's bound is its own or the best one below, whichever is tighter") {
  const SearchConfig bast{.selection = Selection::Bast, .exploration = 0.5f, .smoothness = 0.1f};
  Desk desk(bast, 0, {{.visits = 4, .value = 2}, {.visits = 4, .value = 2}});
  const Selector selector = selector_of(desk.config, desk.graph);
  // 0.5 +- (0.1 + 0.5 sqrt((2 ln 4 + 1) / 4)) = 0.5 +- 0.5855787
  selector.update_bounds(desk.node(), 0, 0);
  CHECK(desk.edges().upper()[0].load() == about(1.0855787));
  CHECK(desk.edges().lower()[0].load() == doctest::Approx(-0.0855787).epsilon(1e-5));
  // Two levels down the smoothness is a quarter: 0.5 +- (0.025 + 0.4855787)
  selector.update_bounds(desk.node(), 0, 2);
  CHECK(desk.edges().upper()[0].load() == about(1.0105787));

  // A child in which the second player moves, its bounds 0.7 .. 0.9 and 0.2 .. 0.6 (the second player's view): the best
  // upper is 0.9, the best lower 0.7; for the first player that is a value in 0.1 .. 0.3.
  const NodeId child = desk.graph.make_node(1);
  desk.edges().child()[0] = child;
  REQUIRE(desk.graph.make_edges(desk.graph.node(child), MoveList{0, 1}, {}, Width::Full, false));
  const Edges below = desk.graph.edges(desk.graph.node(child));
  below.upper()[0] = 0.9f, below.lower()[0] = 0.7f, below.visits()[0] = 2;
  below.upper()[1] = 0.6f, below.lower()[1] = 0.2f;
  selector.update_bounds(desk.node(), 0, 0);
  CHECK(desk.edges().upper()[0].load() == about(1.0855787));  // one of them was never tried: nothing is known
  below.visits()[1] = 2;
  selector.update_bounds(desk.node(), 0, 0);
  CHECK(desk.edges().upper()[0].load() == about(0.3));
  CHECK(desk.edges().lower()[0].load() == about(0.1));
  // If the same player moves again, the bounds need not be turned round.
  desk.graph.node(child).mover = 0;
  selector.update_bounds(desk.node(), 0, 0);
  CHECK(desk.edges().upper()[0].load() == about(0.9));
  CHECK(desk.edges().lower()[0].load() == about(0.7));
  // The edge of the highest upper bound is walked.
  desk.edges().upper()[0] = 0.4f;
  desk.edges().upper()[1] = 0.5f;
  CHECK(desk.choose() == 1);
  desk.edges().upper()[0] = 0.6f;
  CHECK(desk.choose() == 0);
}
