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

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "go/learning_options.hpp"
#include "go/learning_thresholds.hpp"
#include "go/points.hpp"
#include "learning/win_loss_states.hpp"

namespace tesuji::go {

class LearningTables {
 public:
  using State = std::uint8_t;

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
    learn_edge(color, to, to_context, move, context, is_win, thresholds_.of(LearningThresholds::kEdges, color));
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

  // From which state on a colour plays a move.
  const LearningThresholds& thresholds() const { return thresholds_; }
  LearningThresholds& thresholds() { return thresholds_; }
  // One more playout, with so many moves of each kind, black's and white's.
  void count_playout(const LearningThresholds::Moves& moves);

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
  State state_of(double rate, double trials) const;
  void enter_answer(std::size_t first, std::size_t move, std::uint16_t context, State state);

  LearningOptions options_;
  int width_, height_;
  std::size_t num_points_;
  int node_bits_ = 0, edge_bits_ = 0;
  std::uint32_t node_mask_ = 0, edge_mask_ = 0;
  learning::WinLossStates<State> states_;
  LearningThresholds thresholds_;
  std::vector<std::atomic<State>> nodes_, edges_;
  std::vector<std::atomic<std::uint64_t>> answers_;
  std::vector<std::uint8_t> fates_;
  std::unique_ptr<LearningTables> tree_layer_;
  std::array<std::atomic<std::uint64_t>, kMaxOrigins> origins_{};
  std::atomic<std::uint64_t> num_playouts_{0};
};

}  // namespace tesuji::go
