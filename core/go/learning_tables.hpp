// What playouts that learn remember: how often moves won in their surroundings, and as answers to other moves, as
// win/loss states (Basaldúa, 4.7). No tree: a "loose tree", whose nodes are a move in a local context and whose edges
// are an answer to a move in both contexts.
//
//   node state    [colour][move][context of the move]
//   edge state    [colour][previous move][move][both contexts, XORed]
//   best answers  [colour][previous move][its context]: k of them, with the contexts that they are expected in
//
// Contexts are cut to as many bits as a memory budget allows. One set of tables serves all threads of a search: every
// number is a relaxed atomic without read-modify-write, and an update that another thread overwrites is one among
// thousands. Passes are not learnt. docs/algorithms/learning-playouts.md.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "go/points.hpp"
#include "learning/win_loss_states.hpp"

namespace tesuji::go {

struct LearningOptions {
  int context_size = 40;
  int num_neighbours = 20;  // of the last move, where node moves are looked for
  int num_best = 8;         // k: answers kept for a move in its context
  int num_updates = 80;     // so many moves of a playout are learnt from
  int illegal_limit = 16;   // an answer that was illegal so often in a row makes room for another
  double node_threshold = 0.5, edge_threshold = 0.625;
  double z = 0.6744897501960817;  // of the order of states: how much evidence a rate needs (learning::Scale)
  bool is_relative = false;       // thresholds are counted from what a colour wins on the whole: 0.5 is surely above it
  bool balances = true;           // thresholds of black and white part until both play as many moves
  bool is_kept = true;            // from move to move
  int fate_limit = 0;  // nothing is learnt farther from the last move than this in the root's common fate graph; 0: all
  bool has_tree_layer = false;                // a second set of tables that playouts ask first and never teach
  std::size_t memory = std::size_t{4} << 20;  // bytes; the second set takes as much again
};

class LearningTables {
 public:
  using State = std::uint8_t;
  enum Kind { kNodes = 0, kEdges = 1 };

  // Throws std::invalid_argument for options that cannot be, and for a budget that does not hold one bit of context.
  LearningTables(int width, int height, const LearningOptions& options);

  const LearningOptions& options() const { return options_; }
  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t num_points() const { return num_points_; }
  int node_bits() const { return node_bits_; }
  int edge_bits() const { return edge_bits_; }
  std::size_t bytes() const;
  static std::size_t least_memory(std::size_t num_points, int num_best);

  // --- nodes ---

  // For loops over moves: the states of a colour, where those of a move begin, and which bits of a context count.
  const std::atomic<State>* nodes_of(int color) const { return nodes_.data() + node_at(color, 0, 0); }
  std::size_t first_node(std::size_t move) const { return move << node_bits_; }
  std::uint32_t node_mask() const { return node_mask_; }

  State node(int color, std::size_t move, std::uint32_t context) const {
    return get(nodes_[node_at(color, move, context)]);
  }
  void learn_node(int color, std::size_t move, std::uint32_t context, bool is_win) {
    learn(nodes_[node_at(color, move, context)], is_win);
  }

  // --- edges: `color` answers at `move` to the opponent's `to` ---

  struct Answer {
    std::uint16_t move = kNoAnswer;
    std::uint16_t context = 0;  // as many bits as edges have
    State state = 0;
    std::uint8_t illegal = 0;  // how often in a row
  };
  static constexpr std::uint16_t kNoAnswer = 0xFFFF;

  std::uint16_t edge_context(std::uint32_t context) const { return static_cast<std::uint16_t>(context & edge_mask_); }
  State edge(int color, std::size_t to, std::uint32_t to_context, std::size_t move, std::uint32_t context) const {
    return get(edges_[edge_at(color, to, move, to_context ^ context)]);
  }
  // The place of the first of the best answers, and one of them.
  std::size_t answers_to(int color, std::size_t to, std::uint32_t to_context) const {
    return ((static_cast<std::size_t>(color) * num_points_ + to) << edge_bits_ | (to_context & edge_mask_)) *
           static_cast<std::size_t>(options_.num_best);
  }
  Answer answer(std::size_t place) const { return unpack(answers_[place].load(std::memory_order_relaxed)); }
  void set_answer(std::size_t place, const Answer& answer) {
    answers_[place].store(pack(answer), std::memory_order_relaxed);
  }
  void learn_edge(int color, std::size_t to, std::uint32_t to_context, std::size_t move, std::uint32_t context,
                  bool is_win) {
    learn_edge(color, to, to_context, move, context, is_win, threshold(kEdges, color));
  }
  // With the colour's threshold at hand.
  void learn_edge(int color, std::size_t to, std::uint32_t to_context, std::size_t move, std::uint32_t context,
                  bool is_win, int threshold);

  // --- the second layer: what the tree knows (Basaldúa, 7.3.1) ---

  struct Taught {
    int color;
    std::size_t move;
    std::uint32_t context;
    double rate;  // of wins
    double trials;
  };
  LearningTables* tree_layer() const { return tree_layer_.get(); }
  // A state as if a move had won so often; longer records than the scale's keep their rate. While no thread plays.
  void teach(const Taught& taught);
  void teach_answer(std::size_t to, std::uint32_t to_context, const Taught& taught);

  // --- thresholds, and the balance of black and white (4.7.4) ---

  // From which state on a colour plays a move of a kind.
  int threshold(Kind kind, int color) const {
    const int offset = get(balances_[kind].offset);
    const int middle = options_.is_relative ? relative_threshold(kind, color) : thresholds_[kind];
    return std::clamp(middle + (color == 0 ? offset : -offset), 1, static_cast<int>(states_.size()) - 1);
  }
  int offset(Kind kind) const { return get(balances_[kind].offset); }
  // What black won of the last hundred playouts or so.
  double black_rate() const { return get(black_rate_); }
  void count_result(bool black_won) {
    black_rate_.store(get(black_rate_) + kRateStep * ((black_won ? 1.0f : 0.0f) - get(black_rate_)),
                      std::memory_order_relaxed);
  }
  // One more playout, with so many moves of each kind, black's and white's.
  void count_playout(const std::array<std::array<std::uint32_t, 2>, 2>& moves);

  // --- which moves lie together: distances in the common fate graph of the root, if there is a limit ---

  bool has_fates() const { return !fates_.empty(); }
  bool is_far(std::size_t from, std::size_t to) const {
    return !fates_.empty() && fates_[from * num_points_ + to] > options_.fate_limit;
  }
  // While no thread plays.
  void set_fates(std::vector<std::uint8_t> fates) { fates_ = std::move(fates); }

  void clear();
  std::vector<std::byte> save() const;
  // Takes what save() gave, of tables for the same board with the same sizes; throws std::invalid_argument for anything
  // else, and nothing is changed.
  void load(std::span<const std::byte> saved);

  // Moves by origin, of all playouts.
  static constexpr std::size_t kMaxOrigins = 32;
  void count_origins(std::span<const std::uint32_t> counts) {
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] != 0) origins_[i].fetch_add(counts[i], std::memory_order_relaxed);
  }
  std::uint64_t num_moves_from(std::size_t origin) const { return origins_[origin].load(std::memory_order_relaxed); }
  std::uint64_t num_playouts() const { return num_playouts_.load(std::memory_order_relaxed); }
  void forget_counts();

  const learning::WinLossStates<State>& states() const { return states_; }

 private:
  template <class T>
  static T get(const std::atomic<T>& number) {
    return number.load(std::memory_order_relaxed);
  }
  void learn(std::atomic<State>& state, bool is_win) const {
    state.store(states_.after(get(state), is_win), std::memory_order_relaxed);
  }
  static Answer unpack(std::uint64_t word) {
    return {static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(word >> 16), static_cast<State>(word >> 32),
            static_cast<std::uint8_t>(word >> 40)};
  }
  static std::uint64_t pack(const Answer& answer) {
    return std::uint64_t{answer.move} | std::uint64_t{answer.context} << 16 | std::uint64_t{answer.state} << 32 |
           std::uint64_t{answer.illegal} << 40;
  }
  std::size_t node_at(int color, std::size_t move, std::uint32_t context) const {
    return (static_cast<std::size_t>(color) * num_points_ + move) << node_bits_ | (context & node_mask_);
  }
  std::size_t edge_at(int color, std::size_t to, std::size_t move, std::uint32_t contexts) const {
    return ((static_cast<std::size_t>(color) * num_points_ + to) * num_points_ + move) << edge_bits_ |
           (contexts & edge_mask_);
  }
  int relative_threshold(Kind kind, int color) const;
  State state_of(double rate, double trials) const;
  void enter_answer(std::size_t first, std::size_t move, std::uint16_t context, State state);
  void adjust(Kind kind);

  struct Balance {
    std::atomic<int> offset{0};  // what black needs more than white
    std::array<std::atomic<std::uint32_t>, 2> moves{};
  };

  LearningOptions options_;
  int width_, height_;
  std::size_t num_points_;
  int node_bits_ = 0, edge_bits_ = 0;
  std::uint32_t node_mask_ = 0, edge_mask_ = 0;
  learning::WinLossStates<State> states_;
  std::array<int, 2> thresholds_{};
  std::array<Balance, 2> balances_{};
  static constexpr float kRateStep = 1.0f / 64;
  std::atomic<float> black_rate_{0.5f};
  std::vector<State> surely_above_;  // by rate in hundredths, the first state whose lower bound is not below it
  std::vector<std::atomic<State>> nodes_, edges_;
  std::vector<std::atomic<std::uint64_t>> answers_;
  std::vector<std::uint8_t> fates_;
  std::unique_ptr<LearningTables> tree_layer_;
  std::array<std::atomic<std::uint64_t>, kMaxOrigins> origins_{};
  std::atomic<std::uint64_t> num_playouts_{0};
};

}  // namespace tesuji::go
