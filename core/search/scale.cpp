#include "search/scale.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tesuji {

// With one number seen the old range is 0 and every result is 0, so the factor 0 is as good as any.
ScaleChange NumberScale::grow(std::span<const double> numbers) {
  const double old_low = low_.load(), old_high = high_.load();
  double low = has_numbers_ ? old_low : sign_ * numbers[0], high = has_numbers_ ? old_high : sign_ * numbers[0];
  for (const double number : numbers) {
    low = std::min(low, sign_ * number);
    high = std::max(high, sign_ * number);
  }
  if (!std::isfinite(high - low))
    throw std::invalid_argument("values from " + std::to_string(sign_ * low) + " to " + std::to_string(sign_ * high) +
                                " span more than a number can hold; make them smaller");
  const bool is_first = !has_numbers_;
  has_numbers_ = true;
  low_.store(low);
  high_.store(high);
  const double range = high - low;
  if (is_first || range == 0) return {};
  return {(old_high - old_low) / range, (old_low - low) / range};
}

namespace {

// The sum of n results after the change; rounding may not carry it out of 0..n.
std::int64_t moved(std::int64_t sum, std::uint64_t n, std::int64_t one, const ScaleChange& change) {
  const double most = static_cast<double>(n) * static_cast<double>(one);
  const double now = change.factor * static_cast<double>(sum) + change.offset * most;
  return static_cast<std::int64_t>(std::clamp(now, 0.0, most) + 0.5);
}

// sum of (f v + o)^2 = f^2 sum v^2 + 2 f o sum v + n o^2
std::int64_t moved_squares(std::int64_t squares, std::int64_t sum, std::uint64_t n, const ScaleChange& change) {
  const double f = change.factor, o = change.offset;
  const double most = static_cast<double>(n) * static_cast<double>(kOne);
  const double now = f * f * static_cast<double>(squares) + 2 * f * o * static_cast<double>(sum) + o * o * most;
  return static_cast<std::int64_t>(std::clamp(now, 0.0, most) + 0.5);
}

void rescale_edges(const Edges& edges, const Columns& columns, const ScaleChange& change) {
  constexpr std::int64_t kAmafOne = 256;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::int64_t sum = edges.value()[i].load(std::memory_order_relaxed);
    const std::uint64_t n = edges.visits()[i].load(std::memory_order_relaxed);
    if (columns.squares) edges.squares()[i] = moved_squares(edges.squares()[i].load(), sum, n, change);
    edges.value()[i].store(moved(sum, n, kOne, change), std::memory_order_relaxed);
    if (!columns.amaf) continue;
    const std::uint64_t packed = edges.amaf()[i].load(std::memory_order_relaxed), m = amaf::visits(packed);
    const std::int64_t value = moved(amaf::value(packed), m, kAmafOne, change);
    edges.amaf()[i].store(static_cast<std::uint64_t>(value) << 32 | m, std::memory_order_relaxed);
  }
}

}  // namespace

void rescale(Graph& graph, const ScaleChange& change) {
  if (!change.is_change()) return;
  const NodeId end = graph.end_of_nodes();
  for (NodeId id = 1; id < end; ++id) {
    Node& node = graph.node(id);
    const std::uint64_t n = node.visits.load(std::memory_order_relaxed);
    node.value.store(moved(node.value.load(std::memory_order_relaxed), n, kOne, change), std::memory_order_relaxed);
    if (graph.has_edges(node)) rescale_edges(graph.edges(node), graph.columns(), change);
  }
}

}  // namespace tesuji
