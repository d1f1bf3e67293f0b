// Go on the seam of playouts: its steps are its playout in one piece; keys that rotations share, kept move by move.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "games/game_playout.hpp"
#include "games/playout_runner.hpp"
#include "go/game.hpp"
#include "search/stop_at_known.hpp"
#include "tests/move_record.hpp"

using namespace tesuji;

namespace {

// Steps from some random numbers, and the whole playout from the same.
template <class Go>
void check_steps(const Go& root, int num_playouts) {
  GamePlayout<Go> policy;
  const auto scratch = policy.make_scratch();
  for (int number = 0; number < num_playouts; ++number) {
    Rng stepping(static_cast<std::uint64_t>(number)), whole = stepping;
    Go state = root, finished = root;
    MoveRecord record;
    const double value = finished.play_out(whole, &record);
    policy.begin(state, {}, scratch.get(), stepping);
    std::size_t num_moves = 0, num_noted = 0;
    for (;;) {
      const int player = state.to_play();
      const PlayoutStep step = policy.step(state, scratch.get(), stepping);
      if (step.is_end()) {
        REQUIRE(step.value == value);
        break;
      }
      ++num_moves;
      if (!step.is_noted) continue;
      REQUIRE(record.move(num_noted) == step.move);
      REQUIRE(record.player(num_noted) == player);
      ++num_noted;
    }
    REQUIRE(num_moves > 0);
    REQUIRE(num_noted == record.size());
    REQUIRE(stepping.state() == whole.state());
  }
}

}  // namespace

TEST_CASE("Go: the steps of a playout are the playout in one piece") {
  for (const int size : {5, 9, 13}) {
    const go::Board board(size, size, {});
    go::GoContext context(board, 6.5);
    go::with_capacity(size, size, [&]<int Capacity>() {
      check_steps(go::GoGame<Capacity>(board, context), 20);
      for (const float share : {0.5f, 10.0f})
        for (const int mercy : {0, 10}) {
          context.knowledge.policy.amaf_share = share;
          context.knowledge.policy.mercy_margin = mercy;
          check_steps(go::GoGame<Capacity, go::kTactical>(board, context), 20);
        }
    });
  }
}

TEST_CASE("Go: keys of images follow a game as if they were made anew, whatever is captured") {
  for (const auto& [width, height] : {std::pair(9, 9), std::pair(5, 7)}) {
    const go::Board board(width, height, {});
    const go::GoContext context(board, 6.5);
    using Go = go::GoGame<9>;
    Rng rng(4);
    for (int game = 0; game < 20; ++game) {
      Go state(board, context);
      Go::ImageKeys keys(state);
      Go::Stepper stepper(state);
      while (!stepper.end(state)) {
        const Move move = stepper.next(state, rng);
        state.play(move);
        keys.follow(state, move);
        REQUIRE(keys.key(state) == Go::ImageKeys(state).key(state));
      }
    }
  }
}

TEST_CASE("Go: a memory is asleep until the board at the root is full enough") {
  const go::Board board(5, 5, {});
  const go::GoContext context(board, 0.5);
  using Go = go::GoGame<9>;
  auto positions = std::make_shared<KnownPositions>(1024);
  auto counts = std::make_shared<StopCounts>();
  auto policy =
      std::make_shared<StopAtKnown<Go>>(nullptr, positions, StopOptions{.min_weight = 2, .least_filling = 0.5}, counts);
  const Go empty(board, context);
  Go full = empty;
  Rng rng(1);
  for (Go::Stepper stepper(full); full.filling() <= 0.5;) full.play(stepper.next(full, rng));
  PlayoutRunner<Go> runner(policy);
  for (const Go& root : {empty, full}) {
    policy->new_root(root);
    for (int number = 0; number < 5; ++number) {
      Go state = root;
      runner.run(state, {}, rng, nullptr);
    }
    CHECK(counts->playouts.load() == (root.filling() > 0.5 ? 5 : 0));
    CHECK((positions->size() > 0) == (root.filling() > 0.5));
  }
  CHECK(counts->stopped.load() == 3);  // two results make it known
}
