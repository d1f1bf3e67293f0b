// Everything that varies in a search, as one value. Names and meaning are those of tesuji.search.SearchConfig, which
// documents and checks them; the core only reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tesuji {

enum class Selection { Ucb1, Ucb1Tuned, EpsilonGreedy, Bast, Puct };
enum class AmafSchedule { Off, HandSelected, MinimumMse };
enum class PriorUse { Off, VirtualVisits, ProgressiveBias, Horizon };
enum class Expansion { OneChild, AllChildren, WholePath };
enum class GraphMode { Tree, Dag, SharedValues, SharedCounts, Multipath };
// Do equal states share a node? (With shared values they share an entry of a table.)
constexpr bool shares_nodes(GraphMode mode) {
  return mode == GraphMode::Dag || mode == GraphMode::SharedCounts || mode == GraphMode::Multipath;
}
enum class Parallel { LockFree, GlobalLock, Roots };

struct SearchConfig {
  Selection selection = Selection::Ucb1;
  float exploration = 0.7f;  // C
  float epsilon = 0.1f;      // of epsilon-greedy
  float smoothness = 0.1f;   // delta of BAST at depth 1; halves with each level
  float first_play_urgency = std::numeric_limits<float>::infinity();

  AmafSchedule amaf = AmafSchedule::Off;
  float rave_k = 1000;             // hand-selected: beta = sqrt(k / (3n + k))
  float rave_bias = 1 / 3000.f;    // minimum MSE: beta = m / (m + n + m n b)
  float rave_exploration = 0;      // C of the RAVE term's own bound
  bool amaf_fades = false;         // a move made d moves later counts 2 (1 - d / moves left) instead of 1
  std::uint32_t amaf_horizon = 0;  // only moves made fewer moves later count; 0: all

  PriorUse prior_use = PriorUse::Off;
  float prior_weight = 10;    // virtual visits, or the factor of the progressive bias
  bool prior_fades = true;    // progressive bias: divided by n + 1, or permanent
  float prior_horizon = 100;  // visits until the prior has no weight left
  bool wants_priors = false;  // priors are kept though the built-in formulas use none

  bool widening = false;
  float widening_scale = 2.972f;   // Ks = 1 / ln 1.4
  float widening_rate = 1 / 40.f;  // Kf
  int widening_minimum = 2;        // Nmin

  int width = 0;                     // edges that a node gets at first, its best by prior; 0: all
  std::uint32_t width_walks = 1000;  // walks through it after which it gets the others

  Expansion expansion = Expansion::OneChild;
  std::uint32_t maturity = 1;  // visits of a node before it gets edges
  GraphMode graph = GraphMode::Tree;
  std::size_t table_entries = 500'000;     // shared values: capacity of the table
  std::uint32_t table_min_references = 2;  // entries with fewer are dropped between moves
  std::uint32_t max_ancestors = 1000;      // multipath: off the path, updated by one simulation
  bool solver = false;                     // one player: close what is finished
  bool reads_edges = false;                // a node is worth what its edges know, not its own results
  double revisit_penalty = 0;  // one player: the share of its value that a solution loses which the graph alone made

  float evaluator_weight = 1;                       // of an evaluator's value; the rest is the playout's
  std::uint32_t evaluator_after = 0;                // a leaf with fewer visits is played out, and not asked about
  std::uint32_t evaluator_visits = 1;               // that a simulation counts whose leaf was evaluated
  int batch_size = 32;                              // leaves in a full batch
  double batch_timeout_s = 0.005;                   // how long a leaf waits for its batch to fill
  int batches_in_flight = 1;                        // evaluated at the same time
  std::size_t cache_bytes = std::size_t{64} << 20;  // of answers that are kept
  bool pends_walks = false;  // may a thread have several walks under way? (An evaluator is asked.)

  Parallel parallel = Parallel::LockFree;
  int num_threads = 1;
  std::size_t memory_bytes = std::size_t{1} << 30;
  int max_depth = 2000;
};

// Where counts are shared, an edge must know its state before it is walked.
constexpr bool makes_all_children(const SearchConfig& config) {
  return config.expansion == Expansion::AllChildren || config.graph == GraphMode::SharedCounts;
}

// Do several walks go through one graph at once, so that each must see the others?
constexpr bool has_company(const SearchConfig& config) {
  return config.pends_walks || (config.parallel != Parallel::Roots && config.num_threads > 1);
}

// What a graph must store for a config.
struct Columns {
  bool amaf = false, prior = false, squares = false, bounds = false, entry = false, in_flight = false;
  bool numbers = false;  // one player: sums of plain numbers
  bool backed = false;   // a back-up rule of the user's
  bool fades = false;    // AMAF counts parts of visits
};
constexpr Columns columns_for(const SearchConfig& config) {
  return {.amaf = config.amaf != AmafSchedule::Off,
          .prior = config.prior_use != PriorUse::Off || config.selection == Selection::Puct || config.wants_priors,
          .squares = config.selection == Selection::Ucb1Tuned,
          .bounds = config.selection == Selection::Bast,
          .entry = config.graph == GraphMode::SharedValues,
          .in_flight = has_company(config),
          .fades = config.amaf != AmafSchedule::Off && config.amaf_fades};
}

}  // namespace tesuji
