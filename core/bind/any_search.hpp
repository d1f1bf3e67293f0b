// A search over whatever game, as Python holds it. A binding of a native game makes one by search_over().
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bind/native_grouper.hpp"
#include "bind/playouts.hpp"
#include "bind/python_evaluator.hpp"
#include "bind/python_grouper.hpp"
#include "search/search.hpp"

namespace tesuji::bind {

class AnySearch {
 public:
  virtual ~AnySearch() = default;
  // What does not depend on the game.
  virtual GraphSearch& graph_search() = 0;
  virtual void evaluate_with(nb::object function) = 0;
  virtual void group_with(nb::object grouper, const GroupingOptions& options) = 0;
  virtual void play_out_by(nb::handle playouts) = 0;
  virtual std::uint64_t root_key() const = 0;
  virtual Move num_moves() const = 0;
};

template <Game G, class Keep = std::nullptr_t>
class SearchOver final : public AnySearch {
 public:
  // `keep` is whatever the states point to and must outlive them.
  SearchOver(std::shared_ptr<Keep> keep, const G& root, const SearchConfig& config, std::uint64_t seed)
      : keep_(std::move(keep)), search_(root, config, seed) {}

  GraphSearch& graph_search() override { return search_; }
  void evaluate_with(nb::object function) override {
    search_.evaluate_with(python_evaluator<G>(std::move(function), search_.root_state().num_distinct_moves()));
  }
  void group_with(nb::object grouper, const GroupingOptions& options) override {
    if (nb::isinstance<nb::callable>(grouper))
      search_.group_with(python_grouper<G>(std::move(grouper)), options);
    else
      search_.group_with(NativeGrouper<G>::from(grouper), options);
  }
  void play_out_by(nb::handle playouts) override {
    if (auto policy = playouts_from<G>(playouts)) search_.play_out_by(std::move(policy));
  }
  std::uint64_t root_key() const override { return search_.root_state().hash(); }
  Move num_moves() const override { return search_.root_state().num_distinct_moves(); }

 private:
  std::shared_ptr<Keep> keep_;
  Search<G> search_;
};

template <Game G>
std::unique_ptr<AnySearch> search_over(const G& root, const SearchConfig& config, std::uint64_t seed) {
  return std::make_unique<SearchOver<G>>(nullptr, root, config, seed);
}

// Every native game has this as its method make_search(config, seed), which is all that tesuji.search asks of one.
inline constexpr const char* kMakeSearchDoc = "The native search over this state; tesuji.search asks for it.";

}  // namespace tesuji::bind
