#include "genetics/game.hpp"

namespace tesuji::genetics {

namespace {

PathSums& path_sums() {
  static thread_local PathSums sums;
  return sums;
}

}  // namespace

const Sums& PathSums::of(const Problem& problem, std::span<const Snp> model) {
  if (problem_ != problem.number()) {
    problem_ = problem.number();
    path_.clear();
    sums_.assign(1, problem.classifier().begin());
  }
  std::size_t common = 0;
  while (common < model.size() && common < path_.size() && model[common] == path_[common]) ++common;
  if (common < model.size()) path_.resize(common);
  for (std::size_t i = common; i < model.size(); ++i) {
    if (sums_.size() < i + 2) sums_.resize(i + 2);
    problem.classifier().add(sums_[i], model[i], sums_[i + 1]);
    path_.push_back(model[i]);
  }
  return sums_[model.size()];
}

PanelGame::PanelGame(std::shared_ptr<const Problem> problem, const PlayoutOptions& options)
    : problem_(std::move(problem)), options_(options), barred_(*problem_) {
  if (options.look < 1)
    throw std::invalid_argument("look is " + std::to_string(options.look) + "; it must be 1 or more");
  for (const Snp snp : problem_->included()) add(snp);
  is_over_ = !has_moves();
}

// Judging is most of the work, so that a set seen by this thread just now is not judged again.
double PanelGame::value() const {
  const Classifier& classifier = problem_->classifier();
  const std::size_t known = model_.size() > 1 ? model_.size() - 1 : 0;
  const double value =
      classifier.value(path_sums().of(*problem_, std::span(model_).first(known)), std::span(model_).subspan(known));
  problem_->best().count(1);
  if (model_.size() == problem_->panel_size()) problem_->best().offer(value, model_);
  return value;
}

Snp PanelGame::end() const {
  const auto size = static_cast<Snp>(problem_->pool().size());
  if (options_.order == Order::Any) return size;
  const auto missing = static_cast<Snp>(problem_->panel_size() - model_.size());
  return size < missing ? 0 : size - (missing - 1);
}

void PanelGame::add(Snp snp) {
  model_.push_back(snp);
  barred_.add(*problem_, snp);
  hash_ += mix64(snp);  // a sum: the order does not matter
}

bool PanelGame::has_moves() const {
  if (model_.size() >= problem_->panel_size()) return false;
  for (Snp place = first(); place < end(); ++place)
    if (!is_barred(place)) return true;
  return false;
}

bool PanelGame::is_legal(Move move) const {
  const auto place = static_cast<Snp>(move);
  return move >= 0 && !is_over_ && place >= first() && place < end() && !is_barred(place);
}

void PanelGame::legal_moves(MoveList& moves) const {
  if (is_over_) return;
  for (Snp place = first(); place < end(); ++place)
    if (!is_barred(place)) moves.push_back(static_cast<Move>(place));
}

void PanelGame::play(Move move) {
  const auto place = static_cast<Snp>(move);
  add(problem_->pool()[place]);
  next_ = place + 1;
  is_over_ = !has_moves();
}

// A candidate of weight n - rank + 1 (5.6): of two different numbers out of 0..n, the smaller is i with probability
// (n - i) / (n (n + 1) / 2). One that is barred is drawn again, and after many such draws the next that is free is
// taken.
Move PanelGame::draw(Rng& rng) const {
  const Snp low = first(), size = end() - low;
  Snp place = low;
  for (int attempt = 0; attempt < 64; ++attempt) {
    const auto a = static_cast<Snp>(rng.below(size + 1));
    auto b = static_cast<Snp>(rng.below(size));
    if (b >= a) ++b;
    place = low + std::min(a, b);
    if (!is_barred(place)) return static_cast<Move>(place);
  }
  for (Snp i = 0; i < size; ++i) {
    const Snp other = low + (place - low + i) % size;
    if (!is_barred(other)) return static_cast<Move>(other);
  }
  throw std::logic_error("no candidate is free, but the panel is not finished");
}

Move PanelGame::best_drawn(Rng& rng) const {
  const Sums& sums = path_sums().of(*problem_, model_);
  Move best = draw(rng);
  double best_value = -1e300;
  for (int i = 0; i < options_.look; ++i) {
    const Move move = i == 0 ? best : draw(rng);
    const Snp snp = problem_->pool()[static_cast<std::size_t>(move)];
    const double value = problem_->classifier().value(sums, std::span(&snp, 1));
    if (value > best_value) {
      best_value = value;
      best = move;
    }
  }
  problem_->best().count(static_cast<std::uint64_t>(options_.look));
  return best;
}

}  // namespace tesuji::genetics
