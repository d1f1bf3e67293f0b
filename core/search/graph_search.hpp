// Everything of a search that touches no state but the root: graphs, workers, rounds, the table of shared values, the
// solutions of one player, what is read, saved and exchanged. GameSearch adds the steps of a simulation.
//
// Whatever Python can call may be called from any thread: what changes the graph's shape or looks at all of it is
// refused while a run is under way; a result can be read at any time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "search/config.hpp"
#include "search/copies.hpp"
#include "search/exchange.hpp"
#include "search/group_biases.hpp"
#include "search/growths.hpp"
#include "search/numbers.hpp"
#include "search/result.hpp"
#include "search/root.hpp"
#include "search/rounds.hpp"
#include "search/shared_table.hpp"
#include "search/snapshot.hpp"
#include "search/solutions.hpp"
#include "search/stages.hpp"
#include "search/walker.hpp"

namespace tesuji {

// Holds a flag that says "running"; throws if somebody holds it already.
class OneAtATime {
 public:
  explicit OneAtATime(std::atomic<bool>& flag);
  ~OneAtATime() { flag_.store(false); }
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

 private:
  std::atomic<bool>& flag_;
};

class GraphSearch : private Crew {
 public:
  using Progress = Rounds::Progress;

  // Runs until the budget is spent, the root is proved, stop() is called, or `progress` says no. May be called again.
  void run(const Budget& budget, const Progress& progress, const RunHooks& hooks = {});
  void stop() { rounds_.stop(); }

  // Plays a move at the root and keeps what the graph knows below it.
  void advance(Move move);

  // Stages of the user's own. Call it before the first run.
  void use(Stages stages);
  // How kinds of groups are explored; the biases as they stand, by kind, empty: all alike.
  void weigh_groups(const GroupingOptions& options);
  std::vector<float> biases() const;

  // The table of shared values (graph mode SharedValues): dropping what few nodes refer to, as advance() does; saving
  // it; beginning with a saved one, before the first run.
  std::size_t drop_rare_entries();
  TableSnapshot table();
  void begin_with(const TableSnapshot& table);

  // What this search knows of its most visited nodes, and adding what others know of theirs (search/exchange.hpp).
  std::vector<NodeStatistics> statistics(double share, std::size_t max_nodes);
  void take_in(std::span<const NodeStatistics> found);

  // The first graph, whole, at any time: a run pauses for it. Its own progress function may ask too, where no other
  // thread walks on meanwhile.
  GraphSnapshot graph_copy();
  // All that must be kept to go on later. restore() changes nothing unless all of it is good.
  SearchSnapshot snapshot();
  void restore(const SearchSnapshot& snapshot);

  SearchResult result() const;
  // One player: the best solution; a beam's two questions.
  Found found() const;
  std::uint64_t num_walks_to(std::size_t depth);
  void keep_most_visited(int depth, std::size_t width);

  const SearchConfig& config() const { return config_; }
  // Only while no run is under way.
  const Graph& graph(std::size_t index = 0) const { return *graphs_[index]; }

 protected:
  GraphSearch(DynamicGame root, const SearchConfig& config, std::uint64_t seed);
  ~GraphSearch() override = default;

  // What only a search that has a game can do.
  virtual void prepare_root(Walker& walker) = 0;  // a node with edges, whatever its maturity
  virtual void begin_run() {}
  virtual void read_more(SearchResult& /*result*/) const {}  // what else a result says

  // --- for the steps of a simulation ---

  const Root& root() const { return root_; }
  Root& root() { return root_; }
  Walker& walker(std::size_t index) { return *walkers_[index]; }
  std::size_t num_workers() const override { return walkers_.size(); }
  // Several walks of one thread may be under way from now on: each must see the others.
  void pend_walks();
  std::unique_lock<std::mutex> tree_lock();
  bool may_make_nodes() const { return !is_frozen_.load(std::memory_order_relaxed); }
  void ask_for_all_edges(Walker& walker, std::span<const Move> moves, std::span<const float> priors) {
    growths_.ask(walker.graph(), walker.walk().end, moves, priors);
  }
  bool plays_alone() const { return numbers_.are_used(); }
  const Stages& stages() const { return stages_; }
  // One player's number as an outcome: it is noted, and `moves()` are kept if it is the best so far.
  template <class Moves>
  Outcome outcome_of(double number, bool is_revisit, Walker& walker, const Moves& moves);
  // A number that an evaluator gave: it is no solution.
  Outcome judged(double number, Walker& walker) {
    numbers_.note(number, walker.index() == 0);
    return {0, numbers_.merit(number)};
  }
  // A solution from before the first simulation.
  void offer(const Solution& solution) { solutions_.offer(solution, 0, 0); }
  bool has_scale() const { return numbers_.range() > 0 || solutions_.has_any(); }
  // Can something be found below that is better than the best so far?
  bool can_beat_best(double bound) const { return solutions_.is_news(bound); }
  bool has_begun() const;

 private:
  bool may_walk(std::size_t worker) const override;
  bool is_finished() const override;
  std::size_t num_nodes() const override;
  void between_rounds() override;
  void prepare_roots();
  void make_graphs();
  void make_walkers();
  Means means_of(const Graph& graph) const { return {config_.graph, graph, table_.get(), numbers_}; }

  SearchConfig config_;
  const std::uint64_t seed_;
  Root root_;
  Numbers numbers_;
  Solutions solutions_;
  Stages stages_;
  GroupBiases biases_;
  SharedTable table_;
  std::vector<std::unique_ptr<Graph>> graphs_;  // one, or one per thread if roots are independent
  std::vector<std::unique_ptr<Walker>> walkers_;
  Growths growths_;
  Copies copies_;
  Rounds rounds_;
  std::mutex tree_lock_;  // of Parallel::GlobalLock
  std::atomic<bool> running_{false};
  mutable std::shared_mutex shape_;     // held alone while graphs change their shape
  std::atomic<bool> is_frozen_{false};  // recycling gains nothing any more: go on without new nodes
};

template <class Moves>
Outcome GraphSearch::outcome_of(double number, bool is_revisit, Walker& walker, const Moves& moves) {
  numbers_.note(number, walker.index() == 0);
  if (solutions_.is_news(number)) {
    std::uint64_t simulations = 1;
    for (const auto& other : walkers_) simulations += other->counts().simulations.load(std::memory_order_relaxed);
    solutions_.offer({number, moves()}, rounds_.seconds_since_start(), simulations);
  }
  const double merit = numbers_.merit(number);
  const double penalty = is_revisit ? config_.revisit_penalty : 0;
  return {0, penalty > 0 ? numbers_.penalised(merit, penalty) : merit};
}

}  // namespace tesuji
