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
#include "bind/python_evaluator.hpp"
#include "bind/python_grouper.hpp"
#include "search/search.hpp"

namespace tesuji::bind {

class AnySearch {
 public:
  virtual ~AnySearch() = default;
  virtual void run(const Budget& budget, const std::function<bool()>& progress) = 0;
  virtual void evaluate_with(nb::object function) = 0;
  virtual void group_with(nb::object grouper, const GroupingOptions& options) = 0;
  virtual const std::vector<float>& biases() const = 0;
  virtual void stop() = 0;
  virtual void advance(Move move) = 0;
  virtual std::vector<NodeStatistics> statistics(double share, std::size_t max_nodes) = 0;
  virtual void take_in(std::span<const NodeStatistics> found) = 0;
  virtual std::vector<GraphSnapshot> snapshots() = 0;
  virtual std::vector<std::uint64_t> streams() const = 0;
  virtual void restore(std::span<const GraphSnapshot> snapshots, std::span<const std::uint64_t> streams,
                       const TableSnapshot& table) = 0;
  virtual TableSnapshot table() = 0;
  virtual void begin_with(const TableSnapshot& table) = 0;
  virtual std::size_t drop_rare_entries() = 0;
  virtual std::uint64_t root_key() const = 0;
  virtual SearchResult result() const = 0;
  virtual Found found() const = 0;
  virtual std::uint64_t num_walks_to(std::size_t depth) const = 0;
  virtual void keep_most_visited(int depth, std::size_t width) = 0;
  virtual const Graph& graph() const = 0;
};

template <Game G, class Keep = std::nullptr_t>
class SearchOver final : public AnySearch {
 public:
  // `keep` is whatever the states point to and must outlive them.
  SearchOver(std::shared_ptr<Keep> keep, const G& root, const SearchConfig& config, std::uint64_t seed)
      : keep_(std::move(keep)), search_(root, config, seed) {}

  void run(const Budget& budget, const std::function<bool()>& progress) override { search_.run(budget, progress); }
  void evaluate_with(nb::object function) override {
    search_.evaluate_with(python_evaluator<G>(std::move(function), search_.root_state().num_distinct_moves()));
  }
  void group_with(nb::object grouper, const GroupingOptions& options) override {
    if (nb::isinstance<nb::callable>(grouper))
      search_.group_with(python_grouper<G>(std::move(grouper)), options);
    else
      search_.group_with(NativeGrouper<G>::from(grouper), options);
  }
  const std::vector<float>& biases() const override { return search_.biases(); }
  void stop() override { search_.stop(); }
  void advance(Move move) override { search_.advance(move); }
  std::vector<NodeStatistics> statistics(double share, std::size_t max_nodes) override {
    return search_.statistics(share, max_nodes);
  }
  void take_in(std::span<const NodeStatistics> found) override { search_.take_in(found); }
  std::vector<GraphSnapshot> snapshots() override { return search_.snapshots(); }
  std::vector<std::uint64_t> streams() const override { return search_.streams(); }
  void restore(std::span<const GraphSnapshot> snapshots, std::span<const std::uint64_t> streams,
               const TableSnapshot& table) override {
    search_.restore(snapshots, streams, table);
  }
  TableSnapshot table() override { return search_.table(); }
  void begin_with(const TableSnapshot& table) override { search_.begin_with(table); }
  std::size_t drop_rare_entries() override { return search_.drop_rare_entries(); }
  std::uint64_t root_key() const override { return search_.root_state().hash(); }
  SearchResult result() const override { return search_.result(); }
  Found found() const override { return search_.found(); }
  std::uint64_t num_walks_to(std::size_t depth) const override { return search_.num_walks_to(depth); }
  void keep_most_visited(int depth, std::size_t width) override { search_.keep_most_visited(depth, width); }
  const Graph& graph() const override { return search_.graph(); }

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
