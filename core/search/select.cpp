#include "search/select.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/attributes.hpp"
#include "base/logarithm.hpp"

namespace tesuji {

namespace {

constexpr float kScale = 1.0f / static_cast<float>(kOne);
constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr std::uint32_t kFewEdges = 16;
constexpr auto kPartsOfAmaf = static_cast<std::uint32_t>(1 / amaf::kFadingUnit);

// A sum of results as a float. Sums lie in 0..2^52, so writing them behind the exponent of 2^52 and taking that off
// again is exact, and unlike the processor's own conversion it exists for vectors.
TESUJI_ALWAYS_INLINE float to_float(std::int64_t sum) {
  constexpr std::uint64_t kExponent = 0x4330000000000000u;
  return static_cast<float>(std::bit_cast<double>(static_cast<std::uint64_t>(sum) | kExponent) - 0x1.0p52);
}

// The mover's view of a first player's mean v is offset + sign * v.
struct View {
  explicit View(int mover) : offset(mover == 0 ? 0.0f : 1.0f), sign(mover == 0 ? 1.0f : -1.0f) {}
  float operator()(float value) const { return offset + sign * value; }
  float offset, sign;
};

TESUJI_ALWAYS_INLINE float mean_or(float unknown, std::int64_t sum, float n, const View& view) {
  const float mean = view(to_float(sum) * kScale / std::max(1.0f, n));
  return n > 0 ? mean : unknown;
}
// c * sqrt(ln N / n), `scale` being c * sqrt(ln N).
TESUJI_ALWAYS_INLINE float ucb1_bonus(float scale, float n) {
  const float bonus = scale / std::sqrt(std::max(n, 1e-6f));
  return n > 0 ? bonus : 0.0f;
}

// Where every edge is barred: one that is merely lost or locked, so that the walk ends somewhere.
std::uint32_t any_not_excluded(const Edges& edges, std::span<const std::uint32_t> excluded) {
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (std::find(excluded.begin(), excluded.end(), i) == excluded.end()) return i;
  return kNoEdge;
}

std::uint32_t first_untried(const Edges& edges, const Columns& columns) {
  const auto* const visits = edges.visits();
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (visits[i].load(std::memory_order_relaxed) == 0 &&
        (!columns.in_flight || edges.in_flight()[i].load(std::memory_order_relaxed) == 0))
      return i;
  return kNoEdge;
}

// The first edge of the highest score; kNoEdge if none has any. Four maxima grow side by side, because one alone would
// wait for itself at every edge; where it stands is looked up afterwards.
TESUJI_ALWAYS_INLINE std::uint32_t first_largest(const float* scores, std::uint32_t size) {
  std::array<float, 4> largest = {kNever, kNever, kNever, kNever};
  std::uint32_t i = 0;
  for (; i + 4 <= size; i += 4)
    for (std::uint32_t lane = 0; lane < 4; ++lane) largest[lane] = std::max(largest[lane], scores[i + lane]);
  for (; i < size; ++i) largest[0] = std::max(largest[0], scores[i]);
  const float best = std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
  if (best == kNever) return kNoEdge;
  std::uint32_t edge = 0;
  while (scores[edge] != best) ++edge;
  return edge;
}

// The same among at most four edges. Which of two edges is better is what the processor cannot guess, so the answer is
// put together from bits instead of by a branch.
TESUJI_ALWAYS_INLINE std::uint32_t first_largest_of_four(const float* scores, std::uint32_t size) {
  std::uint32_t edge = 0;
  float best = scores[0];
  for (std::uint32_t i = 1; i < 4; ++i) {
    const float score = i < size ? scores[i] : kNever;
    edge ^= (edge ^ i) & (0u - static_cast<std::uint32_t>(score > best));
    best = std::max(best, score);
  }
  return best == kNever ? kNoEdge : edge;
}

}  // namespace

Selector::Selector(const SearchConfig& config, const Graph& graph, const Means& means)
    : config_(config),
      graph_(graph),
      means_(means),
      reader_(config, graph, means),
      is_plain_(config.selection == Selection::Ucb1 && config.amaf == AmafSchedule::Off &&
                config.prior_use == PriorUse::Off && !config.widening && !config.solver),
      tries_all_first_(is_plain_ && config.first_play_urgency == std::numeric_limits<float>::infinity() &&
                       config.graph != GraphMode::SharedCounts) {}

std::uint32_t Selector::choose(const Node& node, const HotNode* hot, float mean,
                               std::span<const std::uint32_t> excluded, Rng& rng, EdgeScores& e) const {
  const Edges edges = graph_.edges(node);
  if (config_.selection == Selection::EpsilonGreedy && rng.unit() < config_.epsilon) {
    const auto edge = static_cast<std::uint32_t>(rng.below(edges.size));
    if (!is_barred(edges, edge, excluded)) return edge;
  }
  const bool is_formula = stages_ != nullptr && stages_->selection;
  const bool is_plain = is_plain_ && excluded.empty() && !is_formula;
  if (is_plain && edges.size == 1) return 0;
  if (is_plain && tries_all_first_ && node.walks.load(std::memory_order_relaxed) < edges.size)
    if (const std::uint32_t edge = first_untried(edges, graph_.columns()); edge != kNoEdge) return edge;
  e.make_room(std::max(edges.size, kFewEdges));
  const EdgeNumbers numbers = reader_.numbers_of(node, edges, hot, e);
  if (is_formula) {
    stages_->selection(view_of(node, edges, numbers, mean, rng, e), e.score.data());
    return best_that_is_open(edges, excluded, e);
  }
  if (is_plain && edges.size <= kFewEdges && !weights_.concern(edges)) return best_of_few(node, numbers, e);
  return best_of_many(node, edges, numbers, mean, excluded, e);
}

std::uint32_t Selector::best_that_is_open(const Edges& edges, std::span<const std::uint32_t> excluded,
                                          EdgeScores& e) const {
  if (config_.widening || config_.solver || !excluded.empty())
    for (std::uint32_t i = 0; i < edges.size; ++i)
      if (is_barred(edges, i, excluded)) e.score[i] = kNever;
  const std::uint32_t best = first_largest(e.score.data(), edges.size);
  return best == kNoEdge ? any_not_excluded(edges, excluded) : best;
}

NodeView Selector::view_of(const Node& node, const Edges& edges, const EdgeNumbers& numbers, float mean, Rng& rng,
                           EdgeScores& e) const {
  const View view(node.mover);
  for (std::uint32_t i = 0; i < numbers.size; ++i) {
    const auto n = static_cast<float>(numbers.visits[i]);
    e.visits[i] = n;
    e.means[i] = mean_or(config_.first_play_urgency, numbers.value[i], n, view);
  }
  if (config_.amaf != AmafSchedule::Off)
    for (std::uint32_t i = 0; i < numbers.size; ++i) {
      const float m = static_cast<float>(amaf::visits(numbers.amaf[i])) * reader_.amaf_unit();
      e.amaf_visits[i] = m;
      e.amaf_means[i] = m > 0 ? view(static_cast<float>(amaf::value(numbers.amaf[i])) * amaf::kScale / m) : 0;
    }
  if (stages_->wants_random)
    for (std::uint32_t i = 0; i < numbers.size; ++i) e.random[i] = static_cast<float>(rng.unit());
  return {static_cast<std::int32_t>(numbers.size),
          static_cast<float>(numbers.visits_at_node),
          log_of(numbers.visits_at_node),
          view(mean),
          e.visits.data(),
          e.means.data(),
          e.amaf_visits.data(),
          e.amaf_means.data(),
          graph_.columns().prior ? edges.prior() : e.zeros.data(),
          e.random.data()};
}

float Selector::backed_up(const Node& node, float mean, Rng& rng, EdgeScores& e) const {
  const Edges edges = graph_.edges(node);
  e.make_room(std::max(edges.size, kFewEdges));
  const float value = stages_->back_up(view_of(node, edges, reader_.numbers_of(node, edges, nullptr, e), mean, rng, e));
  return View(node.mover)(value);
}

// UCB1 of `Lanes` edges from the first of `numbers` on, whether there are so many or not.
template <std::uint32_t Lanes>
TESUJI_ALWAYS_INLINE void Selector::score_stroke(const EdgeNumbers& numbers, std::uint32_t first, const Node& node,
                                                 float scale, EdgeScores& e) const {
  const View view(node.mover);
  const float unknown = config_.first_play_urgency;
  const std::uint32_t* TESUJI_RESTRICT visits = numbers.visits + first;
  const std::int64_t* TESUJI_RESTRICT value = numbers.value + first;
  float* TESUJI_RESTRICT score = e.score.data() + first;
  for (std::uint32_t i = 0; i < Lanes; ++i) {
    const auto n = static_cast<float>(visits[i]);
    const float some = std::max(1.0f, n);
    const float sum = view(to_float(value[i]) * kScale / some) + scale / std::sqrt(some);
    score[i] = n > 0 ? sum : unknown;
  }
}

// A handful of edges in one or two strokes of kLanes (of four for very few), without a loop whose length the
// processor would have to guess.
TESUJI_CLONED std::uint32_t Selector::best_of_few(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const {
  const float scale = config_.exploration * std::sqrt(log_of(numbers.visits_at_node));
  if (numbers.size <= 4) {
    score_stroke<4>(numbers, 0, node, scale, e);
    return first_largest_of_four(e.score.data(), numbers.size);
  }
  for (std::uint32_t first = 0; first < numbers.size; first += Edges::kLanes)
    score_stroke<Edges::kLanes>(numbers, first, node, scale, e);
  return first_largest(e.score.data(), numbers.size);
}

TESUJI_CLONED std::uint32_t Selector::best_of_many(const Node& node, const Edges& edges, const EdgeNumbers& numbers,
                                                   float mean, std::span<const std::uint32_t> excluded,
                                                   EdgeScores& e) const {
  set_scores(node, edges, numbers, mean, e);
  return best_that_is_open(edges, excluded, e);
}

// A score is computed in sweeps over the edges: what is known of each, RAVE, priors, the bonus for being tried little.
// Each sweep is a plain loop over arrays without a branch, which the compiler turns into vector code.
TESUJI_ALWAYS_INLINE void Selector::set_scores(const Node& node, const Edges& edges, const EdgeNumbers& numbers,
                                               float mean, EdgeScores& e) const {
  set_means(node, numbers, mean, e);
  if (config_.prior_use == PriorUse::VirtualVisits) add_virtual_visits(edges, e);
  if (config_.amaf != AmafSchedule::Off) mix_in_amaf(node, numbers, e);
  if (config_.prior_use != PriorUse::Off) mix_in_priors(edges, e);
  if (weights_.concern(edges)) weights_.weigh(edges, e.visits.data());
  add_bonus(edges, numbers, e);
}

// The mean of each edge, for the mover; the first-play urgency where there is none. A prior that is a probability is no
// value: under PUCT an edge never tried is as good as its node so far.
TESUJI_ALWAYS_INLINE void Selector::set_means(const Node& node, const EdgeNumbers& numbers, float mean,
                                              EdgeScores& e) const {
  const View view(node.mover);
  float unknown = config_.first_play_urgency;
  if (config_.selection == Selection::Puct && std::isinf(unknown)) unknown = view(mean);
  const std::uint32_t* TESUJI_RESTRICT whole_visits = numbers.visits;
  const std::int64_t* TESUJI_RESTRICT value = numbers.value;
  float* TESUJI_RESTRICT visits = e.visits.data();
  float* TESUJI_RESTRICT score = e.score.data();
  for (std::uint32_t i = 0; i < numbers.size; ++i) {
    visits[i] = static_cast<float>(whole_visits[i]);
    score[i] = mean_or(unknown, value[i], visits[i], view);
  }
}

// V = beta * V_rave + (1 - beta) * V_uct; an edge without visits has only the RAVE part, one without AMAF none of it.
template <AmafSchedule Schedule, bool Bonus>
TESUJI_ALWAYS_INLINE void Selector::mix_in_amaf_by(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const {
  const View view(node.mover);
  const float k = config_.rave_k, bias = config_.rave_bias, unit = reader_.amaf_unit();
  const std::uint64_t* TESUJI_RESTRICT packed = numbers.amaf;
  const float* TESUJI_RESTRICT visits = e.visits.data();
  float* TESUJI_RESTRICT score = e.score.data();
  float bonus = 0;
  if constexpr (Bonus) {
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < numbers.size; ++i) total += amaf::visits(packed[i]);
    total = std::clamp<std::uint64_t>(total, 1, std::numeric_limits<std::uint32_t>::max());
    const float log_total = log_of(static_cast<std::uint32_t>(total)) - (unit < 1 ? log_of(kPartsOfAmaf) : 0);
    bonus = config_.rave_exploration * std::sqrt(std::max(0.0f, log_total));
  }
  for (std::uint32_t i = 0; i < numbers.size; ++i) {
    const float m = static_cast<float>(static_cast<std::int32_t>(amaf::visits(packed[i]))) * unit;
    const auto sum = static_cast<float>(static_cast<std::int32_t>(amaf::value(packed[i])));
    const float n = visits[i], some = std::max(unit, m);
    float rave = view(sum * amaf::kScale / some);
    if constexpr (Bonus) rave += bonus / std::sqrt(some);
    const float beta =
        Schedule == AmafSchedule::HandSelected ? std::sqrt(k / (3 * n + k)) : m / (some + n + m * n * bias);
    const float known = n > 0 ? score[i] : 0.0f;
    const float weight = n > 0 ? beta : 1.0f;
    const float mixed = weight * rave + (1 - weight) * known;
    score[i] = m > 0 ? mixed : score[i];
  }
}

TESUJI_ALWAYS_INLINE void Selector::mix_in_amaf(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const {
  const bool bonus = config_.rave_exploration > 0;
  if (config_.amaf == AmafSchedule::HandSelected) {
    bonus ? mix_in_amaf_by<AmafSchedule::HandSelected, true>(node, numbers, e)
          : mix_in_amaf_by<AmafSchedule::HandSelected, false>(node, numbers, e);
  } else {
    bonus ? mix_in_amaf_by<AmafSchedule::MinimumMse, true>(node, numbers, e)
          : mix_in_amaf_by<AmafSchedule::MinimumMse, false>(node, numbers, e);
  }
}

// The prior stands for visits that were made before the first one; RAVE then meets n + w visits of that mean.
TESUJI_ALWAYS_INLINE void Selector::add_virtual_visits(const Edges& edges, EdgeScores& e) const {
  const float* TESUJI_RESTRICT priors = edges.prior();
  float* TESUJI_RESTRICT visits = e.visits.data();
  float* TESUJI_RESTRICT score = e.score.data();
  const float w = config_.prior_weight;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const float n = visits[i];
    const float known = n > 0 ? score[i] * n : 0.0f;
    score[i] = (known + priors[i] * w) / (n + w);
    visits[i] = n + w;
  }
}

void Selector::mix_in_priors(const Edges& edges, EdgeScores& e) const {
  const float* const priors = edges.prior();
  const float w = config_.prior_weight, horizon = config_.prior_horizon;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const float n = e.visits[i], prior = priors[i], value = e.score[i];
    const bool is_known = n > 0 || !std::isinf(value);
    switch (config_.prior_use) {
      case PriorUse::Off:
      case PriorUse::VirtualVisits:
        break;
      case PriorUse::ProgressiveBias:
        e.score[i] = value + w * prior / (config_.prior_fades ? n + 1 : 1);
        break;
      case PriorUse::Horizon: {
        // As printed, alpha and beta are both 1 at n = 0. Here beta acts within the part that alpha leaves.
        const float alpha = std::max(0.0f, (horizon - n) / horizon);
        e.score[i] = is_known ? alpha * prior + (1 - alpha) * value : prior;
        break;
      }
    }
  }
}

// An edge that was never tried has its value alone: the first-play urgency, unless RAVE or a prior says more.
TESUJI_ALWAYS_INLINE void Selector::add_bonus(const Edges& edges, const EdgeNumbers& numbers, EdgeScores& e) const {
  const float c = config_.exploration;
  const std::uint32_t num_walks = numbers.visits_at_node;
  const float log_walks = log_of(num_walks);
  const float* TESUJI_RESTRICT visits = e.visits.data();
  float* TESUJI_RESTRICT score = e.score.data();
  switch (config_.selection) {
    case Selection::Ucb1: {
      if (c == 0) break;
      const float scale = c * std::sqrt(log_walks);
      for (std::uint32_t i = 0; i < edges.size; ++i) {
        score[i] += ucb1_bonus(scale, visits[i]);
      }
      break;
    }
    case Selection::Ucb1Tuned:
      for (std::uint32_t i = 0; i < edges.size; ++i) {
        const auto n = static_cast<float>(numbers.visits[i]);
        if (n == 0) continue;
        const float variance = reader_.variance_of(edges, i);
        const float bound = variance + std::sqrt(2 * log_walks / n);
        score[i] += c * std::sqrt(log_walks / n * std::min(0.25f, bound));
      }
      break;
    case Selection::EpsilonGreedy:
      break;
    case Selection::Bast:
      for (std::uint32_t i = 0; i < edges.size; ++i)
        if (visits[i] > 0) score[i] = edges.upper()[i].load(std::memory_order_relaxed);
      break;
    case Selection::Puct: {
      const float scale = c * std::sqrt(static_cast<float>(num_walks));
      const float* const priors = edges.prior();
      for (std::uint32_t i = 0; i < edges.size; ++i) score[i] += scale * priors[i] / (1 + visits[i]);
      break;
    }
  }
}

// Not to be walked now: forbidden on this path, not yet unlocked, or proved, so that nothing is left to learn.
bool Selector::is_barred(const Edges& edges, std::uint32_t edge, std::span<const std::uint32_t> excluded) const {
  return (config_.widening && !edges.is_unlocked(edge)) || (config_.solver && edges.proof(edge) != Proof::None) ||
         std::find(excluded.begin(), excluded.end(), edge) != excluded.end();
}

// k(N) = max(Nmin, Ks * ln(Kf * N) + Nmin)
void Selector::widen(const Node& node) const {
  const Edges edges = graph_.edges(node);
  const std::uint32_t num_walks = reader_.visits_at(node);
  std::uint32_t unlocked = 0;
  for (std::uint32_t i = 0; i < edges.size; ++i)  // a decided move opens the way for another
    unlocked += edges.is_unlocked(i) && edges.proof(i) == Proof::None;
  const auto log_rate = static_cast<float>(log_of_number(config_.widening_rate));  // ln(Kf * N) = ln N + ln Kf
  const float grown = config_.widening_scale * (log_of(num_walks) + log_rate);
  const auto minimum = static_cast<std::uint32_t>(config_.widening_minimum);
  const std::uint32_t allowed = std::min(edges.size, minimum + static_cast<std::uint32_t>(std::max(0.0f, grown)));
  while (unlocked < allowed) {
    std::uint32_t best = kNoEdge;
    float best_order = kNever;
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      if (edges.is_unlocked(i)) continue;
      const auto [m, mean] = reader_.amaf_of(edges, i);
      const float amaf = m > 0 ? View(node.mover)(mean) : 0;
      // The prior counts for as much as AMAF once a move has been seen ten times.
      const float order = (graph_.columns().prior ? edges.prior()[i] : 0) + amaf * m / (m + 10);
      if (order > best_order) {
        best_order = order;
        best = i;
      }
    }
    if (best == kNoEdge) return;  // another thread unlocked the rest since they were counted
    edges.word()[best].fetch_or(Edges::kUnlocked, std::memory_order_relaxed);
    ++unlocked;
  }
}

// Coquelin and Munos: B = min(mean + delta_d + c_n, best bound below), here for both sides' bounds, because in a
// two-player game the bound below belongs to the opponent.
void Selector::update_bounds(const Node& node, std::uint32_t edge, int depth) const {
  const Edges edges = graph_.edges(node);
  const EdgeSum known = means_.of(edges, edge);
  if (known.visits == 0) return;
  const auto n = static_cast<float>(known.visits);
  const float mean = View(node.mover)(static_cast<float>(means_.normal(known.mean())));
  const float width =
      std::ldexp(config_.smoothness, -depth) + config_.exploration * std::sqrt((log_of(known.visits) * 2 + 1) / n);
  float upper = mean + width, lower = mean - width;
  const NodeId child_id = edges.child()[edge].load(std::memory_order_acquire);
  if (child_id != kNoNode && graph_.has_edges(graph_.node(child_id))) {
    const Node& child = graph_.node(child_id);
    const Edges below = graph_.edges(child);
    float best_upper = kNever, best_lower = kNever;
    bool all_tried = true;
    for (std::uint32_t i = 0; i < below.size; ++i) {
      all_tried &= means_.of(below, i).visits > 0;
      best_upper = std::max(best_upper, below.upper()[i].load(std::memory_order_relaxed));
      best_lower = std::max(best_lower, below.lower()[i].load(std::memory_order_relaxed));
    }
    const bool same_side = child.mover == node.mover;
    if (all_tried) {
      upper = std::min(upper, same_side ? best_upper : 1 - best_lower);
      lower = std::max(lower, same_side ? best_lower : 1 - best_upper);
    }
  }
  edges.upper()[edge].store(upper, std::memory_order_relaxed);
  edges.lower()[edge].store(lower, std::memory_order_relaxed);
}

}  // namespace tesuji
