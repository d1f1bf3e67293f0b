#include "go/learning_tables.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "go/contexts.hpp"

namespace tesuji::go {

namespace {

constexpr int kMostNodeBits = 20, kMostEdgeBits = 16;

// Per bit of context doubled: a node state a move, an edge state a pair of moves and a list of answers a move.
std::size_t node_bytes(std::size_t num_points) { return 2 * num_points; }
std::size_t edge_bytes(std::size_t num_points, int num_best) {
  return 2 * num_points * num_points + 2 * num_points * static_cast<std::size_t>(num_best) * sizeof(std::uint64_t);
}

int bits_within(std::size_t memory, std::size_t bytes, int most) {
  const auto times = static_cast<std::uint64_t>(memory / bytes);
  return times == 0 ? 0 : std::min(most, static_cast<int>(std::bit_width(times)) - 1);
}

void check(bool is_right, const char* what) {
  if (!is_right) throw std::invalid_argument(what);
}

// Where thresholds follow what a colour wins there is no middle of the scale: all states are ordered by how high their
// rate is at least.
learning::Scale scale_of(const LearningOptions& options) {
  learning::Scale scale;
  scale.z = options.z;
  if (options.is_relative) scale.threshold = 0.01;
  return scale;
}

struct Header {
  std::array<char, 8> mark = {'t', 'e', 's', 'u', 'j', 'i', 'L', 'P'};
  std::uint32_t version = 4;
  std::int32_t width = 0, height = 0, context_size = 0, num_best = 0, node_bits = 0, edge_bits = 0;
  std::int32_t node_offset = 0, edge_offset = 0;
  std::int16_t is_relative = 0, has_tree_layer = 0;
  float z = 0, black_rate = 0;
  std::uint64_t num_playouts = 0;
  std::array<std::uint32_t, 4> moves{};  // since thresholds were last adjusted: of nodes, then edges, black's first
};

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
void append_all(std::vector<std::byte>& bytes, const std::vector<std::atomic<T>>& column) {
  for (const auto& number : column) append(bytes, number.load(std::memory_order_relaxed));
}

template <class T>
std::span<const std::byte> take_all(std::span<const std::byte> bytes, std::vector<std::atomic<T>>& column) {
  for (auto& number : column) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    number.store(value, std::memory_order_relaxed);
    bytes = bytes.subspan(sizeof value);
  }
  return bytes;
}

}  // namespace

std::size_t LearningTables::least_memory(std::size_t num_points, int num_best) {
  return 4 * std::max(node_bytes(num_points), edge_bytes(num_points, num_best));  // one bit, of half the budget each
}

LearningTables::LearningTables(int width, int height, const LearningOptions& options)
    : options_(options),
      width_(width),
      height_(height),
      num_points_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
      states_(scale_of(options)),
      thresholds_(options, states_) {
  check(is_context_size(options.context_size), "a context has 4, 8, 12, 20, 24, 28, 36 or 40 neighbours");
  check(is_context_size(options.num_neighbours), "node moves are looked for on 4, 8, 12, 20, 24, 28, 36 or 40 points");
  check(options.num_best >= 1 && options.num_best <= 64, "the best answers to a move are 1 to 64");
  check(options.num_updates >= 0 && options.num_updates <= 4096, "a playout is learnt from in 0 to 4096 moves");
  check(options.illegal_limit >= 1 && options.illegal_limit <= 255, "an answer may be illegal 1 to 255 times");
  check(options.node_threshold > 0 && options.node_threshold < 1 && options.edge_threshold > 0 &&
            options.edge_threshold < 1,
        "a threshold lies between 0 and 1");
  const std::size_t least = least_memory(num_points_, options.num_best);
  if (options.memory < least)
    throw std::invalid_argument("a budget of " + std::to_string(options.memory) +
                                " bytes does not hold one bit of context on this board; the smallest that works is " +
                                std::to_string(least));
  node_bits_ = bits_within(options.memory / 2, node_bytes(num_points_), kMostNodeBits);
  edge_bits_ = bits_within(options.memory / 2, edge_bytes(num_points_, options.num_best), kMostEdgeBits);
  node_mask_ = (1u << node_bits_) - 1;
  edge_mask_ = (1u << edge_bits_) - 1;
  nodes_ = std::vector<std::atomic<State>>(node_bytes(num_points_) << node_bits_);
  edges_ = std::vector<std::atomic<State>>((2 * num_points_ * num_points_) << edge_bits_);
  answers_ = std::vector<std::atomic<std::uint64_t>>(((2 * num_points_) << edge_bits_) *
                                                     static_cast<std::size_t>(options.num_best));
  if (options.has_tree_layer) {
    LearningOptions layer = options;
    layer.has_tree_layer = false;
    tree_layer_ = std::make_unique<LearningTables>(width, height, layer);
  }
  clear();
}

std::size_t LearningTables::bytes() const { return nodes_.size() + edges_.size() + answers_.size() * 8; }

void LearningTables::clear() {
  for (auto* const states : {&nodes_, &edges_})
    for (auto& state : *states) state.store(0, std::memory_order_relaxed);
  for (auto& answer : answers_) answer.store(Answer{}.word(), std::memory_order_relaxed);
  thresholds_.clear();
  num_playouts_.store(0, std::memory_order_relaxed);
  if (tree_layer_ != nullptr) tree_layer_->clear();
}

void LearningTables::forget_counts() {
  for (auto& count : origins_) count.store(0, std::memory_order_relaxed);
  num_playouts_.store(0, std::memory_order_relaxed);
}

LearningTables::State LearningTables::state_of(double rate, double trials) const {
  const auto end = static_cast<double>(learning::Scale{}.end);
  const auto counted = static_cast<std::uint32_t>(std::clamp(trials, 1.0, end));
  const auto wins = static_cast<std::uint32_t>(std::clamp(rate, 0.0, 1.0) * counted + 0.5);
  for (std::size_t state = 1; state < states_.size(); ++state)
    if (states_.proportion(static_cast<State>(state)) == learning::Proportion{wins, counted})
      return static_cast<State>(state);
  return 0;
}

void LearningTables::teach(const Taught& taught) {
  nodes_[node_at(taught.color, taught.move, taught.context)].store(state_of(taught.rate, taught.trials),
                                                                   std::memory_order_relaxed);
}

void LearningTables::teach_answer(std::size_t to, std::uint32_t to_context, const Taught& taught) {
  const State state = state_of(taught.rate, taught.trials);
  edges_[edge_at(taught.color, to, taught.move, to_context ^ taught.context)].store(state, std::memory_order_relaxed);
  enter_answer(answers_to(taught.color, to, to_context), taught.move, edge_context(taught.context), state);
}

// Only what would be played now enters a list. A loss takes a state down: it changes what was in the list before.
void LearningTables::learn_edge(int color, std::size_t to, std::uint32_t to_context, std::size_t move,
                                std::uint32_t context, bool is_win, int threshold) {
  std::atomic<State>& state = edges_[edge_at(color, to, move, to_context ^ context)];
  const State before = get(state), after = states_.after(before, is_win);
  state.store(after, std::memory_order_relaxed);
  if (after >= threshold || (!is_win && before >= threshold))
    enter_answer(answers_to(color, to, to_context), move, edge_context(context), after);
}

// Answers that were illegal too often are nobody's; a new one takes the place of the lowest. Most are known already, so
// that is looked for first.
void LearningTables::enter_answer(std::size_t first, std::size_t move, std::uint16_t context, State state) {
  const std::size_t end = first + static_cast<std::size_t>(options_.num_best);
  const Answer entered{static_cast<std::uint16_t>(move), context, state, 0};
  const auto key = static_cast<std::uint32_t>(entered.word());
  for (std::size_t place = first; place < end; ++place)
    if (static_cast<std::uint32_t>(get(answers_[place])) == key) {
      set_answer(place, {entered.move, context, state, answer(place).illegal});
      return;
    }
  std::size_t lowest = first;
  int level = static_cast<int>(states_.size());
  for (std::size_t place = first; place < end; ++place) {
    const Answer known = answer(place);
    const bool is_free = known.move == kNoAnswer || known.illegal >= options_.illegal_limit;
    const int own_level = is_free ? -1 : known.state;
    if (own_level >= level) continue;
    level = own_level;
    lowest = place;
  }
  if (static_cast<int>(state) > level) set_answer(lowest, entered);
}

void LearningTables::count_playout(const LearningThresholds::Moves& moves) {
  thresholds_.count_moves(moves, num_playouts_.fetch_add(1, std::memory_order_relaxed) + 1);
}

std::vector<std::byte> LearningTables::save() const {
  Header header;
  header.width = width_;
  header.height = height_;
  header.context_size = options_.context_size;
  header.num_best = options_.num_best;
  header.node_bits = node_bits_;
  header.edge_bits = edge_bits_;
  const LearningThresholds::Balances balances = thresholds_.save();
  header.node_offset = balances.offsets[LearningThresholds::kNodes];
  header.edge_offset = balances.offsets[LearningThresholds::kEdges];
  header.is_relative = options_.is_relative;
  header.has_tree_layer = tree_layer_ != nullptr;
  header.z = static_cast<float>(options_.z);
  header.black_rate = balances.black_rate;
  header.num_playouts = num_playouts();
  for (std::size_t i = 0; i < header.moves.size(); ++i) header.moves[i] = balances.moves[i / 2][i % 2];
  std::vector<std::byte> bytes;
  bytes.reserve(sizeof header + this->bytes());
  append(bytes, header);
  append_all(bytes, nodes_);
  append_all(bytes, edges_);
  append_all(bytes, answers_);
  if (tree_layer_ != nullptr) {
    const std::vector<std::byte> layer = tree_layer_->save();
    bytes.insert(bytes.end(), layer.begin(), layer.end());
  }
  return bytes;
}

void LearningTables::load(std::span<const std::byte> saved) {
  check_saved(saved);
  take(saved);
}

void LearningTables::check_saved(std::span<const std::byte> saved) const {
  Header header;
  const Header own;
  check(saved.size() >= sizeof header, "what playouts have learnt is too short to be read");
  std::memcpy(&header, saved.data(), sizeof header);
  check(header.mark == own.mark, "this is not what playouts have learnt");
  check(header.version == own.version, "what playouts have learnt is of another version of Tesuji");
  check(header.width == width_ && header.height == height_, "what playouts have learnt is of another board size");
  check(header.context_size == options_.context_size && header.num_best == options_.num_best &&
            header.node_bits == node_bits_ && header.edge_bits == edge_bits_,
        "what playouts have learnt has contexts or lists of another size");
  check(header.z == static_cast<float>(options_.z) && header.is_relative == static_cast<int>(options_.is_relative),
        "what playouts have learnt was ordered with another alpha, or with thresholds of another kind");
  check(header.black_rate >= 0 && header.black_rate <= 1, "what playouts have learnt holds a rate that is none");
  check(header.has_tree_layer == static_cast<int>(tree_layer_ != nullptr),
        "what playouts have learnt was saved with learning_tree_nodes on, or it is on now and was not");
  const std::size_t own_size = sizeof header + bytes();
  check(saved.size() == own_size * (tree_layer_ != nullptr ? 2 : 1),
        "what playouts have learnt has another length than it says");
  const std::span<const std::byte> states = saved.subspan(sizeof header, nodes_.size() + edges_.size());
  for (const std::byte state : states)
    check(static_cast<std::size_t>(state) < states_.size(), "what playouts have learnt holds a state that is none");
  const std::span<const std::byte> answers = saved.subspan(sizeof header + states.size(), answers_.size() * 8);
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    std::uint64_t word;
    std::memcpy(&word, answers.data() + 8 * i, sizeof word);
    const Answer answer = Answer::of(word);
    check(answer.move == kNoAnswer || answer.move < num_points_, "what playouts have learnt answers off the board");
    check(answer.state < states_.size(), "what playouts have learnt holds a state that is none");
  }
  if (tree_layer_ != nullptr) tree_layer_->check_saved(saved.subspan(own_size));
}

void LearningTables::take(std::span<const std::byte> saved) {
  Header header;
  std::memcpy(&header, saved.data(), sizeof header);
  take_all(take_all(take_all(saved.subspan(sizeof header), nodes_), edges_), answers_);
  LearningThresholds::Balances balances{{header.node_offset, header.edge_offset}, {}, header.black_rate};
  for (std::size_t i = 0; i < header.moves.size(); ++i) balances.moves[i / 2][i % 2] = header.moves[i];
  thresholds_.restore(balances);
  num_playouts_.store(header.num_playouts, std::memory_order_relaxed);
  if (tree_layer_ != nullptr) tree_layer_->take(saved.subspan(sizeof header + bytes()));
}

}  // namespace tesuji::go
