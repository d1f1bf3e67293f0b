#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "genetics/counts.hpp"
#include "genetics/game.hpp"
#include "genetics/limit.hpp"
#include "genetics/queue.hpp"
#include "genetics/walk.hpp"
#include "search/search.hpp"

using namespace tesuji;
using namespace tesuji::genetics;

namespace {

constexpr std::size_t kSnps = 14, kPeople = 60, kGroups = 3;

// Individuals i with groups i % 3; genotypes lean towards the group's own for some SNPs.
std::vector<std::uint8_t> some_rows() {
  Rng rng(7);
  std::vector<std::uint8_t> rows(kSnps * bed_row_bytes(kPeople));
  for (std::size_t snp = 0; snp < kSnps; ++snp)
    for (std::size_t i = 0; i < kPeople; ++i) {
      const bool leans = snp % kGroups == i % kGroups && rng.below(3) != 0;
      const unsigned code = leans ? 3u : static_cast<unsigned>(rng.below(4));
      rows[snp * bed_row_bytes(kPeople) + i / 4] |= static_cast<std::uint8_t>(code << (2 * (i % 4)));
    }
  return rows;
}

std::shared_ptr<const Problem> some_problem(std::size_t size, Model included = {}) {
  std::vector<std::int32_t> labels(kPeople);
  for (std::size_t i = 0; i < kPeople; ++i) labels[i] = static_cast<std::int32_t>(i % kGroups);
  Draw draw;
  for (std::uint32_t i = 0; i < kPeople; ++i) (i % 5 < 3 ? draw.learning : draw.test).push_back(i);
  const auto rows = some_rows();
  auto classifier =
      std::make_shared<const Classifier>(rows, kSnps, labels, kGroups, std::span(&draw, 1), ClassifierOptions{});
  const std::vector<Snp> first{0, 2}, second{1, 3};
  return std::make_shared<const Problem>(classifier, size, std::move(included), Conflicts(kSnps, first, second),
                                         std::vector<float>(kSnps, 0.5f));
}

double optimum(const PanelGame& game) {
  if (game.is_over()) return game.value();
  MoveList moves;
  game.legal_moves(moves);
  double best = -1;
  for (const Move move : moves) {
    PanelGame after = game;
    after.play(move);
    best = std::max(best, optimum(after));
  }
  return best;
}

}  // namespace

TEST_CASE("panels: sums kept along a path are the sums of the whole model") {
  const auto problem = some_problem(4);
  const Classifier& classifier = problem->classifier();
  const Model model{9, 0, 5, 12};
  Sums sums = classifier.begin();
  for (std::size_t i = 0; i < model.size(); ++i) {
    const Model so_far(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(classifier.value(sums, std::span(&model[i], 1)) ==
          classifier.value(Model(model.begin(), model.begin() + static_cast<std::ptrdiff_t>(i) + 1)));
    classifier.add(sums, model[i], sums);
  }
  CHECK(classifier.value(sums, {}) == classifier.value(model));
}

TEST_CASE("panels: moves keep order and conflicts, and a set has one hash") {
  const auto problem = some_problem(3);
  PanelGame ordered(problem, {Order::Increasing, 1});
  ordered.play(0);
  CHECK_FALSE(ordered.is_legal(0));
  CHECK_FALSE(ordered.is_legal(1));  // conflicts with 0
  CHECK(ordered.is_legal(2));
  CHECK_FALSE(ordered.is_legal(kSnps - 1));  // nothing would be left for the third place
  PanelGame one(problem, {Order::Any, 1}), other(problem, {Order::Any, 1});
  for (const Move move : {4, 9}) one.play(move);
  for (const Move move : {9, 4}) other.play(move);
  CHECK(one.hash() == other.hash());
  CHECK(one.is_legal(0));
}

TEST_CASE("panels: playouts end, keep the rules, and report what they did") {
  const auto problem = some_problem(5, {2});
  for (const Order order : {Order::Increasing, Order::Any})
    for (const int look : {1, 4}) {
      Rng rng(3);
      for (int i = 0; i < 200; ++i) {
        PanelGame game(problem, {order, look});
        MoveLog log;
        const double value = game.play_out(rng, &log);
        PanelGame again(problem, {order, look});
        for (const Move move : log.moves) {
          REQUIRE(again.is_legal(move));
          again.play(move);
        }
        CHECK(again.is_over());
        CHECK(again.value() == value);
      }
    }
}

TEST_CASE("panels: tree search with threads and queued search find the best of all panels") {
  for (const Order order : {Order::Increasing, Order::Any}) {
    const auto problem = some_problem(3);
    const PanelGame root(problem, {order, 1});
    SearchConfig config;
    config.solver = true;
    config.num_threads = 3;
    config.prior_use = PriorUse::VirtualVisits;
    config.graph = order == Order::Any ? GraphMode::Dag : GraphMode::Tree;
    Search<PanelGame> search(root, config, 1);
    search.run({200'000, 0, 0, 1}, [] { return true; });
    REQUIRE(search.found().best.has_value());
    CHECK(search.found().best->value == optimum(root));
    CHECK(problem->best().all().front().value == optimum(root));
  }
  const auto problem = some_problem(3);
  QueueSearch queue(problem, {}, 1000);
  queue.run(100'000, 0, 1, 3, [] { return true; });
  CHECK(queue.is_exhausted());
  CHECK(problem->best().all().front().value == optimum(PanelGame(some_problem(3), {Order::Increasing, 1})));
}

TEST_CASE("limits: those below, at and above are who they are when everybody is sorted") {
  Rng rng(5);
  LimitScratch scratch;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t people = 1 + rng.below(200), draw = rng.below(3), rank = rng.below(people);
    const std::uint64_t range = std::uint64_t{1} << rng.below(20);  // few values: many equals
    std::vector<std::int32_t> keys((people + 7) / 8 * 8, kNobody);
    for (std::size_t i = 0; i < people; ++i) keys[i] = static_cast<std::int32_t>(rng.below(range));
    std::vector<std::int32_t> sorted(keys);
    std::sort(sorted.begin(), sorted.end());
    const std::int32_t key = sorted[rank] & ~1;
    Limit expected{key, 0, static_cast<std::int32_t>(rank), 0, 0};
    for (std::size_t i = 0; i < people; ++i) {
      expected.num_at += keys[i] / 2 == key / 2;
      expected.num_out -= keys[i] < key;
      expected.right_at += keys[i] == key + 1;
      expected.right_above += keys[i] > key + 1 && keys[i] % 2 == 1;
    }
    for (const bool with_vectors : {false, has_vectors()}) {
      const Limit found = find_limit(keys.data(), keys.size(), rank, draw, with_vectors, scratch);
      CHECK(found.key == expected.key);
      CHECK(found.num_at == expected.num_at);
      CHECK(found.num_out == expected.num_out);
      CHECK(found.right_at == expected.right_at);
      CHECK(found.right_above == expected.right_above);
    }
  }
}

TEST_CASE("panels: a narrowed problem has panels of its pool beside what is included") {
  const auto problem = some_problem(4);
  const auto narrow = problem->narrowed({5}, {11, 0, 1, 7, 3}, {0.9f, 0.7f, 0.5f, 0.3f, 0.1f});
  double best = -1;
  for (const Model& three : {Model{11, 0, 7}, Model{11, 0, 3}, Model{11, 1, 7}, Model{11, 1, 3}, Model{11, 7, 3},
                             Model{0, 7, 3}, Model{1, 7, 3}}) {  // 0 and 1 exclude each other
    Model panel = three;
    panel.push_back(5);
    best = std::max(best, problem->classifier().value(panel));
  }
  for (const Order order : {Order::Any, Order::Increasing}) {
    CHECK(optimum(PanelGame(narrow, {order, 1})) == best);
    Rng rng(3);
    PanelGame game(narrow, {order, 2});
    game.play_out<MoveLog>(rng, nullptr);
    for (const Snp snp : game.model()) CHECK((snp == 5 || snp == 11 || snp == 0 || snp == 1 || snp == 7 || snp == 3));
  }
  QueueSearch queue(narrow, {}, 1000);
  queue.run(100'000, 0, 1, 1, [] { return true; });
  CHECK(narrow->best().all().front().value == best);
}
