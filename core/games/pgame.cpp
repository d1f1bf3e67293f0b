#include "games/pgame.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/rng.hpp"

namespace tesuji {

namespace {

// Each attempt at a game has its own random streams, so that a change of one kind of draw leaves the others alone.
enum Stream : std::uint64_t { kAmounts, kMerges, kGroups, kStreams };
Rng stream_of(const PGameSpec& spec, std::uint64_t attempt, Stream stream) {
  return Rng(spec.seed, attempt * kStreams + stream);
}

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

std::string shown(double number) {
  if (std::isinf(number)) return "more than 1e308";
  char text[32];
  std::snprintf(text, sizeof text, number < 1e15 ? "%.0f" : "%.3g", number);
  return text;
}

void check_whole(const char* name, int value, int low, int high) {
  if (value < low || value > high)
    refuse(std::string(name) + " is " + std::to_string(value) + "; it must lie in " + std::to_string(low) + ".." +
           std::to_string(high));
}

void check_share(const char* name, double value) {
  if (!(value >= 0 && value <= 1)) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    refuse(std::string(name) + " is " + text + "; it must be a probability, 0..1");
  }
}

void check_fields(const PGameSpec& spec) {
  check_whole("breadth", spec.breadth, 1, PGame::kMaxBreadth);
  check_whole("depth", spec.depth, 1, PGame::kMaxDepth);
  check_whole("num_groups", spec.num_groups, 0, PGame::kMaxGroups);
  check_share("combination", spec.combination);
  check_share("group_size", spec.group_size);
  check_share("group_bias", spec.group_bias);
  if (spec.combination == 1)
    refuse("combination is 1; it must be below 1, for where every node is merged into another one none is left");
  if (spec.mixed_root && spec.breadth == 1)
    refuse("breadth is 1, and a root with one move has no winning and losing ones; use mixed_root=False");
}

// Bytes of a game while it is drawn: what is kept, and what merging or unfolding needs for the last level.
double bytes_for(const PGameSpec& spec, double num_nodes, double num_inner, double last_level) {
  const double per_node = sizeof(std::int32_t) + 1.0 / 8 + (spec.num_groups > 0 ? 1 : 0);
  double bytes = num_nodes * per_node;
  if (spec.combination > 0)
    bytes += num_inner * spec.breadth * sizeof(PGame::Node) +
             last_level * ((spec.amounts_in_range ? 4 : 2) * sizeof(PGame::Node) + 1);
  return bytes;
}

[[noreturn]] void refuse_size(const PGameSpec& spec, const char* about, double num_nodes, double bytes) {
  refuse("a P-game of breadth " + std::to_string(spec.breadth) + " and depth " + std::to_string(spec.depth) + " has " +
         about + shown(num_nodes) + " nodes, which need " + shown(bytes) + " bytes; the cap is " +
         std::to_string(spec.memory_bytes) + ": lower breadth or depth, or raise memory_bytes");
}

constexpr double kMostNodes = std::numeric_limits<PGame::Node>::max();

// Before anything is drawn; returns the number of nodes. That of a DAG varies; this is what it is on average.
double check_size(const PGameSpec& spec, double combination) {
  double level = 1, num_nodes = 1, num_inner = 0, drawn = 1;
  for (int depth = 1; depth <= spec.depth; ++depth) {
    num_inner = num_nodes;
    drawn = level * spec.breadth;
    level = std::max(1.0, drawn * (1 - combination));
    num_nodes += level;
  }
  const double bytes = bytes_for(spec, num_nodes, num_inner, drawn);
  if (bytes > static_cast<double>(spec.memory_bytes) || num_nodes > kMostNodes)
    refuse_size(spec, combination > 0 ? "about " : "", num_nodes, bytes);
  return num_nodes;
}

// Before a level of `size` nodes is drawn behind `start` others: an unusually large DAG ends here.
void check_level(const PGameSpec& spec, std::size_t start, std::size_t size) {
  const auto num_nodes = static_cast<double>(start + size);
  const double bytes = bytes_for(spec, num_nodes, static_cast<double>(start), static_cast<double>(size));
  if (bytes > static_cast<double>(spec.memory_bytes) || num_nodes > kMostNodes)
    refuse_size(spec, "more than ", num_nodes, bytes);
}

constexpr PGame::Node kLeaving = std::numeric_limits<PGame::Node>::max();

// Who takes the place of each node of a level: itself, or with probability `combination` any other one.
std::vector<PGame::Node> draw_merges(std::size_t size, double combination, Rng& rng) {
  std::vector<PGame::Node> into(size);
  for (std::size_t i = 0; i < size; ++i) {
    into[i] = static_cast<PGame::Node>(i);
    if (size == 1 || rng.unit() >= combination) continue;
    const std::uint64_t other = rng.below(size - 1);
    into[i] = static_cast<PGame::Node>(other < i ? other : other + 1);
  }
  return into;
}

// The same where no amount may leave its range: who is merged goes to any one of those that stay and whose score the
// move could have led to; where there is none it stays, too. `scores` are those of the level, `above` its parents'.
std::vector<PGame::Node> draw_merges_in_range(std::span<const std::int32_t> scores, std::span<const std::int32_t> above,
                                              std::size_t breadth, std::int32_t sign, double combination, Rng& rng) {
  using Scored = std::pair<std::int32_t, PGame::Node>;
  std::vector<PGame::Node> into(scores.size());
  std::vector<Scored> staying;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto node = static_cast<PGame::Node>(i);
    const bool leaves = rng.unit() < combination;
    into[i] = leaves ? kLeaving : node;
    if (!leaves) staying.emplace_back(scores[i], node);
  }
  std::ranges::sort(staying);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (into[i] != kLeaving) continue;
    const std::int32_t from = above[i / breadth], reach = from + sign * PGame::kMaxAmount;
    const auto first = std::ranges::lower_bound(staying, std::min(from, reach), {}, &Scored::first);
    const auto last = std::ranges::upper_bound(staying, std::max(from, reach), {}, &Scored::first);
    const auto choices = static_cast<std::uint64_t>(last - first);
    into[i] =
        choices == 0 ? static_cast<PGame::Node>(i) : (first + static_cast<std::ptrdiff_t>(rng.below(choices)))->second;
  }
  return into;
}

// Makes every node point to the end of its chain. In a ring the node that is met twice stays. Every node is passed at
// most three times, so this is linear, however long the chains are.
void collapse_chains(std::vector<PGame::Node>& into) {
  enum State : std::uint8_t { kUnknown, kOnTheWay, kDone };
  std::vector<std::uint8_t> state(into.size(), kUnknown);
  for (PGame::Node first = 0; first < into.size(); ++first) {
    PGame::Node end = first;
    while (state[end] == kUnknown) {
      state[end] = kOnTheWay;
      end = into[end];
    }
    if (state[end] == kDone) end = into[end];
    PGame::Node next = first;
    while (state[next] == kOnTheWay) {
      state[next] = kDone;
      next = std::exchange(into[next], end);
    }
  }
}

}  // namespace

void PGame::check(const PGameSpec& spec) {
  check_fields(spec);
  check_size(spec, spec.combination);
}

PGame::PGame(const PGameSpec& spec) : PGame(spec, Empty{}) {
  check_fields(spec);
  reserve(static_cast<std::size_t>(check_size(spec, spec.combination)));
  for (;; ++num_redraws_) {
    const auto attempt = static_cast<std::uint64_t>(num_redraws_);
    draw(attempt);
    evaluate();
    if (spec.mixed_root && !(any_child(0, true) && any_child(0, false))) {
      if (num_redraws_ == kMaxRedraws)
        refuse("none of " + std::to_string(kMaxRedraws) +
               " roots had both winning and losing moves; use another breadth, depth or combination");
      continue;
    }
    draw_groups(attempt);
    break;
  }
  count_amounts_out_of_range();
}

// So that the vectors of a tree are made once; those of a DAG may turn out a little larger.
void PGame::reserve(std::size_t num_nodes) {
  scores_.reserve(num_nodes);
  first_wins_.reserve(num_nodes / 64 + 1);
  if (spec_.combination > 0) children_.reserve(num_nodes);
  if (spec_.num_groups > 0) groups_.reserve(num_nodes);
}

// Level by level: draw a child for every move of the level above, then merge.
void PGame::draw(std::uint64_t attempt) {
  Rng amounts = stream_of(spec_, attempt, kAmounts), merges = stream_of(spec_, attempt, kMerges);
  level_starts_.assign({0, 1});
  scores_.assign(1, 0);
  children_.clear();
  for (std::size_t level = 1; level <= static_cast<std::size_t>(spec_.depth); ++level) {
    const Node above = level_starts_[level - 1], start = level_starts_[level];
    check_level(spec_, start, (start - above) * breadth_);
    const std::int32_t sign = mover_into(level) == 0 ? 1 : -1;
    for (Node parent = above; parent < start; ++parent)
      for (std::size_t i = 0; i < breadth_; ++i)
        scores_.push_back(scores_[parent] + sign * static_cast<std::int32_t>(amounts.below(kMaxAmount + 1)));
    if (spec_.combination > 0) merge_level(level, merges);
    level_starts_.push_back(static_cast<Node>(num_nodes()));
  }
  first_leaf_ = level_starts_[level_starts_.size() - 2];
}

// The last level drawn: draws who is merged, closes the ranks, and links the level above.
void PGame::merge_level(std::size_t level, Rng& rng) {
  const Node start = level_starts_[level];
  const std::span<const std::int32_t> scores(scores_);
  std::vector<Node> into =
      spec_.amounts_in_range
          ? draw_merges_in_range(scores.subspan(start),
                                 scores.subspan(level_starts_[level - 1], start - level_starts_[level - 1]), breadth_,
                                 mover_into(level) == 0 ? 1 : -1, spec_.combination, rng)
          : draw_merges(num_nodes() - start, spec_.combination, rng);
  collapse_chains(into);
  std::vector<Node> place(into.size());
  Node end = start;
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (into[i] != i) continue;
    scores_[end] = scores_[start + i];
    place[i] = end++;
  }
  for (const Node stays : into) children_.push_back(place[stays]);
  scores_.resize(end);
}

// From the leaves to the root: children have higher numbers than their parents.
void PGame::evaluate() {
  first_wins_.assign(num_nodes() / 64 + 1, 0);
  for (Node node = first_leaf_; node < num_nodes(); ++node) set_winner(node, scores_[node] > 0);
  for (std::size_t level = static_cast<std::size_t>(spec_.depth); level-- > 0;) {
    const bool first_moves = mover_into(level + 1) == 0;
    for (Node node = level_starts_[level]; node < level_starts_[level + 1]; ++node)
      set_winner(node, any_child(node, first_moves) == first_moves);
  }
}

bool PGame::any_child(Node node, bool won_by_first) const {
  for (Move move = 0; move < spec_.breadth; ++move)
    if (first_wins(child(node, move)) == won_by_first) return true;
  return false;
}

// All parents of a node have the same mover, so whether the move into it wins is the node's affair. The moves of the
// root are in no group.
void PGame::draw_groups(std::uint64_t attempt) {
  if (spec_.num_groups == 0) return;
  Rng rng = stream_of(spec_, attempt, kGroups);
  groups_.assign(num_nodes(), 0);
  for (std::size_t level = 2; level <= static_cast<std::size_t>(spec_.depth); ++level) {
    const bool first_moved = mover_into(level) == 0;
    for (Node node = level_starts_[level]; node < level_starts_[level + 1]; ++node) {
      const bool wins = first_wins(node) == first_moved;
      const double share = spec_.group_size * (wins ? spec_.group_bias : 1 - spec_.group_bias);
      for (int group = 0; group < spec_.num_groups; ++group)
        if (rng.unit() < share) groups_[node] |= static_cast<std::uint8_t>(1u << group);
    }
  }
}

void PGame::count_amounts_out_of_range() {
  num_amounts_out_of_range_ = 0;
  for (std::size_t level = 0; level < static_cast<std::size_t>(spec_.depth); ++level) {
    const std::int32_t sign = mover_into(level + 1) == 0 ? 1 : -1;
    for (Node node = level_starts_[level]; node < level_starts_[level + 1]; ++node)
      for (Move move = 0; move < spec_.breadth; ++move) {
        const std::int32_t amount = sign * (scores_[child(node, move)] - scores_[node]);
        num_amounts_out_of_range_ += amount < 0 || amount > kMaxAmount;
      }
  }
}

PGame PGame::unfolded(std::size_t memory_bytes) const {
  PGameSpec spec = spec_;
  spec.memory_bytes = memory_bytes;
  const auto num_nodes = static_cast<std::size_t>(check_size(spec, 0));
  PGame tree(spec, Empty{});
  tree.num_redraws_ = num_redraws_;
  tree.first_wins_.resize(num_nodes / 64 + 1);
  const auto enter = [&](Node node) {
    tree.set_winner(static_cast<Node>(tree.num_nodes()), first_wins(node));
    tree.scores_.push_back(scores_[node]);
    if (!groups_.empty()) tree.groups_.push_back(groups_[node]);
  };
  tree.scores_.reserve(num_nodes);
  tree.groups_.reserve(groups_.empty() ? 0 : num_nodes);
  tree.level_starts_ = {0, 1};
  std::vector<Node> level{0};  // the nodes of this game that the tree's level consists of
  enter(0);
  for (int depth = 0; depth < spec_.depth; ++depth) {
    std::vector<Node> below;
    below.reserve(level.size() * breadth_);
    for (const Node node : level)
      for (Move move = 0; move < spec_.breadth; ++move) enter(below.emplace_back(child(node, move)));
    tree.level_starts_.push_back(static_cast<Node>(tree.num_nodes()));
    level = std::move(below);
  }
  tree.first_leaf_ = tree.level_starts_[tree.level_starts_.size() - 2];
  tree.count_amounts_out_of_range();
  return tree;
}

void PGamePosition::find_groups(const PGamePosition& position, std::span<const Move> moves, GroupList& groups) {
  const PGame& game = *position.game_;
  if (game.groups().empty() || position.node_ == 0) return;
  for (int group = 0; group < game.spec().num_groups; ++group) {
    MoveList& members = groups.add(static_cast<std::uint16_t>(group + 1));
    for (Move move = 0; move < static_cast<Move>(moves.size()); ++move)  // all moves are legal everywhere
      if ((game.groups()[game.child(position.node_, move)] >> group & 1) != 0) members.push_back(move);
  }
}

std::vector<NamedMoves> PGamePosition::groups(bool overlap) const {
  std::vector<NamedMoves> found;
  if (game_->groups().empty() || node_ == 0 || is_over()) return found;
  const auto mask_of = [&](Move move) { return game_->groups()[game_->child(node_, move)]; };
  const auto enter = [&](std::string name, const auto& is_member) {
    NamedMoves group{std::move(name), {}};
    for (Move move = 0; move < game_->breadth(); ++move)
      if (is_member(mask_of(move))) group.moves.push_back(move);
    if (!group.moves.empty()) found.push_back(std::move(group));
  };
  for (int group = 0; group < game_->spec().num_groups; ++group)
    enter("group " + std::to_string(group + 1), [&](std::uint8_t mask) { return (mask >> group & 1) != 0; });
  enter("else", [&](std::uint8_t mask) { return overlap || mask == 0; });
  return found;
}

}  // namespace tesuji
