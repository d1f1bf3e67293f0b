// A search over whatever game, as Python holds it. A binding of a native game makes one by search_over().
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "bind/game_face.hpp"
#include "bind/playouts.hpp"
#include "bind/python_evaluator.hpp"
#include "bind/python_grouper.hpp"
#include "games/native_game.hpp"
#include "search/game_search.hpp"

namespace tesuji::bind {

class AnySearch {
 public:
  // `keep` is whatever the states point to and must outlive them; `face` is what the binding knows of their type.
  AnySearch(std::shared_ptr<void> keep, DynamicGame root, const GameFace& face, const SearchConfig& config,
            std::uint64_t seed)
      : keep_(std::move(keep)), face_(face), search_(std::move(root), config, seed) {}

  GameSearch& search() { return search_; }
  void evaluate_with(nb::object function) {
    search_.evaluate_with(python_evaluator(std::move(function), search_.root_state().num_distinct_moves()));
  }
  void group_with(nb::object grouper, const GroupingOptions& options) {
    search_.group_with(
        nb::isinstance<nb::callable>(grouper) ? python_grouper(std::move(grouper)) : face_.native_grouper(grouper),
        options);
  }
  void play_out_by(nb::handle playouts) {
    if (auto policy = playouts_from(playouts, face_)) search_.play_out_by(std::move(policy));
  }
  std::uint64_t root_key() const { return search_.root_state().hash(); }
  Move num_moves() const { return search_.root_state().num_distinct_moves(); }

 private:
  std::shared_ptr<void> keep_;
  GameFace face_;
  GameSearch search_;
};

template <Game G>
std::unique_ptr<AnySearch> search_over(const G& root, const SearchConfig& config, std::uint64_t seed,
                                       std::shared_ptr<void> keep = nullptr) {
  return std::make_unique<AnySearch>(std::move(keep), dynamic(root), face_of<G>(), config, seed);
}
template <Game G>
std::unique_ptr<AnySearch> make_search(const G& root, const SearchConfig& config, std::uint64_t seed) {
  return search_over(root, config, seed);
}

// Every native game has this as its method make_search(config, seed), which is all that tesuji.search asks of one.
inline constexpr const char* kMakeSearchDoc = "The native search over this state; tesuji.search asks for it.";

}  // namespace tesuji::bind
