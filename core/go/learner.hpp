// One thread's dealings with the tables of playouts that learn: it keeps the contexts of the board up to date, looks
// moves up, and teaches the tables when a playout is over (Basaldúa, 4.7.2 to 4.7.7).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "go/contexts.hpp"
#include "go/learning_tables.hpp"
#include "go/points.hpp"

namespace tesuji::go {

// `S`: stones of any tracking.
template <class S>
class Learner {
 public:
  static constexpr int kCapacity = S::kCapacity;
  using L = Layout<kCapacity>;

  // The tables must outlive it.
  explicit Learner(LearningTables& tables)
      : tables_(tables),
        tree_layer_(tables.tree_layer()),
        empty_(ContextKeys(tables.options().context_size), tables.width(), tables.height()),
        contexts_(empty_) {
    list_neighbours();
    played_.reserve(static_cast<std::size_t>(tables.options().num_updates) + 1);
  }

  Learner(const Learner&) = delete;  // its lists point into each other

  // A playout begins. Where the last move was made its surroundings are taken as they are now.
  void begin(const S& stones, Cell last) {
    contexts_ = empty_;
    contexts_.set_up(stones);
    played_.clear();
    played_.push_back({last == kPass ? kNoMove : point_of(last), 0, contexts_.of(last)});
    for (const auto kind : {LearningThresholds::kNodes, LearningThresholds::kEdges})
      for (const int color : {0, 1})
        thresholds_[kind][static_cast<std::size_t>(color)] = tables_.thresholds().of(kind, color);
    last_context_ = contexts_.of(last);
  }

  std::uint32_t context(Cell cell) const { return contexts_.of(cell); }

  // Before C moves, and after.
  template <Color C>
  void note(Cell cell) {
    if (cell != kPass) last_context_ = contexts_.of(cell);
    if (played_.size() <= static_cast<std::size_t>(tables_.options().num_updates))
      played_.push_back({cell == kPass ? kNoMove : point_of(cell), index_of(C), last_context_});
  }
  template <Color C>
  void follow(const S& stones, Cell cell) {
    if (cell != kPass) contexts_.template follow<C>(stones, cell);
  }

  // The best of the known answers to the last move whose surroundings are as they were, from the threshold on; kPass if
  // there is none. Answers that cannot be played are counted.
  template <Color C, class IsAcceptable>
  Cell edge_move(const S& stones, Cell last, const IsAcceptable& is_acceptable) {
    if (tree_layer_ != nullptr)
      if (const Cell known = edge_move_of<C>(*tree_layer_, stones, last, is_acceptable); known != kPass) return known;
    return edge_move_of<C>(tables_, stones, last, is_acceptable);
  }

  // The best move near the last one by what was learnt in such surroundings.
  template <Color C, class IsAcceptable>
  Cell node_move(const S& stones, Cell last, const IsAcceptable& is_acceptable) const {
    if (tree_layer_ != nullptr) {
      const Cell known = node_move_of<C>(tree_layer_->nodes_of(index_of(C)), stones, last, is_acceptable);
      if (known != kPass) return known;
    }
    return node_move_of<C>(nodes_[index_of(C)], stones, last, is_acceptable);
  }

  // The playout is over: the moves of the winner are worth more, the loser's less.
  void learn(bool black_won) {
    for (std::size_t i = 1; i < played_.size(); ++i) {
      const Played& played = played_[i];
      if (played.point == kNoMove) continue;
      const auto move = static_cast<std::size_t>(played.point);
      const bool is_win = (played.color == 0) == black_won;
      tables_.learn_node(played.color, move, played.context, is_win);
      const Played& before = played_[i - 1];
      if (before.point == kNoMove || tables_.is_far(static_cast<std::size_t>(before.point), move)) continue;
      tables_.learn_edge(played.color, static_cast<std::size_t>(before.point), before.context, move, played.context,
                         is_win, thresholds_[LearningThresholds::kEdges][static_cast<std::size_t>(played.color)]);
    }
  }

 private:
  static constexpr std::int32_t kNoMove = -1;
  struct Played {
    std::int32_t point;
    int color;
    std::uint32_t context;
  };
  struct NearPoint {
    Cell cell;
    std::uint16_t place;  // of its context
    std::uint32_t node;   // where its states begin
  };
  struct Near {
    const NearPoint* begin = nullptr;
    const NearPoint* end = nullptr;
  };

  std::int32_t point_of(Cell cell) const { return points_[cell]; }

  template <Color C, class IsAcceptable>
  Cell edge_move_of(LearningTables& tables, const S& stones, Cell last, const IsAcceptable& is_acceptable) {
    const auto to = static_cast<std::size_t>(point_of(last));
    const std::size_t first = tables.answers_to(index_of(C), to, last_context_);
    const std::size_t end = first + static_cast<std::size_t>(tables.options().num_best);
    int level = thresholds_[LearningThresholds::kEdges][index_of(C)] - 1;
    Cell best = kPass;
    for (std::size_t place = first; place < end; ++place) {
      LearningTables::Answer answer = tables.answer(place);
      if (answer.move == LearningTables::kNoAnswer) break;  // places are filled from the first on
      const Cell cell = cells_[answer.move];
      bool is_legal = stones.color(cell) == Color::Empty;
      if (is_legal) {
        if (tables.edge_context(contexts_.of(cell)) != answer.context) continue;
        const int state = tables.edge(index_of(C), to, last_context_, answer.move, contexts_.of(cell));
        if (state <= level || tables_.is_far(to, answer.move)) continue;
        is_legal = is_acceptable(cell);
        if (is_legal) {
          level = state;
          best = cell;
        }
      }
      note_legality(tables, place, answer, is_legal);
    }
    return best;
  }

  // Twenty look-ups a move: what does not change lies ready.
  template <Color C, class IsAcceptable>
  Cell node_move_of(const std::atomic<LearningTables::State>* states, const S& stones, Cell last,
                    const IsAcceptable& is_acceptable) const {
    const std::uint32_t mask = tables_.node_mask();
    int level = thresholds_[LearningThresholds::kNodes][index_of(C)] - 1;
    Cell best = kPass;
    for (const NearPoint *near = near_[last].begin, *end = near_[last].end; near != end; ++near) {
      if (stones.color(near->cell) != Color::Empty) continue;
      const int state = states[near->node + (contexts_.at(near->place) & mask)].load(std::memory_order_relaxed);
      if (state <= level) [[likely]]
        continue;
      if (tables_.is_far(static_cast<std::size_t>(point_of(last)), static_cast<std::size_t>(point_of(near->cell))) ||
          !is_acceptable(near->cell))
        continue;
      level = state;
      best = near->cell;
    }
    return best;
  }

  static void note_legality(LearningTables& tables, std::size_t place, LearningTables::Answer& answer, bool is_legal) {
    if (is_legal && answer.illegal == 0) return;
    if (!is_legal && answer.illegal == 255) return;
    answer.illegal = is_legal ? std::uint8_t{0} : static_cast<std::uint8_t>(answer.illegal + 1);
    tables.set_answer(place, answer);
  }

  void list_neighbours() {
    const auto num_neighbours = static_cast<std::size_t>(tables_.options().num_neighbours);
    const int width = tables_.width(), height = tables_.height();
    near_points_.reserve(tables_.num_points() * num_neighbours);  // it must not move
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        points_[L::cell(row, column)] = row * width + column;
        cells_.push_back(L::cell(row, column));
        const std::size_t first = near_points_.size();
        for (std::size_t i = 0; i < num_neighbours; ++i) {
          const int r = row + kNeighbours.of[i].row, c = column + kNeighbours.of[i].column;
          if (r < 0 || r >= height || c < 0 || c >= width) continue;
          const std::size_t node = tables_.first_node(static_cast<std::size_t>(r * width + c));
          near_points_.push_back({L::cell(r, c), static_cast<std::uint16_t>(WideLayout<kCapacity>::at(r, c)),
                                  static_cast<std::uint32_t>(node)});
        }
        near_[L::cell(row, column)] = {near_points_.data() + first, near_points_.data() + near_points_.size()};
      }
    for (const int color : {0, 1}) nodes_[static_cast<std::size_t>(color)] = tables_.nodes_of(color);
  }

  LearningTables& tables_;
  LearningTables* const tree_layer_;  // null: none
  const Contexts<kCapacity> empty_;   // of the empty board
  Contexts<kCapacity> contexts_;
  std::uint32_t last_context_ = 0;  // of the last move, before it was made
  std::array<std::array<int, 2>, 2> thresholds_{};
  std::vector<Played> played_;  // the first is the move that led to the playout
  std::array<std::int32_t, L::kCells> points_{};
  std::vector<Cell> cells_;
  std::vector<NearPoint> near_points_;
  std::array<Near, L::kCells> near_{};  // by cell, its neighbours among them
  std::array<const std::atomic<LearningTables::State>*, 2> nodes_{};
};

}  // namespace tesuji::go
