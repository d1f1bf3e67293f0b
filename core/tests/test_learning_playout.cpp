// Playouts that learn: the tables, what they play, step by step against in one piece, balance, saving, threads.
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "games/playout_runner.hpp"
#include "games/recorded_playouts.hpp"
#include "go/fates.hpp"
#include "go/learning_playout.hpp"
#include "search/stop_at_known.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

using Game9 = GoGame<9, kTactical>;
constexpr auto kNodes = LearningThresholds::kNodes;
constexpr auto kEdges = LearningThresholds::kEdges;

LearningOptions small() {
  LearningOptions options;
  options.memory = std::size_t{2} << 20;
  return options;
}

go::PlayoutPolicy learning_policy() {
  go::PlayoutPolicy policy;
  policy.method = Method::Skipping;
  policy.rules = {{Origin::AtariTactics, 1}, {Origin::Edge, 1}, {Origin::Node, 1}};
  policy.self_atari = SelfAtari::Nakade;
  policy.mends_eyes = true;
  return policy;
}

struct Setting {
  explicit Setting(const Board& given) : board(given), context(given, 7) {
    context.knowledge.policy = policy;
    context.memory = std::make_shared<PlayoutMemory>(static_cast<std::size_t>(given.num_points()));
  }
  go::PlayoutPolicy policy = learning_policy();
  Board board;
  GoContext context;
};

Board board_after(std::initializer_list<int> moves) {
  Board board(9, 9, {.ko = KoRule::Simple});
  for (const int move : moves) board.play(move, board.to_play());
  return board;
}

}  // namespace

TEST_CASE("bits of context follow from the memory, and too little is refused with the least that works") {
  LearningOptions options;
  options.memory = LearningTables::least_memory(81, 8);
  const LearningTables least(9, 9, options);
  CHECK(least.edge_bits() == 1);
  CHECK(least.bytes() <= options.memory);
  options.memory *= 8;
  CHECK(LearningTables(9, 9, options).edge_bits() == 4);
  CHECK(LearningTables(9, 9, options).node_bits() > 4);
  CHECK(LearningTables(9, 9, options).bytes() <= options.memory);
  options.memory = LearningTables::least_memory(81, 8) - 1;
  CHECK_THROWS_WITH_AS(LearningTables(9, 9, options),
                       doctest::Contains(std::to_string(LearningTables::least_memory(81, 8)).c_str()),
                       std::invalid_argument);
  options = {};
  options.context_size = 16;
  CHECK_THROWS_AS(LearningTables(9, 9, options), std::invalid_argument);
}

TEST_CASE("a node state is that of its colour, its move and its context") {
  LearningTables tables(9, 9, small());
  for (int i = 0; i < 5; ++i) tables.learn_node(0, 40, 0x1234, true);
  CHECK(tables.states().proportion(tables.node(0, 40, 0x1234)) == learning::Proportion{5, 5});
  CHECK(tables.node(1, 40, 0x1234) == 0);
  CHECK(tables.node(0, 41, 0x1234) == 0);
  CHECK(tables.node(0, 40, 0x1235) == 0);
  tables.learn_node(0, 40, 0x1234, false);
  CHECK(tables.states().proportion(tables.node(0, 40, 0x1234)) == learning::Proportion{5, 6});
  tables.clear();
  CHECK(tables.node(0, 40, 0x1234) == 0);
}

TEST_CASE("the best answers are kept, the lowest goes, and those that were illegal too often") {
  LearningOptions options = small();
  options.num_best = 2;
  LearningTables tables(9, 9, options);
  const auto moves = [&] {
    std::vector<int> found;
    for (std::size_t place = tables.answers_to(1, 40, 7); found.size() < 2; ++place)
      found.push_back(tables.answer(place).move);
    return found;
  };
  tables.learn_edge(1, 40, 7, 41, 3, true);
  tables.learn_edge(1, 40, 7, 42, 3, true);
  tables.learn_edge(1, 40, 7, 42, 3, true);
  CHECK(moves() == std::vector<int>{41, 42});
  tables.learn_edge(1, 40, 7, 43, 3, true);  // as good as the lowest, not better
  CHECK(moves() == std::vector<int>{41, 42});
  tables.learn_edge(1, 40, 7, 43, 3, true);
  CHECK(moves() == std::vector<int>{43, 42});
  tables.learn_edge(1, 40, 7, 44, 3, false);  // nothing enters by a loss
  CHECK(moves() == std::vector<int>{43, 42});
  LearningTables::Answer often = tables.answer(tables.answers_to(1, 40, 7) + 1);
  often.illegal = static_cast<std::uint8_t>(options.illegal_limit);
  tables.set_answer(tables.answers_to(1, 40, 7) + 1, often);
  tables.learn_edge(1, 40, 7, 45, 3, true);
  CHECK(moves() == std::vector<int>{43, 45});
  CHECK(tables.answer(tables.answers_to(0, 40, 7)).move == LearningTables::kNoAnswer);
}

TEST_CASE("thresholds part where one side finds more moves, by larger steps where it finds twice as many") {
  LearningTables tables(9, 9, small());
  const int node = tables.thresholds().of(kNodes, 0), edge = tables.thresholds().of(kEdges, 0);
  CHECK(tables.states().proportion(static_cast<std::uint8_t>(node)) == learning::Proportion{1, 2});
  CHECK(tables.states().proportion(static_cast<std::uint8_t>(edge)).rate() == doctest::Approx(0.625));
  for (int i = 0; i < 50; ++i) tables.count_playout({{{10, 9}, {30, 10}}});
  CHECK(tables.thresholds().offset(kNodes) == 0);  // 500 against 450: within two deviations, 62
  CHECK(tables.thresholds().offset(kEdges) == 4);
  CHECK(tables.thresholds().of(kEdges, 0) == edge + 4);
  CHECK(tables.thresholds().of(kEdges, 1) == edge - 4);
  for (int i = 0; i < 50; ++i) tables.count_playout({{{10, 13}, {0, 0}}});
  CHECK(tables.thresholds().offset(kNodes) == -1);
  CHECK(tables.thresholds().offset(kEdges) == 4);
  for (int i = 0; i < 50 * 200; ++i) tables.count_playout({{{9, 0}, {9, 0}}});
  CHECK(tables.thresholds().of(kNodes, 0) < static_cast<int>(tables.states().size()));
  CHECK(tables.thresholds().of(kNodes, 1) >= 1);
  LearningOptions options = small();
  options.balances = false;
  LearningTables fixed(9, 9, options);
  for (int i = 0; i < 100; ++i) fixed.count_playout({{{10, 0}, {30, 0}}});
  CHECK(fixed.thresholds().offset(kNodes) == 0);
}

TEST_CASE("a node move is the best one near the last move, in its context, from the threshold on") {
  LearningTables tables(9, 9, small());
  Setting setting(board_after({40, 20}));
  const Game9 state(setting.board, setting.context);
  Learner<Game9::S> learner(tables);
  learner.begin(state.stones(), state.last());
  const auto cell = [](int point) { return Layout<9>::cell(point / 9, point % 9); };
  const auto best = [&] {
    return learner.node_move<Color::Black>(state.stones(), state.last(), [](Cell) { return true; });
  };
  CHECK(best() == kPass);
  tables.learn_node(0, 21, learner.context(cell(21)), true);
  CHECK(best() == cell(21));
  tables.learn_node(0, 38, learner.context(cell(38)), true);
  tables.learn_node(0, 38, learner.context(cell(38)), true);
  CHECK(best() == cell(38));  // two rows away, better
  tables.learn_node(0, 80, learner.context(cell(80)), true);
  for (int i = 0; i < 9; ++i) tables.learn_node(0, 80, learner.context(cell(80)), true);
  CHECK(best() == cell(38));  // too far away
  tables.learn_node(0, 11, learner.context(cell(11)) ^ 1u, true);
  for (int i = 0; i < 9; ++i) tables.learn_node(0, 11, learner.context(cell(11)) ^ 1u, true);
  CHECK(best() == cell(38));  // other surroundings
  for (int i = 0; i < 9; ++i) tables.learn_node(0, 38, learner.context(cell(38)), false);
  CHECK(best() == cell(21));
  CHECK(learner.node_move<Color::White>(state.stones(), state.last(), [](Cell) { return true; }) == kPass);
  CHECK(learner.node_move<Color::Black>(state.stones(), state.last(), [](Cell) { return false; }) == kPass);
}

TEST_CASE("an edge move answers the last move where both contexts are as they were") {
  LearningTables tables(9, 9, small());
  Setting setting(board_after({40, 20}));
  const Game9 state(setting.board, setting.context);
  Learner<Game9::S> learner(tables);
  learner.begin(state.stones(), state.last());
  const auto cell = [](int point) { return Layout<9>::cell(point / 9, point % 9); };
  const std::uint32_t last_context = learner.context(cell(20));
  const auto best = [&](auto accepts) {
    return learner.edge_move<Color::Black>(state.stones(), state.last(), accepts);
  };
  const auto any = [](Cell) { return true; };
  for (int i = 0; i < 3; ++i) tables.learn_edge(0, 20, last_context, 60, learner.context(cell(60)), true);
  CHECK(best(any) == cell(60));
  CHECK(best([](Cell) { return false; }) == kPass);
  CHECK(tables.answer(tables.answers_to(0, 20, last_context)).illegal == 1);
  CHECK(best(any) == cell(60));
  CHECK(tables.answer(tables.answers_to(0, 20, last_context)).illegal == 0);
  for (int i = 0; i < 6; ++i) tables.learn_edge(0, 20, last_context, 61, learner.context(cell(61)) ^ 1u, true);
  CHECK(best(any) == cell(60));  // better, but its surroundings are others
  for (int i = 0; i < 6; ++i) tables.learn_edge(0, 20, last_context, 40, learner.context(cell(40)), true);
  CHECK(best(any) == cell(60));  // occupied, which is counted
  for (int i = 0; i < 4; ++i) tables.learn_edge(0, 20, last_context, 60, learner.context(cell(60)), false);
  CHECK(best(any) == kPass);
}

TEST_CASE("a small alpha wants more than one win") {
  LearningOptions options = small();
  LearningTables bold(9, 9, options);
  options.z = 1.96;
  LearningTables careful(9, 9, options);
  for (LearningTables* tables : {&bold, &careful}) tables->learn_node(0, 40, 7, true);
  CHECK(bold.node(0, 40, 7) > careful.node(0, 40, 7));
  const auto rank_of_ten_in_twenty = [](LearningTables& tables) {
    for (int i = 0; i < 10; ++i)
      for (const bool is_win : {true, false}) tables.learn_node(0, 41, 7, is_win);
    return tables.node(0, 41, 7);
  };
  CHECK(bold.node(0, 40, 7) > rank_of_ten_in_twenty(bold));
  CHECK(careful.node(0, 40, 7) < rank_of_ten_in_twenty(careful));
  CHECK_THROWS_WITH_AS(careful.load(bold.save()), doctest::Contains("another alpha"), std::invalid_argument);
}

TEST_CASE("relative thresholds follow what a colour wins") {
  LearningOptions options = small();
  options.is_relative = true;
  LearningTables tables(9, 9, options);
  const int even = tables.thresholds().of(kNodes, 0);
  CHECK(tables.thresholds().of(kNodes, 1) == even);
  CHECK(tables.thresholds().of(kEdges, 0) > even);
  for (int i = 0; i < 400; ++i) tables.thresholds().count_result(i % 4 != 0);
  CHECK(tables.thresholds().black_rate() == doctest::Approx(0.75).epsilon(0.03));
  CHECK(tables.thresholds().of(kNodes, 0) > even);
  CHECK(tables.thresholds().of(kNodes, 1) < even);
  LearningTables again(9, 9, options);
  again.load(tables.save());
  CHECK(again.thresholds().of(kNodes, 0) == tables.thresholds().of(kNodes, 0));
  for (int i = 0; i < 4000; ++i) tables.thresholds().count_result(true);
  CHECK(tables.thresholds().of(kEdges, 0) < static_cast<int>(tables.states().size()));
  CHECK(tables.thresholds().of(kNodes, 1) >= 1);
}

TEST_CASE("the second layer is asked first, and playouts do not change it") {
  LearningOptions options = small();
  CHECK(LearningTables(9, 9, options).tree_layer() == nullptr);
  options.has_tree_layer = true;
  LearningTables tables(9, 9, options);
  REQUIRE(tables.tree_layer() != nullptr);
  Setting setting(board_after({40, 20}));
  const Game9 state(setting.board, setting.context);
  Learner<Game9::S> learner(tables);
  learner.begin(state.stones(), state.last());
  const auto cell = [](int point) { return Layout<9>::cell(point / 9, point % 9); };
  const auto any = [](Cell) { return true; };
  const auto node = [&] { return learner.node_move<Color::Black>(state.stones(), state.last(), any); };
  const auto edge = [&] { return learner.edge_move<Color::Black>(state.stones(), state.last(), any); };
  for (int i = 0; i < 9; ++i) tables.learn_node(0, 21, learner.context(cell(21)), true);
  for (int i = 0; i < 9; ++i) tables.learn_edge(0, 20, learner.context(cell(20)), 60, learner.context(cell(60)), true);
  CHECK(node() == cell(21));
  CHECK(edge() == cell(60));
  const std::vector<std::byte> before = tables.save();
  LearningTables& layer = *tables.tree_layer();
  layer.teach({0, 38, learner.context(cell(38)), 0.7, 300});
  layer.teach_answer(20, learner.context(cell(20)), {0, 61, learner.context(cell(61)), 0.8, 12});
  CHECK(node() == cell(38));
  CHECK(edge() == cell(61));
  CHECK(tables.states().proportion(layer.node(0, 38, learner.context(cell(38)))) == learning::Proportion{15, 21});
  CHECK(tables.save() == before);
  const std::vector<std::byte> taught = layer.save();
  learner.note<Color::Black>(cell(38));
  learner.learn(false);
  CHECK(layer.save() == taught);
  tables.clear();
  CHECK(layer.node(0, 38, learner.context(cell(38))) == 0);
}

TEST_CASE("the winner's moves of a playout win in the tables, the loser's lose, and answers likewise") {
  LearningTables tables(9, 9, small());
  Setting setting(board_after({}));
  Game9::S stones = Game9(setting.board, setting.context).stones();
  Learner<Game9::S> learner(tables);
  learner.begin(stones, kPass);
  const Cell first = Layout<9>::cell(4, 4), second = Layout<9>::cell(4, 5);
  const std::uint32_t first_context = learner.context(first);
  learner.note<Color::Black>(first);
  stones.play<Color::Black>(first);
  learner.follow<Color::Black>(stones, first);
  const std::uint32_t second_context = learner.context(second);
  learner.note<Color::White>(second);
  stones.play<Color::White>(second);
  learner.follow<Color::White>(stones, second);
  learner.learn(false);
  CHECK(tables.states().proportion(tables.node(0, 40, first_context)) == learning::Proportion{0, 1});
  CHECK(tables.states().proportion(tables.node(1, 41, second_context)) == learning::Proportion{1, 1});
  CHECK(tables.states().proportion(tables.edge(1, 40, first_context, 41, second_context)) ==
        learning::Proportion{1, 1});
  CHECK(tables.answer(tables.answers_to(1, 40, first_context)).move == 41);
}

TEST_CASE("step by step is in one piece: the same moves, the same value, the same tables") {
  Setting setting(board_after({40, 20, 24, 60}));
  const Game9 root(setting.board, setting.context);
  auto by_steps = std::make_shared<LearningTables>(9, 9, small()),
       whole = std::make_shared<LearningTables>(9, 9, small());
  auto history = std::make_shared<PlayoutHistory>(1000);
  LearningPlayout<9> stepping(by_steps, setting.policy);
  RecordedPlayouts<Game9> recorded(std::make_shared<LearningPlayout<9>>(whole, setting.policy), history);
  PlayoutRunner<Game9> runner(std::shared_ptr<tesuji::PlayoutPolicy<Game9>>(&recorded, [](auto*) {}));
  const auto scratch = stepping.make_scratch();
  Rng a(5), b(5);
  for (int i = 0; i < 200; ++i) {
    Game9 state = root, other = root, replayed = root;
    stepping.begin(state, {}, scratch.get(), a);
    std::vector<Move> moves;
    for (;;) {
      const PlayoutStep step = stepping.step(state, scratch.get(), a);
      if (step.is_end()) {
        REQUIRE(runner.run(other, {}, b, nullptr) == step.value);
        stepping.observe({}, {}, step.value, scratch.get());
        break;
      }
      moves.push_back(step.move);
      replayed.play(step.move);
      REQUIRE(replayed.hash() == state.hash());
    }
    const std::vector<RecordedPlayout> last = history->playouts();
    REQUIRE(last.back().moves.size() == moves.size());
    for (std::size_t m = 0; m < moves.size(); ++m) REQUIRE(last.back().moves[m].move == moves[m]);
  }
  CHECK(by_steps->save() == whole->save());
  CHECK(by_steps->num_moves_from(static_cast<std::size_t>(Origin::Node)) > 0);
  CHECK(by_steps->num_moves_from(static_cast<std::size_t>(Origin::Edge)) > 0);
}

TEST_CASE("a playout that a known position stops is learnt from all the same") {
  Setting setting(board_after({40, 20}));
  const Game9 root(setting.board, setting.context);
  auto tables = std::make_shared<LearningTables>(9, 9, small());
  auto positions = std::make_shared<KnownPositions>(1024);
  positions->add(PathKeys<Game9>(root).key(root), 1.0, 100);
  StopAtKnown<Game9> stops(std::make_shared<LearningPlayout<9>>(tables, setting.policy), positions, {.min_weight = 16});
  PlayoutRunner<Game9> runner(std::shared_ptr<tesuji::PlayoutPolicy<Game9>>(&stops, [](auto*) {}));
  Rng rng(1);
  Game9 state = root;
  CHECK(runner.run(state, {}, rng, nullptr) == 1.0);
  CHECK(tables->num_playouts() == 1);
}

TEST_CASE("what was learnt is saved and loaded, and nothing else is") {
  Setting setting(board_after({40}));
  const Game9 root(setting.board, setting.context);
  auto tables = std::make_shared<LearningTables>(9, 9, small());
  LearningPlayout<9> policy(tables, setting.policy);
  PlayoutRunner<Game9> runner(std::shared_ptr<tesuji::PlayoutPolicy<Game9>>(&policy, [](auto*) {}));
  Rng rng(2);
  for (int i = 0; i < 120; ++i) {
    Game9 state = root;
    runner.run(state, {}, rng, nullptr);
  }
  const std::vector<std::byte> saved = tables->save();
  LearningTables other(9, 9, small());
  other.load(saved);
  CHECK(other.save() == saved);
  const std::vector<std::byte> empty = LearningTables(9, 9, small()).save();
  LearningTables smaller(7, 9, small());
  CHECK_THROWS_AS(smaller.load(saved), std::invalid_argument);
  LearningOptions options = small();
  options.context_size = 24;
  LearningTables coarser(9, 9, options);
  CHECK_THROWS_AS(coarser.load(saved), std::invalid_argument);
  LearningTables target(9, 9, small());
  for (std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{40}, saved.size() - 1}) {
    CHECK_THROWS_AS(target.load(std::span(saved).first(length)), std::invalid_argument);
    CHECK(target.save() == empty);
  }
  Rng mutator(3);  // a mutated one is refused, or read as a table that plays
  for (int i = 0; i < 100; ++i) {
    std::vector<std::byte> mutated = saved;
    for (int times = 0; times < 4; ++times)
      mutated[mutator.below(i < 50 ? 64 : mutated.size())] = static_cast<std::byte>(mutator.next());
    try {
      target.load(mutated);
    } catch (const std::invalid_argument&) {
      continue;
    }
    LearningPlayout<9> playing(std::shared_ptr<LearningTables>(&target, [](auto*) {}), setting.policy);
    PlayoutRunner<Game9> again(std::shared_ptr<tesuji::PlayoutPolicy<Game9>>(&playing, [](auto*) {}));
    Game9 state = root;
    again.run(state, {}, mutator, nullptr);
  }
}

TEST_CASE("distances of common fate: no step within a chain, and nothing is learnt beyond the limit") {
  const auto stones = stones_from<Stones<9, kTactical>>({"....", "XXXX", "....", "...."});
  const std::vector<std::uint8_t> fates = fates_of(stones);
  const auto from = [&](int a, int b) { return fates[static_cast<std::size_t>(a) * 16 + static_cast<std::size_t>(b)]; };
  CHECK(from(0, 0) == 0);
  CHECK(from(0, 3) == 2);  // to the wall and back, whatever its length
  CHECK(from(4, 7) == 0);
  CHECK(from(0, 11) == 2);
  CHECK(from(12, 15) == 3);
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) CHECK(from(a, b) == from(b, a));
  LearningOptions options = small();
  options.fate_limit = 1;
  LearningTables tables(4, 4, options);
  tables.set_fates(fates);
  CHECK(tables.is_far(0, 3));
  CHECK(!tables.is_far(0, 4));
}

TEST_CASE("two threads share the tables") {
  Setting setting(board_after({40, 20}));
  const Game9 root(setting.board, setting.context);
  auto tables = std::make_shared<LearningTables>(9, 9, small());
  auto policy = std::make_shared<LearningPlayout<9>>(tables, setting.policy);
  const auto work = [&](std::uint64_t seed) {
    PlayoutRunner<Game9> runner(policy);
    Rng rng(seed);
    for (int i = 0; i < 300; ++i) {
      Game9 state = root;
      runner.run(state, {}, rng, nullptr);
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  CHECK(tables->num_playouts() == 600);
}
