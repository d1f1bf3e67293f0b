// Choosing a panel as a game of one player: a move adds a candidate, the value of a finished panel is the classifier's.
// Section 5.6 of the source (docs/algorithms/snp-panels.md).
//
// A move is a place in the problem's pool, which is in the order of rank. In increasing order (the source's way) every
// set has one sequence of moves; in any order it has many, and a graph that shares states joins them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/hashing.hpp"
#include "games/game.hpp"
#include "genetics/problem.hpp"

namespace tesuji::genetics {

enum class Order { Increasing, Any };

struct PlayoutOptions {
  Order order = Order::Increasing;
  int look = 1;  // candidates drawn for each place of a playout, of which the best is taken; 1: the source's playouts
};

// Log-likelihoods along the path of the last walk of this thread: the next walk begins where the two part.
class PathSums {
 public:
  // Those of `model`; the rest of a longer path that begins with it stays.
  const Sums& of(const Problem& problem, std::span<const Snp> model);

 private:
  std::uint64_t problem_ = 0;
  Model path_;
  std::vector<Sums> sums_;  // [number of SNPs]
};

class PanelGame {
 public:
  static constexpr const char* kName = "snp-panel";

  PanelGame(std::shared_ptr<const Problem> problem, const PlayoutOptions& options);

  const Problem& problem() const { return *problem_; }
  std::span<const Snp> model() const { return model_; }

  int num_distinct_moves() const { return static_cast<int>(problem_->pool().size()); }
  Goal goal() const { return Goal::Maximise; }
  int to_play() const { return 0; }
  bool is_over() const { return is_over_; }
  double value() const;
  std::uint64_t hash() const { return hash_; }
  bool is_legal(Move move) const;
  void legal_moves(MoveList& moves) const;
  void play(Move move);
  void priors(std::span<const Move> moves, std::span<float> priors) const {
    for (std::size_t i = 0; i < moves.size(); ++i) priors[i] = problem_->priors()[static_cast<std::size_t>(moves[i])];
  }

  template <class Record>
  double play_out(Rng& rng, Record* record) {
    while (!is_over_) {
      const Move move = options_.look <= 1 ? draw(rng) : best_drawn(rng);
      if (record) record->add(move, 0);
      play(move);
    }
    return value();
  }

 private:
  bool has_moves() const;
  Move draw(Rng& rng) const;
  Move best_drawn(Rng& rng) const;
  // The places that may come next by order alone: from `first` on, as long as enough are left.
  Snp first() const { return options_.order == Order::Increasing ? next_ : 0; }
  Snp end() const;
  bool is_barred(Snp place) const { return barred_[problem_->pool()[place]]; }
  void add(Snp snp);

  std::shared_ptr<const Problem> problem_;
  PlayoutOptions options_;
  Model model_;
  Barred barred_;
  std::uint64_t hash_ = 0;
  Snp next_ = 0;  // in increasing order: the first place that may come
  bool is_over_ = false;
};

static_assert(Game<PanelGame> && HasGoal<PanelGame> && HasPriors<PanelGame> && HasLegality<PanelGame>);

}  // namespace tesuji::genetics
