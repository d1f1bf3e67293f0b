// The search over a game: simulate() tells it all, the rest are its steps that touch a state. What does not ask the
// game anything is in graph_search.hpp (rounds, results, saving) and walker.hpp (choosing, marking, backing up).
//
// It is compiled once: games come behind the interface of games/dynamic.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "games/dynamic.hpp"
#include "games/playout_runner.hpp"
#include "search/evaluate.hpp"
#include "search/expander.hpp"
#include "search/graph_search.hpp"
#include "search/grouped.hpp"
#include "search/pending.hpp"

namespace tesuji {

class GameSearch : public GraphSearch {
 public:
  GameSearch(DynamicGame root, const SearchConfig& config, std::uint64_t seed);

  // Leaves are judged by an evaluator from now on, with playouts or without them. Call it before the first run.
  void evaluate_with(Evaluator evaluator);
  // Playouts follow a policy instead of the game's own. Call it before the first run.
  void play_out_by(std::shared_ptr<PlayoutPolicy<DynamicGame>> policy);
  // States have groups of moves from now on. Call it before the first run.
  void group_with(PathGrouper grouper, const GroupingOptions& options);

  const DynamicGame& root_state() const { return root().game(); }

 private:
  using State = Grouped;
  // What one thread needs of the game.
  struct Hand {
    Hand(Walker& walker_of_hand, const Root& root, const SearchConfig& config, const Stages& stages, bool keeps_moves)
        : walker(walker_of_hand),
          state(root.state()),
          expander(config, stages),
          pending(static_cast<std::size_t>(config.batch_size)),
          playouts(root.policy(), keeps_moves) {}
    Walker& walker;
    State state;  // where the walk stands
    Expander expander;
    PendingWalks pending;
    PlayoutRunner<DynamicGame> playouts;
    std::vector<std::uint32_t> excluded;
    std::vector<PlayedMove> walked;
  };

  // One simulation.
  void simulate(std::size_t worker) override;
  void descend(State& state, Hand& hand);
  bool expand(const State& state, Hand& hand);
  std::uint32_t choose(const State& state, Hand& hand);
  bool is_forbidden(const State& state, const Graph& graph, const Node& node, std::uint32_t edge) const;
  std::optional<Outcome> exact_outcome(const State& state, Hand& hand);
  Outcome outcome(double value, bool is_revisit, Hand& hand);
  double play_out(DynamicGame& game, Hand& hand);

  // One in two halves.
  void begin_simulation(Hand& hand);
  void play_out_young_leaf(State& state, Hand& hand);
  void send_leaf(State& state, Hand& hand);
  void finish(Hand& hand, Pending pending);
  void settle(Hand& hand);
  void leave(std::size_t worker, bool failed) override;

  void make_hands();
  bool hands_have_walkers();
  void find_scale();
  void begin_run() override;
  void prepare_root(Walker& walker) override;
  void read_more(SearchResult& result) const override;

  std::unique_ptr<Gatherer> gatherer_;  // if there is an evaluator
  std::vector<std::unique_ptr<Hand>> hands_;
};

}  // namespace tesuji
