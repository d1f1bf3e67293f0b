// Playouts as policies: every game's steps against its playout in one piece, the runner against the direct call, and
// decorators in every order. The table of known positions has tests of its own.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "games/breakthrough.hpp"
#include "games/compiled.hpp"
#include "games/compiled_playout.hpp"
#include "games/connect4.hpp"
#include "games/dynamic.hpp"
#include "games/game_playout.hpp"
#include "games/gomoku.hpp"
#include "games/havannah.hpp"
#include "games/hex.hpp"
#include "games/knapsack.hpp"
#include "games/othello.hpp"
#include "games/pgame.hpp"
#include "games/playout_runner.hpp"
#include "games/recorded_playouts.hpp"
#include "games/samegame.hpp"
#include "games/tictactoe.hpp"
#include "games/tsp.hpp"
#include "games/y.hpp"
#include "go/game.hpp"
#include "search/stop_at_known.hpp"
#include "tests/game_checks.hpp"

using namespace tesuji;

namespace {

// A list of a playout's moves, to compare.
std::vector<std::pair<Move, int>> pairs_of(std::span<const PlayedMove> moves) {
  std::vector<std::pair<Move, int>> pairs;
  for (const PlayedMove& played : moves) pairs.emplace_back(played.move, played.player);
  return pairs;
}

template <Game G>
void check_same_state(const G& state, const G& reference) {
  REQUIRE(state.hash() == reference.hash());
  REQUIRE(state.to_play() == reference.to_play());
  REQUIRE(state.is_over() == reference.is_over());
  REQUIRE(moves_of(state) == moves_of(reference));
}

// The steps of a game's playout: each leaves the state that playing its move leaves; together they are worth what the
// playout in one piece is worth from the same random numbers, and their moves are the first of its moves.
template <Game G>
void check_steps(const G& root, int num_playouts = 50) {
  GamePlayout<G> policy;
  const auto scratch = policy.make_scratch();
  for (int number = 0; number < num_playouts; ++number) {
    Rng stepping(static_cast<std::uint64_t>(number)), whole = stepping;
    G state = root, replayed = root, finished = root;
    std::vector<std::pair<Move, int>> moves;
    policy.begin(state, {}, scratch.get(), stepping);
    for (;;) {
      const int player = state.to_play();
      const PlayoutStep step = policy.step(state, scratch.get(), stepping);
      if (step.is_end()) {
        MoveRecord record;
        if constexpr (HasPlayout<G> && !std::is_same_v<G, CompiledGame>)
          REQUIRE(finished.play_out(whole, &record) == step.value);
        else
          REQUIRE(play_out_uniformly(finished, whole, &record, *std::make_unique<MoveList>()) == step.value);
        REQUIRE(record.size() >= moves.size());
        for (std::size_t i = 0; i < moves.size(); ++i) {
          REQUIRE(record.move(i) == moves[i].first);
          REQUIRE(record.player(i) == moves[i].second);
        }
        break;
      }
      moves.emplace_back(step.move, player);
      replayed.play(step.move);
      check_same_state(state, replayed);
    }
    REQUIRE(state.is_over());
    REQUIRE(!moves.empty());
  }
}

// The runner without a policy is the direct call; with the game's own playout as a policy it is the same playout.
template <Game G>
void check_runner(const G& root) {
  const auto num_moves = static_cast<std::size_t>(root.num_distinct_moves());
  PlayoutRunner<G> plain, logging(nullptr, true), with_policy(std::make_shared<GamePlayout<G>>());
  CHECK(!plain.wants_walk());
  CHECK(with_policy.wants_walk());
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng direct(seed);
    MadeMoves expected;
    expected.clear(num_moves);
    MoveList scratch;
    G first = root;
    const double value = play_out_whole(first, direct, &expected, scratch);
    for (PlayoutRunner<G>* const runner : {&plain, &logging, &with_policy}) {
      Rng rng(seed);
      MadeMoves made;
      made.clear(num_moves);
      G state = root;
      REQUIRE(runner->run(state, {}, rng, &made) == value);
      if (runner == &logging) {  // by steps for some games, which stop where Hex fills the board
        G replayed = root;
        for (const PlayedMove& played : runner->moves()) {
          REQUIRE(played.player == replayed.to_play());
          replayed.play(played.move);
        }
        REQUIRE(replayed.is_over());
        REQUIRE(replayed.value() == value);
        continue;
      }
      REQUIRE(rng.state() == direct.state());
      for (const int player : {0, 1})
        for (std::size_t move = 0; move < num_moves; ++move)
          REQUIRE(made.masks(player)[move] == expected.masks(player)[move]);
      REQUIRE(runner->moves().empty());
    }
  }
}

// Some moves into a game.
template <Game G>
G later(G game, int num_moves) {
  Rng rng(7);
  MoveList scratch;
  for (int i = 0; i < num_moves; ++i) {
    G next = game;
    next.play(uniform_move(next, rng, scratch));
    if (next.is_over()) break;
    game = next;
  }
  return game;
}

// Takes one to three stones of a heap; who takes the last wins. As functions over a record, and behind an interface.
struct Heap {
  std::int32_t left, to_play;
};
Heap& heap_in(std::byte* record) { return *reinterpret_cast<Heap*>(record); }
const Heap& heap_in(const std::byte* record) { return *reinterpret_cast<const Heap*>(record); }
std::span<const std::byte> bytes_of(const Heap& heap) { return std::as_bytes(std::span(&heap, 1)); }

CompiledRules heap_rules() {
  CompiledRules rules;
  rules.record_bytes = sizeof(Heap);
  rules.num_distinct_moves = 3;
  rules.to_play = [](const std::byte* record, std::int32_t* player) { return *player = heap_in(record).to_play, 0; };
  rules.is_over = [](const std::byte* record, std::int32_t* over) { return *over = heap_in(record).left == 0, 0; };
  rules.value = [](const std::byte* record, double* value) { return *value = heap_in(record).to_play == 1, 0; };
  rules.legal_moves = [](const std::byte* record, Move* moves, std::int32_t* count) {
    for (*count = 0; *count < std::min(3, heap_in(record).left); ++*count) moves[*count] = *count;
    return 0;
  };
  rules.play = [](std::byte* record, Move move) {
    heap_in(record).left -= move + 1;
    heap_in(record).to_play ^= 1;
    return 0;
  };
  rules.playout = [](std::byte* record, std::uint64_t* random, Move*, std::uint64_t* first, std::uint64_t* second,
                     std::int32_t records, double* value) {
    Heap& heap = heap_in(record);
    Rng rng(0);
    rng.resume(*random);
    while (heap.left > 0) {
      const auto move = static_cast<Move>(rng.below(static_cast<std::uint64_t>(std::min(3, heap.left))));
      if (records != 0) (heap.to_play == 0 ? first : second)[move] = ~std::uint64_t{0};
      heap.left -= move + 1;
      heap.to_play ^= 1;
    }
    *random = rng.state();
    return *value = heap.to_play == 1, 0;
  };
  rules.fail = [](const CompiledRules::Failure& failure) { throw std::domain_error(failure.function); };
  return rules;
}

class AbstractHeap final : public AbstractGame {
 public:
  explicit AbstractHeap(int left, int to_play = 0) : left_(left), to_play_(to_play) {}
  std::unique_ptr<AbstractGame> copy() const override { return std::make_unique<AbstractHeap>(left_, to_play_); }
  int num_distinct_moves() const override { return 3; }
  int to_play() const override { return to_play_; }
  bool is_over() const override { return left_ == 0; }
  double value() const override { return to_play_ == 1 ? 1 : 0; }
  std::uint64_t hash() const override { return static_cast<std::uint64_t>(2 * left_ + to_play_); }
  void legal_moves(MoveList& moves) const override {
    for (Move move = 0; move < std::min(3, left_); ++move) moves.push_back(move);
  }
  void play(Move move) override {
    left_ -= move + 1;
    to_play_ ^= 1;
  }
  void priors(std::span<const Move>, std::span<float>) const override {}

 private:
  int left_, to_play_;
};

// Plays the first legal move, says in which context (the hash before it), and keeps what it observes.
template <Game G>
class FirstMove final : public PlayoutPolicy<G> {
 public:
  struct Seen {
    std::vector<std::pair<Move, int>> walk, moves;
    std::vector<std::uint64_t> contexts;
    double value;
  };
  explicit FirstMove(bool wants_moves = true) : wants_moves_(wants_moves) {}
  void begin(const G&, std::span<const PlayedMove> walk, PlayoutScratch*, Rng&) override { begun = pairs_of(walk); }
  PlayoutStep step(G& state, PlayoutScratch*, Rng&) override {
    if (state.is_over()) return PlayoutStep::ended(state.value());
    const Move move = moves_of(state).front();
    const std::uint64_t context = state.hash();
    state.play(move);
    return PlayoutStep::played(move, context);
  }
  void observe(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value,
               PlayoutScratch*) override {
    Seen playout{pairs_of(walk), pairs_of(moves), {}, value};
    for (const PlayedMove& played : moves) playout.contexts.push_back(played.context);
    seen.push_back(std::move(playout));
  }
  bool wants_result() const override { return true; }
  bool wants_moves() const override { return wants_moves_; }

  std::vector<Seen> seen;
  std::vector<std::pair<Move, int>> begun;

 private:
  bool wants_moves_;
};

}  // namespace

TEST_CASE("the steps of every game's playout are valid states and the beginning of its playout in one piece") {
  check_steps(TicTacToe{});
  check_steps(later(TicTacToe{}, 3));
  check_steps(Connect4{});
  check_steps(later(Connect4{}, 20));
  check_steps(Othello{}, 20);
  check_steps(Breakthrough{}, 20);
  for (const int size : {5, 9}) check_steps(Gomoku(size), 10);
  for (const int size : {1, 2, 5, 11}) check_steps(Hex(size), 20);
  check_steps(later(Hex(7), 20), 20);
  for (const int size : {1, 3, 8}) check_steps(Y(size), 20);
  check_steps(later(Y(8), 10), 20);
  check_steps(Havannah(5), 20);
  for (const auto playout : {SameGame::Playout::Uniform, SameGame::Playout::TabuColor})
    check_steps(SameGame::random(8, 8, 3, 5, playout), 20);
  check_steps(Knapsack::random(20, 1));
  check_steps(Tsp::random(12, 1));
  const PGame tree(PGameSpec{.breadth = 3, .depth = 7});
  check_steps(PGamePosition(tree));
  check_steps(DynamicGame(std::make_unique<AbstractHeap>(20)));
  const CompiledRules rules = heap_rules();
  check_steps(CompiledGame(rules, bytes_of({20, 0})));
}

TEST_CASE(
    "a runner without a policy, with a log, and with the game's own playout as its policy play the same playout") {
  check_runner(TicTacToe{});
  check_runner(Connect4{});
  check_runner(Othello{});
  check_runner(Breakthrough{});
  check_runner(Gomoku(7));
  check_runner(Hex(6));
  check_runner(Y(6));
  check_runner(Havannah(4));
  check_runner(SameGame::random(8, 8, 3, 5, SameGame::Playout::TabuColor));
  check_runner(Knapsack::random(20, 1));
  check_runner(Tsp::random(12, 1));
  const PGame tree(PGameSpec{.breadth = 3, .depth = 7});
  check_runner(PGamePosition(tree));
  check_runner(DynamicGame(std::make_unique<AbstractHeap>(20)));
  const CompiledRules rules = heap_rules();
  check_runner(CompiledGame(rules, bytes_of({20, 0})));
}

TEST_CASE("uniform random moves of the knapsack and the round trip are those of a list of legal moves") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng direct(seed), listed(seed);
    Tsp a = Tsp::random(20, seed), b = a;
    MoveList scratch;
    REQUIRE(a.play_out(direct, kNoRecord) == play_out_uniformly(b, listed, kNoRecord, scratch));
    Knapsack c = Knapsack::random(30, seed), d = c;
    REQUIRE(c.play_out(direct, kNoRecord) == play_out_uniformly(d, listed, kNoRecord, scratch));
    REQUIRE(direct.state() == listed.state());
  }
}

TEST_CASE("a policy sees the walk, its moves with their contexts, and the value; each playout once") {
  auto policy = std::make_shared<FirstMove<TicTacToe>>();
  PlayoutRunner<TicTacToe> runner(policy);
  TicTacToe leaf;
  leaf.play(4);
  const std::vector<PlayedMove> walk = {{4, 0}};
  Rng rng(1);
  for (int number = 1; number <= 3; ++number) {
    TicTacToe state = leaf;
    MadeMoves made;
    made.clear(9);
    const double value = runner.run(state, walk, rng, &made);
    REQUIRE(state.is_over());
    CHECK(value == state.value());
    REQUIRE(policy->seen.size() == static_cast<std::size_t>(number));
  }
  const auto& seen = policy->seen.back();
  CHECK(policy->begun == pairs_of(walk));
  CHECK(seen.walk == pairs_of(walk));
  CHECK(seen.value == 0.5);  // the first legal moves in turn, after the centre
  TicTacToe replayed = leaf;
  for (std::size_t i = 0; i < seen.moves.size(); ++i) {
    CHECK(seen.contexts[i] == replayed.hash());
    CHECK(seen.moves[i].second == replayed.to_play());
    replayed.play(seen.moves[i].first);
  }
  CHECK(replayed.is_over());
  CHECK(pairs_of(runner.moves()) == seen.moves);
}

TEST_CASE("who wants no moves gets none, though somebody else keeps them") {
  auto policy = std::make_shared<FirstMove<Connect4>>(false);
  PlayoutRunner<Connect4> runner(policy, true);
  Connect4 state;
  Rng rng(1);
  runner.run(state, {}, rng, nullptr);
  CHECK(policy->seen.at(0).moves.empty());
  CHECK(!runner.moves().empty());
}

TEST_CASE("recorded playouts are those that were played, the last of them, in their order") {
  auto history = std::make_shared<PlayoutHistory>(3);
  PlayoutRunner<Hex> runner(std::make_shared<RecordedPlayouts<Hex>>(nullptr, history));
  Rng rng(1);
  std::vector<double> values;
  for (int number = 0; number < 8; ++number) {
    Hex state(4);
    values.push_back(runner.run(state, {}, rng, nullptr));
  }
  const auto playouts = history->playouts();
  REQUIRE(playouts.size() == 3);
  CHECK(history->num_playouts() == 8);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(playouts[i].value == values[i + 5]);
    Hex replayed(4);
    for (const PlayedMove& played : playouts[i].moves) {
      REQUIRE(played.player == replayed.to_play());
      REQUIRE(!replayed.is_over());
      replayed.play(played.move);
    }
    CHECK(replayed.is_over());
    CHECK(replayed.value() == playouts[i].value);
  }
  history->clear();
  CHECK(history->playouts().empty());
}

TEST_CASE("a playout stops at a known position with its mean, and not at one that weighs too little") {
  auto positions = std::make_shared<KnownPositions>(64);
  auto history = std::make_shared<PlayoutHistory>(100);
  auto stopping = std::make_shared<StopAtKnown<Connect4>>(std::make_shared<FirstMove<Connect4>>(), positions,
                                                          StopOptions{.min_weight = 4, .learns = false});
  PlayoutRunner<Connect4> runner(std::make_shared<RecordedPlayouts<Connect4>>(stopping, history));
  Connect4 third;
  for (const Move move : {0, 0, 0}) third.play(move);
  const auto value_of_a_playout = [&] {
    Connect4 state;
    Rng rng(1);
    return runner.run(state, {}, rng, nullptr);
  };
  const double to_the_end = value_of_a_playout();
  positions->add(key_of(third), 0.125, 3);
  CHECK(value_of_a_playout() == to_the_end);
  positions->add(key_of(third), 0.625, 1);
  CHECK(value_of_a_playout() == 0.25);  // (3 * 0.125 + 0.625) / 4
  CHECK(pairs_of(history->playouts().back().moves) == std::vector<std::pair<Move, int>>{{0, 0}, {0, 1}, {0, 0}});
  CHECK(positions->size() == 1);  // it did not learn
}

TEST_CASE("playouts that learn give their value to the positions they passed, and none to the one that stopped them") {
  auto positions = std::make_shared<KnownPositions>(1024);
  PlayoutRunner<Connect4> runner(std::make_shared<StopAtKnown<Connect4>>(
      std::make_shared<FirstMove<Connect4>>(), positions, StopOptions{.min_weight = 100, .learns = true}));
  const auto play = [&] {
    Connect4 state;
    Rng rng(1);
    return runner.run(state, {}, rng, nullptr);
  };
  const double end = play();
  Connect4 second;
  for (const Move move : {0, 0}) second.play(move);
  CHECK(positions->find(key_of(Connect4{})).weight == 1);
  CHECK(positions->find(key_of(second)).weight == 1);
  CHECK(positions->find(key_of(second)).mean() == end);
  positions->add(key_of(second), 0.5, 99);
  const double mean = positions->find(key_of(second)).mean();
  CHECK(play() == mean);
  CHECK(positions->find(key_of(second)).weight == 100);
  CHECK(positions->find(key_of(Connect4{})).weight == 2);
  CHECK(positions->find(key_of(Connect4{})).sum == doctest::Approx(end + mean));
}

TEST_CASE("decorators compose in any order, over any policy, and hand on what they are told") {
  auto positions = std::make_shared<KnownPositions>(4096);
  auto history = std::make_shared<PlayoutHistory>(1000);
  auto learner = std::make_shared<FirstMove<Hex>>();
  const StopOptions options{.min_weight = 2, .learns = true};
  const auto stop_in_record =
      std::make_shared<RecordedPlayouts<Hex>>(std::make_shared<StopAtKnown<Hex>>(learner, positions, options), history);
  const auto record_in_stop =
      std::make_shared<StopAtKnown<Hex>>(std::make_shared<RecordedPlayouts<Hex>>(learner, history), positions, options);
  for (const std::shared_ptr<PlayoutPolicy<Hex>>& policy :
       {std::shared_ptr<PlayoutPolicy<Hex>>(stop_in_record), std::shared_ptr<PlayoutPolicy<Hex>>(record_in_stop)}) {
    positions->clear();
    history->clear();
    learner->seen.clear();
    PlayoutRunner<Hex> runner(policy);
    Rng rng(1);
    std::vector<std::size_t> lengths;
    for (int number = 0; number < 4; ++number) {
      Hex state(3);
      MadeMoves made;
      made.clear(9);
      runner.run(state, {}, rng, &made);
      lengths.push_back(history->playouts().back().moves.size());
    }
    CHECK(lengths[0] > 0);
    CHECK(lengths[1] == lengths[0]);
    CHECK(lengths[2] == 0);  // the root is known by then
    CHECK(learner->seen.size() == 4);
    CHECK(history->num_playouts() == 4);
    CHECK(learner->seen[0].moves == pairs_of(history->playouts()[0].moves));
  }
}

TEST_CASE("what a decorated policy remembers is saved and loaded with it; anything else is refused") {
  auto positions = std::make_shared<KnownPositions>(256), others = std::make_shared<KnownPositions>(256);
  StopAtKnown<Connect4> policy(nullptr, positions, {}), again(nullptr, others, {});
  positions->add(StateKey(5, 6), 0.75, 8);
  const std::vector<std::byte> saved = policy.save();
  again.load(saved);
  CHECK(others->find(StateKey(5, 6)).weight == 8);
  CHECK(others->find(StateKey(5, 6)).mean() == 0.75);
  for (std::size_t length = 0; length < saved.size(); ++length)
    CHECK_THROWS_AS(again.load(std::span(saved).first(length)), std::invalid_argument);
  CHECK_THROWS_AS((StopAtKnown<Connect4>(nullptr, positions, {.min_weight = 0})), std::invalid_argument);
}

TEST_CASE("Go: decorators over its playout stop and record") {
  const go::Board board(5, 5, {.ko = go::KoRule::Simple});  // playouts know no other
  const go::GoContext context(board, 0.5);
  using Go = go::GoGame<9>;
  auto positions = std::make_shared<KnownPositions>(1024);
  auto history = std::make_shared<PlayoutHistory>(100);
  PlayoutRunner<Go> recorded(std::make_shared<RecordedPlayouts<Go>>(nullptr, history)), plain;
  Rng a(3), b(3);
  for (int number = 0; number < 20; ++number) {
    Go state(board, context), again(board, context);
    REQUIRE(recorded.run(state, {}, a, nullptr) == plain.run(again, {}, b, nullptr));
    REQUIRE(a.state() == b.state());
  }
  CHECK(history->num_playouts() == 20);
  for (const RecordedPlayout& playout : history->playouts()) {
    Go replayed(board, context);
    for (const PlayedMove& played : playout.moves) {
      REQUIRE(played.player == replayed.to_play());
      REQUIRE(replayed.is_legal(played.move));
      replayed.play(played.move);
    }
  }
  PlayoutRunner<Go> stopping(
      std::make_shared<StopAtKnown<Go>>(nullptr, positions, StopOptions{.min_weight = 3, .learns = true}));
  for (int number = 0; number < 10; ++number) {
    Go state(board, context);
    const double value = stopping.run(state, {}, a, nullptr);
    REQUIRE((value >= 0 && value <= 1));
  }
  CHECK(positions->find(key_of(Go(board, context))).weight == 3);  // then it stopped every playout
}

TEST_CASE("a compiled game whose playout is its own has one step: all of it") {
  CompiledRules rules = heap_rules();
  rules.has_own_playout = true;
  GamePlayout<CompiledGame> policy;
  const auto scratch = policy.make_scratch();
  CompiledGame state(rules, bytes_of({9, 0})), twin = state;
  Rng a(5), b(5);
  policy.begin(state, {}, scratch.get(), a);
  const PlayoutStep step = policy.step(state, scratch.get(), a);
  CHECK(step.is_end());
  CHECK(step.value == twin.play_out(b, static_cast<MadeMoves*>(nullptr)));
  CHECK(a.state() == b.state());
}

TEST_CASE("a compiled policy plays by its functions, in one piece or by steps, and tells which function failed") {
  auto rules = std::make_shared<CompiledRules>(heap_rules());
  auto steps = std::make_shared<CompiledSteps>();
  steps->rules = rules;
  // Takes one stone while there are more than five, then says that the first player has won a quarter.
  steps->step = [](std::byte* record, std::uint64_t*, Move*, Move* move, double* value) {
    Heap& heap = heap_in(record);
    if (heap.left == 13) return 7;
    *move = heap.left > 5 ? 0 : kNoMove;
    *value = 0.25;
    if (*move == 0) heap = {heap.left - 1, heap.to_play ^ 1};
    return 0;
  };
  steps->playout = [](std::byte* record, std::uint64_t*, Move*, std::uint64_t* first, std::uint64_t*,
                      std::int32_t records, double* value) {
    if (records != 0) first[0] = ~std::uint64_t{0};
    heap_in(record).left = 5;
    return *value = 0.25, 0;
  };
  steps->fail = [](const CompiledRules::Failure& failure) {
    throw std::domain_error(std::string(failure.function) + " at " +
                            std::to_string(heap_in(failure.record.data()).left));
  };
  auto policy = std::make_shared<CompiledPlayout>(steps);
  PlayoutRunner<CompiledGame> whole(policy), stepping(policy, true);
  Rng rng(1);
  MadeMoves made;
  made.clear(3);
  CompiledGame state(*rules, bytes_of({9, 0})), other(*rules, bytes_of({9, 0})), bad(*rules, bytes_of({15, 0}));
  CHECK(whole.run(state, {}, rng, &made) == 0.25);
  CHECK(made.masks(0)[0] != 0);
  CHECK(stepping.run(other, {}, rng, nullptr) == 0.25);
  CHECK(pairs_of(stepping.moves()) == std::vector<std::pair<Move, int>>{{0, 0}, {0, 1}, {0, 0}, {0, 1}});
  CHECK_THROWS_WITH(stepping.run(bad, {}, rng, nullptr), "step at 13");
  const CompiledRules another = heap_rules();
  CompiledGame foreign(another, bytes_of({9, 0}));
  CHECK_THROWS_AS(policy->new_root(foreign), std::invalid_argument);
  CHECK_THROWS_AS(whole.run(foreign, {}, rng, nullptr), std::invalid_argument);
}

TEST_CASE("steps that never end are an error and no endless loop") {
  class Endless final : public PlayoutPolicy<TicTacToe> {
    PlayoutStep step(TicTacToe&, PlayoutScratch*, Rng&) override { return PlayoutStep::played(0); }
  };
  PlayoutRunner<TicTacToe> runner(std::make_shared<Endless>());
  TicTacToe state;
  Rng rng(1);
  CHECK_THROWS_AS(runner.run(state, {}, rng, nullptr), std::runtime_error);
}

TEST_CASE("threads share one policy: nothing is torn, and every playout is recorded") {
  auto positions = std::make_shared<KnownPositions>(4096);
  auto history = std::make_shared<PlayoutHistory>(100);
  auto policy = std::make_shared<RecordedPlayouts<TicTacToe>>(
      std::make_shared<StopAtKnown<TicTacToe>>(nullptr, positions, StopOptions{.min_weight = 1000, .learns = true}),
      history);
  constexpr int kThreads = 4, kPlayouts = 3000;
  std::vector<std::thread> threads;
  std::array<bool, kThreads> fine{};
  for (std::size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      PlayoutRunner<TicTacToe> runner(policy);
      Rng rng(1, i);
      bool all = true;
      for (int number = 0; number < kPlayouts; ++number) {
        TicTacToe state;
        const double value = runner.run(state, {}, rng, nullptr);
        all &= value >= 0 && value <= 1;
      }
      fine[i] = all;
    });
  for (std::thread& thread : threads) thread.join();
  for (const bool is_fine : fine) CHECK(is_fine);
  CHECK(history->num_playouts() == kThreads * kPlayouts);
  const auto root = positions->find(key_of(TicTacToe{}));
  CHECK(root.weight >= 1000);
  CHECK(root.weight <= kThreads * kPlayouts);
  CHECK(root.mean() ==
        doctest::Approx(0.65).epsilon(0.1));  // the first player of uniform play: 58.5 % won, 12.7 % drawn
}
