#include "search/edge_reader.hpp"

namespace tesuji {

EdgeNumbers EdgeReader::copied(const Node& node, const Edges& edges, EdgeScores& e) const {
  const std::uint32_t visits = visits_at(node);
  if (means_.are_own()) {
    copy_words(e.copied_visits.data(), edges.visits(), edges.size);
    copy_words(e.copied_value.data(), edges.value(), edges.size);
  } else {
    means_.read(edges, e.copied_visits.data(), e.copied_value.data());
  }
  const std::uint32_t in_flight = graph_.columns().in_flight ? add_walks_in_flight(node, edges, e) : 0;
  return {edges.size, visits + in_flight, e.copied_visits.data(), e.copied_value.data(), e.copied_amaf.data()};
}

// Until its result is in, a walk counts as a visit that the mover has lost. Returns how many there are.
std::uint32_t EdgeReader::add_walks_in_flight(const Node& node, const Edges& edges, EdgeScores& e) const {
  const auto* const in_flight = edges.in_flight();
  const std::int64_t loss = node.mover == 1 ? kOne : 0;
  std::uint32_t all = 0;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::uint32_t number = in_flight[i].load(std::memory_order_relaxed);
    e.copied_visits[i] += number;
    e.copied_value[i] += number * loss;
    all += number;
  }
  return all;
}

// One player's sums of merits become what two players have.
void EdgeReader::copy_amaf(const Edges& edges, EdgeScores& e) const {
  if (!graph_.columns().numbers) return copy_words(e.copied_amaf.data(), edges.amaf(), edges.size);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::uint32_t m = edges.amaf_visits()[i].load(std::memory_order_relaxed);
    const double sum = as_number(edges.amaf_sum()[i].load(std::memory_order_relaxed));
    const double mean = m > 0 ? means_.normal(sum / (m * static_cast<double>(amaf_unit_))) : 0;
    const double scaled = mean * m * static_cast<double>(amaf_unit_) / static_cast<double>(amaf::kScale);
    e.copied_amaf[i] = static_cast<std::uint64_t>(scaled) << 32 | m;
  }
}

EdgeReader::AmafMean EdgeReader::amaf_of(const Edges& edges, std::uint32_t edge) const {
  if (!graph_.columns().amaf) return {};
  if (graph_.columns().numbers) {
    const float m = static_cast<float>(edges.amaf_visits()[edge].load(std::memory_order_relaxed)) * amaf_unit_;
    const double sum = as_number(edges.amaf_sum()[edge].load(std::memory_order_relaxed));
    return {m, m > 0 ? static_cast<float>(means_.normal(sum / static_cast<double>(m))) : 0};
  }
  const std::uint64_t packed = edges.amaf()[edge].load(std::memory_order_relaxed);
  const float m = static_cast<float>(amaf::visits(packed)) * amaf_unit_;
  return {m, m > 0 ? static_cast<float>(amaf::value(packed)) * amaf::kScale / m : 0};
}

float EdgeReader::variance_of(const Edges& edges, std::uint32_t edge) const {
  const std::uint32_t n = edges.visits()[edge].load(std::memory_order_relaxed);
  if (n == 0) return 0;
  if (!graph_.columns().numbers) {
    const auto per_visit = [&](const std::atomic<std::int64_t>& sum) {
      constexpr float kScale = 1.0f / static_cast<float>(kOne);
      return static_cast<float>(sum.load(std::memory_order_relaxed)) * kScale / static_cast<float>(n);
    };
    const float mean = per_visit(edges.value()[edge]);
    return std::max(0.0f, per_visit(edges.squares()[edge]) - mean * mean);
  }
  const double mean = as_number(edges.value()[edge].load(std::memory_order_relaxed)) / n;
  const double square = as_number(edges.squares()[edge].load(std::memory_order_relaxed)) / n;
  const double range = means_.range();
  return range > 0 ? static_cast<float>(std::max(0.0, square - mean * mean) / (range * range)) : 0;
}

}  // namespace tesuji
