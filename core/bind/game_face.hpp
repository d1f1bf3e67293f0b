// What only the binding of a game's type knows: how Python sees a state, which native groupings it has, which compiled
// playouts. Everything else about a game is behind games/dynamic.hpp.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bind/python_game.hpp"
#include "games/compiled.hpp"
#include "games/dynamic.hpp"
#include "games/native_game.hpp"
#include "games/pgame.hpp"
#include "search/grouped.hpp"

namespace tesuji::bind {

namespace nb = nanobind;

struct GameFace {
  // A state as Python sees it: its own object, or a copy. Null: Python does not see it.
  nb::object (*shown)(const DynamicGame& state) = nullptr;
  // A grouping that is written in C++, from the object that stands for it. Throws unless it is one of this game.
  PathGrouper (*native_grouper)(nb::handle grouping) = nullptr;
  bool is_compiled = false;  // from Python, by Numba
};

// Specialised for games that have native groupings.
template <Game G>
struct NativeGrouper {
  static PathGrouper from(nb::handle grouping) {
    throw std::invalid_argument("the grouping " + std::string(nb::repr(grouping).c_str()) +
                                " is of another game; give this one a function");
  }
};

template <Game G>
GameFace face_of() {
  GameFace face{nullptr, &NativeGrouper<G>::from, std::is_same_v<G, CompiledGame>};
  if constexpr (std::is_same_v<G, DynamicGame>)
    face.shown = [](const DynamicGame& state) { return static_cast<const PythonGame&>(state.game()).object(); };
  else if constexpr (!std::is_same_v<G, CompiledGame> && !std::is_same_v<G, PGamePosition>)
    if (nb::type<G>().is_valid())
      face.shown = [](const DynamicGame& state) { return nb::cast(native<G>(state), nb::rv_policy::copy); };
  return face;
}

}  // namespace tesuji::bind
