// A Python function as a grouper: moves out, groups of moves in. Only the call itself holds the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "search/grouped.hpp"

namespace tesuji::bind {

namespace nb = nanobind;

// `function(path, moves)` returns a list of (kind, moves); tesuji.search.groups checks them.
inline PathGrouper python_grouper(nb::object function) {
  struct Held {
    explicit Held(nb::object f) : function(std::move(f)) {}
    ~Held() {
      const nb::gil_scoped_acquire hold;
      function.reset();
    }
    nb::object function;
  };
  auto held = std::make_shared<Held>(std::move(function));
  return [held](const DynamicGame&, std::span<const Move> moves, std::span<const Move> path, GroupList& groups) {
    const nb::gil_scoped_acquire hold;
    const nb::object found =
        held->function(std::vector<Move>(path.begin(), path.end()), std::vector<Move>(moves.begin(), moves.end()));
    for (auto& [kind, members] : nb::cast<std::vector<std::pair<std::uint16_t, MoveList>>>(found))
      groups.add(kind) = std::move(members);
  };
}

}  // namespace tesuji::bind
