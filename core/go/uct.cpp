#include "go/uct.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/rng.hpp"
#include "go/playout.hpp"
#include "go/score.hpp"

namespace tesuji::go {

namespace {

struct Node {
  Cell move = kPass;
  std::uint32_t first_child = 0;
  std::uint32_t num_children = 0;  // 0: not expanded
  std::uint32_t visits = 0;
  double black_wins = 0;  // values are black's; the side that moves flips them
};

template <int Capacity>
class Tree {
 public:
  using S = Stones<Capacity, kLight>;

  Tree(const Board& board, const UctConfig& config)
      : board_(board),
        config_(config),
        root_(stones_of<S>(board)),
        rng_(config.seed),
        owned_(static_cast<std::size_t>(board.num_points())),
        nodes_(1) {
    expand_root();
  }

  // One simulation: walk down, expand a leaf that was seen before, play out, back up.
  void simulate() {
    S stones = root_;
    Color to_play = board_.to_play();
    int passes = board_.passes() >= 2 ? 0 : board_.passes();
    path_.assign(1, 0);
    while (passes < 2) {
      const std::uint32_t leaf = path_.back();
      if (nodes_[leaf].num_children == 0) {
        if (nodes_[leaf].visits == 0) break;
        expand(leaf, stones, to_play);
      }
      const std::uint32_t child = select(leaf, to_play);
      path_.push_back(child);
      const Cell move = nodes_[child].move;
      passes = move == kPass ? passes + 1 : 0;
      if (move == kPass)
        stones.pass();
      else
        stones.play(move, to_play);
      to_play = opponent(to_play);
    }
    play_out(stones, to_play, passes, standard_limits(board_.num_points()), rng_);
    back_up(stones);
  }

  UctAnalysis analysis() const {
    UctAnalysis analysis;
    analysis.num_simulations = static_cast<int>(nodes_[0].visits);
    for (const std::uint32_t child : children(0)) {
      const Node& node = nodes_[child];
      if (node.visits == 0) continue;
      analysis.candidates.push_back(
          {point(node.move), static_cast<int>(node.visits), mean_for(board_.to_play(), node), main_line(child)});
    }
    std::stable_sort(analysis.candidates.begin(), analysis.candidates.end(),
                     [](const UctCandidate& a, const UctCandidate& b) { return a.visits > b.visits; });
    for (const int owned : owned_)
      analysis.ownership.push_back(static_cast<double>(owned) / std::max(1, analysis.num_simulations));
    return analysis;
  }

 private:
  int point(Cell cell) const {
    return cell == kPass ? board_.pass_move() : S::L::row(cell) * board_.width() + S::L::column(cell);
  }

  std::vector<std::uint32_t> children(std::uint32_t index) const {
    std::vector<std::uint32_t> result(nodes_[index].num_children);
    for (std::uint32_t i = 0; i < result.size(); ++i) result[i] = nodes_[index].first_child + i;
    return result;
  }

  static double mean_for(Color color, const Node& node) {
    const double black = node.black_wins / node.visits;
    return color == Color::Black ? black : 1 - black;
  }

  // The root's moves obey the rules of the game exactly; below it only ko and suicide are looked at.
  void expand_root() {
    std::vector<Cell> moves;
    for (int slot = 0; slot < root_.num_empty(); ++slot) {
      const Cell cell = root_.empty(slot);
      const bool eye = board_.to_play() == Color::Black ? root_.template is_eye<Color::Black>(cell)
                                                        : root_.template is_eye<Color::White>(cell);
      if (!eye && board_.legality(point(cell), board_.to_play()) == Legality::Legal) moves.push_back(cell);
    }
    add_children(0, moves);
  }

  void expand(std::uint32_t leaf, const S& stones, Color to_play) {
    std::vector<Cell> moves;
    for (int slot = 0; slot < stones.num_empty(); ++slot) {
      const Cell cell = stones.empty(slot);
      if (cell == stones.ko()) continue;
      const bool useless =
          to_play == Color::Black
              ? stones.template is_eye<Color::Black>(cell) || stones.template is_suicide<Color::Black>(cell)
              : stones.template is_eye<Color::White>(cell) || stones.template is_suicide<Color::White>(cell);
      if (!useless) moves.push_back(cell);
    }
    add_children(leaf, moves);
  }

  void add_children(std::uint32_t leaf, std::vector<Cell>& moves) {
    for (std::size_t i = moves.size(); i > 1; --i) std::swap(moves[i - 1], moves[rng_.below(i)]);
    moves.push_back(kPass);
    nodes_[leaf].first_child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[leaf].num_children = static_cast<std::uint32_t>(moves.size());
    for (const Cell move : moves) nodes_.push_back({.move = move});
  }

  std::uint32_t select(std::uint32_t index, Color to_play) const {
    const double log_visits = std::log(static_cast<double>(nodes_[index].visits) + 1);
    std::uint32_t best = nodes_[index].first_child;
    double best_value = -1;
    for (std::uint32_t child = nodes_[index].first_child;
         child < nodes_[index].first_child + nodes_[index].num_children; ++child) {
      const Node& node = nodes_[child];
      if (node.visits == 0) return child;
      const double value = mean_for(to_play, node) + config_.exploration * std::sqrt(log_visits / node.visits);
      if (value > best_value) {
        best_value = value;
        best = child;
      }
    }
    return best;
  }

  void back_up(const S& stones) {
    const double margin = area_margin(stones) - config_.komi;
    const double black_wins = margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
    for (const std::uint32_t index : path_) {
      ++nodes_[index].visits;
      nodes_[index].black_wins += black_wins;
    }
    std::size_t at = 0;
    for (int row = 0; row < board_.height(); ++row)
      for (int column = 0; column < board_.width(); ++column) {
        const Color owner = owner_at_end(stones, S::L::cell(row, column));
        owned_[at++] += (owner == Color::Black) - (owner == Color::White);
      }
  }

  std::vector<int> main_line(std::uint32_t index) const {
    std::vector<int> line;
    while (nodes_[index].visits > 0) {
      line.push_back(point(nodes_[index].move));
      if (nodes_[index].num_children == 0) break;
      const auto below = children(index);
      index = *std::max_element(below.begin(), below.end(),
                                [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].visits < nodes_[b].visits; });
    }
    return line;
  }

  const Board& board_;
  const UctConfig& config_;
  const S root_;
  Rng rng_;
  std::vector<int> owned_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
};

}  // namespace

UctAnalysis uct_search(const Board& board, const UctConfig& config,
                       const std::function<bool(const UctAnalysis&)>& goes_on) {
  return with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kInterval(200);
    Tree<Capacity> tree(board, config);
    const auto start = Clock::now();
    auto next_report = start + kInterval;
    for (int simulation = 0; simulation < config.num_simulations; ++simulation) {
      tree.simulate();
      if (simulation % 16 != 15) continue;
      const auto now = Clock::now();
      if (config.time_limit_s > 0 && std::chrono::duration<double>(now - start).count() >= config.time_limit_s) break;
      if (now < next_report) continue;
      if (!goes_on(tree.analysis())) break;
      next_report = now + kInterval;
    }
    return tree.analysis();
  });
}

}  // namespace tesuji::go
