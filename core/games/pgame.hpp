// P-games: artificial games whose exact value is known (the UCT-DAG report, 2.1.1, 2.3.1 and 2.5.1). See
// docs/algorithms/p-games.md.
//
// The players move in turns, `depth` moves in all, with `breadth` choices each. A move of the first player adds a
// random 0..127 to the score, one of the second -127..0. The first player wins if the score is above 0 at the end.
//
// A game is a tree, or a DAG made from one by merging nodes of a level; a merged node has the score of the one that
// stays, so all paths to a node have one length and one score. Some amounts leave their range then, unless nodes are
// only merged into such as keep them in it. It is drawn once, level by level, in time linear in its nodes (or almost:
// who keeps amounts in range sorts a level), and never changes; a `PGamePosition` is a place in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "games/game.hpp"
#include "games/groups.hpp"

namespace tesuji {

// What a P-game is drawn from. tesuji.games.PGameSpec documents the fields.
struct PGameSpec {
  int breadth = 2;
  int depth = 20;
  double combination = 0;  // the probability with which a node is merged into another one of its level
  std::uint64_t seed = 1;
  bool mixed_root = true;         // draw again while all moves of the root win, or all lose
  bool amounts_in_range = false;  // merge a node only into one that keeps the amount of its move in range
  int num_groups = 0;
  double group_size = 1, group_bias = 1;
  std::size_t memory_bytes = std::size_t{1} << 30;
};

class PGame {
 public:
  using Node = std::uint32_t;  // numbered level by level; the root is 0

  static constexpr int kMaxAmount = 127;
  static constexpr int kMaxBreadth = 10'000, kMaxDepth = 1'000, kMaxGroups = 8, kMaxRedraws = 20'000;

  // Throws std::invalid_argument if a field is out of range, or if the game needs more memory than the cap: the message
  // says how many nodes it has.
  static void check(const PGameSpec& spec);

  // Throws likewise, and if no root with both winning and losing moves turns up.
  explicit PGame(const PGameSpec& spec);

  // The tree of all paths, in which every node has one parent. Values, scores and groups are those of the nodes.
  PGame unfolded(std::size_t memory_bytes) const;

  const PGameSpec& spec() const { return spec_; }
  int breadth() const { return spec_.breadth; }
  std::size_t num_nodes() const { return scores_.size(); }
  // Where each level begins, and where the last one ends: depth + 2 numbers.
  const std::vector<Node>& level_starts() const { return level_starts_; }
  bool is_leaf(Node node) const { return node >= first_leaf_; }
  bool is_tree() const { return children_.empty(); }
  // A tree keeps no children: that is a fetch from a large table for each move of a walk, and memory.
  Node child(Node node, Move move) const {
    const std::size_t place = node * breadth_ + static_cast<std::size_t>(move);
    return is_tree() ? static_cast<Node>(place + 1) : children_[place];
  }
  // Under best play.
  bool first_wins(Node node) const { return (first_wins_[node / 64] >> (node % 64) & 1) != 0; }

  // By node: the score that all paths to it have; a bit for each group that it is in.
  const std::vector<std::int32_t>& scores() const { return scores_; }
  const std::vector<std::uint8_t>& groups() const { return groups_; }  // empty if there are none

  int num_redraws() const { return num_redraws_; }  // roots that were thrown away
  std::size_t num_amounts_out_of_range() const { return num_amounts_out_of_range_; }

 private:
  struct Empty {};
  PGame(const PGameSpec& spec, Empty) : spec_(spec), breadth_(static_cast<std::size_t>(spec.breadth)) {}

  void reserve(std::size_t num_nodes);
  void draw(std::uint64_t attempt);
  void draw_groups(std::uint64_t attempt);
  void merge_level(std::size_t level, Rng& rng);
  void evaluate();
  void count_amounts_out_of_range();
  bool any_child(Node node, bool won_by_first) const;
  void set_winner(Node node, bool first) {
    const std::uint64_t bit = std::uint64_t{1} << (node % 64);
    first_wins_[node / 64] = first ? first_wins_[node / 64] | bit : first_wins_[node / 64] & ~bit;
  }
  int mover_into(std::size_t level) const { return static_cast<int>((level + 1) % 2); }

  PGameSpec spec_;
  std::size_t breadth_;
  Node first_leaf_ = 0;
  std::vector<Node> level_starts_;
  std::vector<Node> children_;  // `breadth` for each node that is no leaf; none in a tree
  std::vector<std::int32_t> scores_;
  std::vector<std::uint64_t> first_wins_;  // a bit for each node
  std::vector<std::uint8_t> groups_;
  int num_redraws_ = 0;
  std::size_t num_amounts_out_of_range_ = 0;
};

struct NamedMoves {
  std::string name;
  MoveList moves;
};

// A place in a P-game, which must outlive it. Its identity is the node. A move is a number from 0 to breadth - 1; the
// same number means nothing in common from node to node, so AMAF has nothing to learn here.
class PGamePosition {
 public:
  explicit PGamePosition(const PGame& game) : game_(&game) {}

  const PGame& game() const { return *game_; }
  PGame::Node node() const { return node_; }

  int num_distinct_moves() const { return game_->breadth(); }
  int to_play() const { return to_play_; }
  bool is_over() const { return game_->is_leaf(node_); }
  double value() const { return game_->first_wins(node_) ? 1.0 : 0.0; }
  std::uint64_t hash() const { return node_; }

  void legal_moves(MoveList& moves) const {
    if (is_over()) return;
    for (Move move = 0; move < game_->breadth(); ++move) moves.push_back(move);
  }
  bool is_legal(Move move) const { return !is_over() && move >= 0 && move < game_->breadth(); }

  void play(Move move) {
    node_ = game_->child(node_, move);
    to_play_ ^= 1;
  }

  Move random_move(Rng& rng) const {
    return static_cast<Move>(rng.below(static_cast<std::uint64_t>(game_->breadth())));
  }
  using Stepper = RandomMoves<PGamePosition>;

  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    return play_out_by_steps(*this, rng, record);
  }

  // Does the move win for the player who makes it?
  bool is_winning(Move move) const { return game_->first_wins(game_->child(node_, move)) == (to_play_ == 0); }

  // The groups of this place that have moves, "group 1" and so on, and then "else": all moves if groups overlap, else
  // those in no other group. Nothing at the root, at the end, and in a game without groups.
  std::vector<NamedMoves> groups(bool overlap) const;

  // A Grouper: the same groups without "else", "group 1" as kind 1 and so on.
  static void find_groups(const PGamePosition& position, std::span<const Move> moves, GroupList& groups);

 private:
  const PGame* game_;
  PGame::Node node_ = 0;
  int to_play_ = 0;
};

static_assert(Game<PGamePosition> && HasPlayout<PGamePosition> && HasStepper<PGamePosition> &&
              HasLegality<PGamePosition>);

}  // namespace tesuji
