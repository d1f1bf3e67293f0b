#include "search/select.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/logarithm.hpp"

namespace tesuji {

namespace {

constexpr float kScale = 1.0f / static_cast<float>(kOne);
constexpr float kNever = -std::numeric_limits<float>::infinity();

float load(const std::atomic<std::int64_t>& sum) {
  return static_cast<float>(sum.load(std::memory_order_relaxed)) * kScale;
}
float load(const std::atomic<std::uint32_t>& count) {
  return static_cast<float>(count.load(std::memory_order_relaxed));
}
// A mean for the first player, seen by the mover.
float seen_by(int mover, float value) { return mover == 0 ? value : 1 - value; }

std::uint32_t total_amaf_visits(const Edges& edges) {
  std::uint32_t total = 0;
  for (std::uint32_t i = 0; i < edges.size; ++i) total += edges.amaf_visits()[i].load(std::memory_order_relaxed);
  return std::max(1u, total);
}

// Where every edge is barred: one that is merely lost or locked, so that the walk ends somewhere.
std::uint32_t any_not_excluded(const Edges& edges, std::span<const std::uint32_t> excluded) {
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (std::find(excluded.begin(), excluded.end(), i) == excluded.end()) return i;
  return kNoEdge;
}

bool is_lost_for(int mover, Proof proof) { return proof == (mover == 0 ? Proof::Loss : Proof::Win); }

}  // namespace

// The weight of RAVE against n visits of the edge itself, m being its AMAF visits.
inline float Selector::beta(float n, float m) const {
  if (config_.amaf == AmafSchedule::HandSelected) return std::sqrt(config_.rave_k / (3 * n + config_.rave_k));
  return m / (m + n + m * n * config_.rave_bias);
}

Selector::Selector(const SearchConfig& config, const Graph& graph) : config_(config), graph_(graph) {
  const bool amaf = config.amaf != AmafSchedule::Off, priors = config.prior_use != PriorUse::Off;
  const auto find = [&](bool filters) {
    const std::array<bool, 4> open = {amaf, priors, config.graph == GraphMode::Dag, filters};
    switch (config.selection) {
      case Selection::Ucb1:
        return settle<Selection::Ucb1>(open);
      case Selection::Ucb1Tuned:
        return settle<Selection::Ucb1Tuned>(open);
      case Selection::EpsilonGreedy:
        return settle<Selection::EpsilonGreedy>(open);
      case Selection::Bast:
        return settle<Selection::Bast>(open);
      case Selection::Puct:
        break;
    }
    return settle<Selection::Puct>(open);
  };
  best_edge_ = find(config.widening || config.solver);
  best_edge_filtered_ = find(true);
}

template <Selection S, bool... Settled>
auto Selector::settle(std::span<const bool> open) const -> BestEdge {
  if constexpr (sizeof...(Settled) == 4)
    return &Selector::best_edge<S, Settled...>;
  else
    return open[0] ? settle<S, Settled..., true>(open.subspan(1)) : settle<S, Settled..., false>(open.subspan(1));
}

std::uint32_t Selector::choose(const Node& node, std::span<const std::uint32_t> excluded, Rng& rng) const {
  if (config_.selection == Selection::EpsilonGreedy && rng.unit() < config_.epsilon) {
    const Edges edges = graph_.edges(node);
    const auto edge = static_cast<std::uint32_t>(rng.below(edges.size));
    if (!is_barred(node, edges, edge, excluded)) return edge;
  }
  return (this->*(excluded.empty() ? best_edge_ : best_edge_filtered_))(node, excluded);
}

// The edge of highest score: what is known of it, for the mover, plus the rule's bonus for having been tried little.
// An edge that was never tried has its value alone: the first-play urgency, unless RAVE or a prior says more.
template <Selection S, bool Amaf, bool Priors, bool Dag, bool Filters>
std::uint32_t Selector::best_edge(const Node& node, std::span<const std::uint32_t> excluded) const {
  const Edges edges = graph_.edges(node);
  const auto* const visits = edges.visits();
  const auto* const values = edges.value();
  const auto* const amaf_visits = edges.amaf_visits();
  const auto* const amaf_values = edges.amaf_value();
  const float* const priors = edges.prior();
  // The mover's view of a first player's mean v is offset + sign * v.
  const float offset = node.mover == 0 ? 0.0f : 1.0f, sign = node.mover == 0 ? 1.0f : -1.0f;
  const std::uint32_t num_walks = std::max(1u, node.walks.load(std::memory_order_relaxed));
  const float log_walks = log_of(num_walks);
  const float scale = config_.exploration * std::sqrt(S == Selection::Puct ? static_cast<float>(num_walks) : log_walks);
  // A probability is no value: under PUCT an edge never tried is as good as its node so far.
  const float unknown = S == Selection::Puct && std::isinf(config_.first_play_urgency)
                            ? offset + sign * (load(node.value) / std::max(1.0f, load(node.visits)))
                            : config_.first_play_urgency;
  const float log_amaf = Amaf && config_.rave_exploration > 0 ? log_of(total_amaf_visits(edges)) : 0;

  std::uint32_t best = kNoEdge;
  float best_score = kNever;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    if (Filters && is_barred(node, edges, i, excluded)) continue;
    float n = load(visits[i]), value = unknown;
    if (n > 0) {
      if constexpr (Dag) {  // the child keeps the mean, shared by all its parents; the visits are the edge's own
        const Node& child = graph_.node(edges.child()[i].load(std::memory_order_acquire));
        value = offset + sign * (load(child.value) / std::max(1.0f, load(child.visits)));
      } else {
        value = offset + sign * (load(values[i]) / n);
      }
    }
    if constexpr (Amaf) {
      if (const float m = load(amaf_visits[i]); m > 0) {
        float rave = offset + sign * (load(amaf_values[i]) / m);
        if (log_amaf > 0) rave += config_.rave_exploration * std::sqrt(log_amaf / m);
        if (n == 0) {
          value = rave;  // V = beta * V_rave + (1 - beta) * V_uct; here there is no V_uct yet
        } else {
          const float weight = beta(n, m);
          value = weight * rave + (1 - weight) * value;
        }
      }
    }
    if constexpr (Priors) mix_in_prior(priors[i], value, n);

    float score = value;
    if constexpr (S == Selection::Ucb1) {
      if (n > 0) score += scale / std::sqrt(n);
    } else if constexpr (S == Selection::Ucb1Tuned) {
      if (const float tried = load(visits[i]); tried > 0) {
        const float mean = load(values[i]) / tried;
        const float variance = std::max(0.0f, load(edges.squares()[i]) / tried - mean * mean);
        const float bound = variance + std::sqrt(2 * log_walks / tried);
        score += config_.exploration * std::sqrt(log_walks / tried * std::min(0.25f, bound));
      }
    } else if constexpr (S == Selection::Bast) {
      if (n > 0) score = edges.upper()[i].load(std::memory_order_relaxed);
    } else if constexpr (S == Selection::Puct) {
      score += scale * priors[i] / (1 + n);
    }
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  if (Filters && best == kNoEdge) return any_not_excluded(edges, excluded);
  return best;
}

void Selector::mix_in_prior(float prior, float& value, float& n) const {
  const bool is_known = n > 0 || !std::isinf(value);
  switch (config_.prior_use) {
    case PriorUse::Off:
      break;
    case PriorUse::VirtualVisits:
      value = is_known ? (value * n + prior * config_.prior_weight) / (n + config_.prior_weight) : prior;
      n += config_.prior_weight;
      break;
    case PriorUse::ProgressiveBias:
      value += config_.prior_weight * prior / (config_.prior_fades ? n + 1 : 1);
      break;
    case PriorUse::Horizon: {
      // As printed, alpha and beta are both 1 at n = 0. Here beta acts within the part that alpha leaves.
      const float alpha = std::max(0.0f, (config_.prior_horizon - n) / config_.prior_horizon);
      value = is_known ? alpha * prior + (1 - alpha) * value : prior;
      break;
    }
  }
}

// Not to be walked now: forbidden on this path, not yet unlocked, or proved lost for the mover.
bool Selector::is_barred(const Node& node, const Edges& edges, std::uint32_t edge,
                         std::span<const std::uint32_t> excluded) const {
  return (config_.widening && !edges.is_unlocked(edge)) ||
         (config_.solver && is_lost_for(node.mover, edges.proof(edge))) ||
         std::find(excluded.begin(), excluded.end(), edge) != excluded.end();
}

// k(N) = max(Nmin, Ks * ln(Kf * N) + Nmin)
void Selector::widen(const Node& node) const {
  const Edges edges = graph_.edges(node);
  const std::uint32_t num_walks = std::max(1u, node.walks.load(std::memory_order_relaxed));
  std::uint32_t unlocked = 0;
  for (std::uint32_t i = 0; i < edges.size; ++i) unlocked += edges.is_unlocked(i);
  // ln(Kf * N) = ln N + ln Kf; the constant is made of the same table: Kf = 1 / round(1 / Kf).
  const float log_rate = -log_of(static_cast<std::uint32_t>(std::max(1.0f, 1 / config_.widening_rate + 0.5f)));
  const float grown = config_.widening_scale * (log_of(num_walks) + log_rate);
  const auto minimum = static_cast<std::uint32_t>(config_.widening_minimum);
  const std::uint32_t allowed = std::min(edges.size, minimum + static_cast<std::uint32_t>(std::max(0.0f, grown)));
  while (unlocked < allowed) {
    std::uint32_t best = kNoEdge;
    float best_order = kNever;
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      if (edges.is_unlocked(i)) continue;
      const float m = graph_.columns().amaf ? load(edges.amaf_visits()[i]) : 0;
      const float amaf = m > 0 ? seen_by(node.mover, load(edges.amaf_value()[i]) / m) : 0;
      // The prior counts for as much as AMAF once a move has been seen ten times.
      const float order = (graph_.columns().prior ? edges.prior()[i] : 0) + amaf * m / (m + 10);
      if (order > best_order) {
        best_order = order;
        best = i;
      }
    }
    edges.word()[best].fetch_or(Edges::kUnlocked, std::memory_order_relaxed);
    ++unlocked;
  }
}

// Coquelin and Munos: B = min(mean + delta_d + c_n, best bound below), here for both sides' bounds, because in a
// two-player game the bound below belongs to the opponent.
void Selector::update_bounds(const Node& node, std::uint32_t edge, int depth) const {
  const Edges edges = graph_.edges(node);
  const float n = load(edges.visits()[edge]);
  if (n == 0) return;
  const float mean = seen_by(node.mover, load(edges.value()[edge]) / n);
  const float width = std::ldexp(config_.smoothness, -depth) +
                      config_.exploration * std::sqrt((log_of(static_cast<std::uint32_t>(n)) * 2 + 1) / n);
  float upper = mean + width, lower = mean - width;
  const NodeId child_id = edges.child()[edge].load(std::memory_order_acquire);
  if (child_id != kNoNode && graph_.has_edges(graph_.node(child_id))) {
    const Node& child = graph_.node(child_id);
    const Edges below = graph_.edges(child);
    float best_upper = kNever, best_lower = kNever;
    bool all_tried = true;
    for (std::uint32_t i = 0; i < below.size; ++i) {
      all_tried &= below.visits()[i].load(std::memory_order_relaxed) > 0;
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
