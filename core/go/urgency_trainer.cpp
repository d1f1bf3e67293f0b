#include "go/urgency_trainer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "go/stones.hpp"
#include "go/urgency.hpp"

namespace tesuji::go {
namespace {

constexpr std::uint32_t kShares = 1u << 20;
constexpr float kLeastGradient = 1e-3f;  // what is smaller teaches nothing and costs the most
constexpr float kFirstSquares = 0.1f;

}  // namespace

// A position of a game in which somebody chose a point.
struct UrgencyTrainer::Position {
  using S = Stones<kMaxSize, kTactical>;
  const S& stones;
  Color color;
  Cell last, before_last;
  Cell move;
  int number;

  // The features of all moves of its mover.
  template <class Use>
  void with_features(Use use) const {
    if (color == Color::Black)
      with_features_of<Color::Black>(use);
    else
      with_features_of<Color::White>(use);
  }

 private:
  template <Color C, class Use>
  void with_features_of(Use& use) const {
    const MoveFeatures<C, S> levels(stones, last, before_last);
    use.template operator()<C>(UrgencyFeatures<C, S>(stones, levels, last, before_last));
  }
};

UrgencyTrainer::UrgencyTrainer(std::uint32_t least, std::size_t room, std::uint64_t seed)
    : least_(least),
      rng_(seed),
      features_(std::bit_ceil(std::max<std::size_t>(room, 1024))),
      counts_(features_.size()) {}

std::size_t UrgencyTrainer::find(std::uint64_t key) const {
  const std::size_t mask = features_.size() - 1;
  std::size_t at = static_cast<std::size_t>(key) & mask;
  while (features_[at].key != 0 && features_[at].key != key) at = (at + 1) & mask;
  return at;
}

template <class Visit>
void UrgencyTrainer::replay(const RecordedGame& game, double share, Visit visit) {
  using S = Position::S;
  const auto wanted = static_cast<std::uint32_t>(share * kShares);
  S stones(game.width, game.height);
  Cell last = kPass, before_last = kPass;
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    const Color color = game.moves[i] & RecordedGame::kWhite ? Color::White : Color::Black;
    const int point = game.moves[i] & ~RecordedGame::kWhite;
    Cell cell = kPass;
    if (point < game.width * game.height) {
      cell = S::L::cell(point / game.width, point % game.width);
      if (stones.color(cell) != Color::Empty) return;
      if (wanted == kShares || rng_.below(kShares) < wanted)
        visit(Position{stones, color, last, before_last, cell, static_cast<int>(i)});
      stones.play(cell, color);
    } else {
      stones.pass();
    }
    before_last = last;
    last = cell;
  }
}

// A shape is counted once the smaller ones in it are frequent: most shapes are seen once, and take no room so.
void UrgencyTrainer::count(const RecordedGame& game) {
  if (!counts_still_) throw std::logic_error("counting has ended");
  replay(game, 1.0, [&](const Position& position) {
    position.with_features([&]<Color C>(const auto& features) {
      features.visit(position.move, [&](std::uint64_t key) {
        const std::size_t at = find(key);
        if (features_[at].key == 0) {
          if (size_ * 8 > features_.size() * 7) return false;
          features_[at].key = key;
          ++size_;
        }
        return ++counts_[at] >= least_;
      });
    });
  });
}

void UrgencyTrainer::keep_frequent() {
  std::vector<Feature> all(1);
  std::vector<std::uint32_t> counts(1);
  all.swap(features_);
  counts.swap(counts_);
  const auto kept = std::count_if(counts.begin(), counts.end(), [&](std::uint32_t count) { return count >= least_; });
  features_.assign(std::bit_ceil(2 * static_cast<std::size_t>(kept) + 1024), {});
  counts_.assign(features_.size(), 0);
  size_ = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (counts[i] < least_) continue;
    const std::size_t at = find(all[i].key);
    features_[at].key = all[i].key;
    counts_[at] = counts[i];
    ++size_;
  }
  counts_still_ = false;
}

// The features and scores of all legal moves.
void UrgencyTrainer::look(const Position& position) {
  slots_of_moves_.clear();
  ends_.clear();
  scores_.clear();
  chosen_ = -1;
  const auto& stones = position.stones;
  position.with_features([&]<Color C>(const auto& features) {
    for (int i = 0; i < stones.num_empty(); ++i) {
      const Cell cell = stones.empty(i);
      if (cell == stones.ko() || stones.template is_suicide<C>(cell)) continue;
      if (cell == position.move) chosen_ = static_cast<int>(ends_.size());
      double score = 0;
      features.visit(cell, [&](std::uint64_t key) {
        const std::size_t at = find(key);
        if (features_[at].key == 0) return false;
        slots_of_moves_.push_back(static_cast<std::uint32_t>(at));
        score += features_[at].log_strength;
        return true;
      });
      ends_.push_back(slots_of_moves_.size());
      scores_.push_back(score);
    }
  });
}

void UrgencyTrainer::step(int chosen, float rate) {
  const double best = *std::max_element(scores_.begin(), scores_.end());
  double sum = 0;
  for (double& score : scores_) {
    score = std::exp(score - best);
    sum += score;
  }
  std::size_t slot = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const float gradient = (static_cast<int>(i) == chosen ? 1.0f : 0.0f) - static_cast<float>(scores_[i] / sum);
    if (std::abs(gradient) < kLeastGradient) {
      slot = ends_[i];
      continue;
    }
    for (; slot < ends_[i]; ++slot) {
      Feature& feature = features_[slots_of_moves_[slot]];
      feature.squares += gradient * gradient;
      feature.log_strength += rate * gradient / (std::sqrt(feature.squares) + kFirstSquares);
    }
  }
}

void UrgencyTrainer::learn(const RecordedGame& game, double share, float rate) {
  if (counts_still_) throw std::logic_error("count first, then keep_frequent");
  replay(game, share, [&](const Position& position) {
    look(position);
    if (chosen_ >= 0) step(chosen_, rate);
  });
}

std::vector<UrgencyTrainer::Judgement> UrgencyTrainer::judge(const RecordedGame& game, double share) {
  std::vector<Judgement> found;
  replay(game, share, [&](const Position& position) {
    look(position);
    if (chosen_ < 0) return;
    const double own = scores_[static_cast<std::size_t>(chosen_)];
    const double best = *std::max_element(scores_.begin(), scores_.end());
    int rank = -1;  // the move itself is as strong as itself
    double sum = 0;
    for (const double score : scores_) {
      rank += score >= own;
      sum += std::exp(score - best);
    }
    found.push_back(
        {position.number, rank, static_cast<int>(scores_.size()), static_cast<float>(own - best - std::log(sum))});
  });
  return found;
}

}  // namespace tesuji::go
