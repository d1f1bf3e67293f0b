#include "go/learning_playouts.hpp"

#include <stdexcept>
#include <utility>

#include "base/rng.hpp"
#include "games/native_game.hpp"
#include "games/playout_runner.hpp"
#include "go/game.hpp"
#include "go/learning_playout.hpp"

namespace tesuji::go {

namespace {

void check_board(const Board& board, const LearningTables& tables) {
  if (tables.width() != board.width() || tables.height() != board.height())
    throw std::invalid_argument("what playouts have learnt is of another board");
}

}  // namespace

std::shared_ptr<tesuji::PlayoutPolicy<DynamicGame>> learning_playouts(const Board& board,
                                                                      std::shared_ptr<LearningTables> tables,
                                                                      const PlayoutPolicy& policy) {
  check_board(board, *tables);
  return with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using G = typename LearningPlayout<Capacity>::G;
    return dynamic<G>(std::make_shared<LearningPlayout<Capacity>>(std::move(tables), policy));
  });
}

std::vector<int> run_learning(const Board& board, const PlayoutPolicy& policy,
                              const std::shared_ptr<LearningTables>& tables, int num_playouts, std::uint64_t seed) {
  check_board(board, *tables);
  std::vector<int> wins;
  with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using G = typename LearningPlayout<Capacity>::G;
    GoContext context(board, 0);
    context.knowledge.policy = policy;
    context.memory = std::make_shared<PlayoutMemory>(static_cast<std::size_t>(board.num_points()));
    const G root(board, context);
    auto playouts = std::make_shared<LearningPlayout<Capacity>>(tables, policy);
    playouts->new_root(root);
    PlayoutRunner<G> runner(playouts);
    Rng rng(seed);
    for (int i = 0; i < num_playouts; ++i) {
      G state = root;
      wins.push_back(runner.run(state, {}, rng, nullptr) > 0.5);
    }
  });
  return wins;
}

}  // namespace tesuji::go
