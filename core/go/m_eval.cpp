#include "go/m_eval.hpp"

#include <algorithm>

namespace tesuji::go {

Encoding MEval::encoding(const Qualities& qualities) const {
  Encoding found{};
  for (std::size_t i = 0; i < kNumQualities; ++i)
    for (std::size_t j = 0; j < kEncodingSize; ++j) found[j] += qualities[i] * knowledge_.encoder[i][j];
  return found;
}

Encoding MEval::leaf(const QualityPosition& position) const {
  const auto [black, white] = position.qualities();
  return encoding(black) - encoding(white);
}

std::vector<int> MEval::candidates(const QualityPosition& position, Color to_play, int around) const {
  std::vector<int> found;
  const auto most = around < 0 ? kOpeningPoints : static_cast<std::size_t>(most_moves_);
  position.for_each_move(to_play, around, [&](int point) {
    if (found.size() < most && position.color(point) == Color::Empty &&
        std::find(found.begin(), found.end(), point) == found.end())
      found.push_back(point);
  });
  return found;
}

Encoding MEval::minimax(const QualityPosition& position, Color to_play, int last, int depth, Window window,
                        const Encoding& direction) const {
  bool has_answer = false;
  Encoding best{};
  if (depth > 0) {
    for (const int point : candidates(position, to_play, last)) {
      QualityPosition after = position;
      if (!after.play(point, to_play)) continue;
      const Encoding found = minimax(after, opponent(to_play), point, depth - 1, window, direction);
      const double value = found * direction;
      const bool is_better = to_play == Color::Black ? value > best * direction : value < best * direction;
      if (!has_answer || is_better) best = found;
      has_answer = true;
      double& bound = to_play == Color::Black ? window.low : window.high;
      bound = to_play == Color::Black ? std::max(bound, value) : std::min(bound, value);
      if (window.low >= window.high) break;
    }
  }
  return has_answer ? best : leaf(position);
}

std::vector<MEval::Judged> MEval::search(const QualityPosition& root, Color to_play, int around, int depth) const {
  std::vector<Judged> found;
  if (depth < 1) return found;
  const Encoding along = direction();
  QualityPosition begin = root;
  begin.hold_unknown();
  for (const int point : candidates(begin, to_play, around)) {
    QualityPosition after = begin;
    if (!after.play(point, to_play)) continue;
    Encoding end = minimax(after, opponent(to_play), point, depth - 1, {-kInfinity, kInfinity}, along);
    if (to_play == Color::White) end = Encoding{} - end;
    found.push_back({point, end, end * along});
  }
  return found;
}

float MEval::with_wins(float prior, double above) const {
  if (above <= 0) return prior;
  const float wins = std::min(1.0f, 0.5f + intensity_ * static_cast<float>(above));
  return prior + share_ * std::max(0.0f, wins - prior);
}

void MEval::add_wins(std::span<const Color> colors, Color to_play, Move last, int depth, std::span<const Move> moves,
                     std::span<float> priors) const {
  const bool is_root = depth <= 0;
  if (depth >= kDepth || (!is_root && last == kNoMove)) return;
  const QualityPosition here = position(colors);
  const int around = is_root ? -1 : static_cast<int>(last);
  if (!here.is_known(around)) return;
  const std::vector<Judged> judged = search(here, to_play, around, kDepth - std::max(0, depth));
  if (judged.size() < 2) return;  // one move by itself is as good as the average
  double sum = 0;
  for (const Judged& one : judged) sum += one.value;
  const double average = sum / static_cast<double>(judged.size());
  for (const Judged& one : judged) {
    const auto at = std::find(moves.begin(), moves.end(), one.move);
    if (at == moves.end()) continue;
    float& prior = priors[static_cast<std::size_t>(at - moves.begin())];
    prior = with_wins(prior, one.value - average);
  }
}

}  // namespace tesuji::go
