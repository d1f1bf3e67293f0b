// Searches whose threads look on their own (orders.hpp, nrpa.hpp), as methods of native games of one player.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "search/nrpa.hpp"
#include "search/orders.hpp"

namespace tesuji::bind {

template <Game G>
std::unique_ptr<IndependentSearch> orders_over(const G& root, std::uint64_t patience, int num_threads,
                                               std::uint64_t seed, const MoveList& begin_with, bool reads_by_fit) {
  auto search = std::make_unique<OrderSearch<G>>(root, patience, num_threads, seed, reads_by_fit);
  search->begin_with(begin_with);
  return search;
}

template <Game G>
std::unique_ptr<IndependentSearch> nrpa_over(const G& root, const NrpaConfig& config, int num_threads,
                                             std::uint64_t seed) {
  return std::make_unique<NrpaSearch<G>>(root, config, num_threads, seed);
}

// What tesuji.search.solve asks of a native game of one player.
template <Game G>
void bind_independent_searches(nanobind::class_<G>& game) {
  using namespace nanobind::literals;
  game.def("make_orders", &orders_over<G>, "patience"_a, "num_threads"_a, "seed"_a, "begin_with"_a = MoveList(),
           "reads_by_fit"_a = true,
           "A local search over orders of moves from this state; tesuji.search.solve asks for it.")
      .def("make_nrpa", &nrpa_over<G>, "config"_a, "num_threads"_a, "seed"_a,
           "A nested rollout policy adaptation from this state; tesuji.search.solve asks for it.");
}

}  // namespace tesuji::bind
