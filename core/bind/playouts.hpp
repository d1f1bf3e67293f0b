// What Python gives as playouts, as a policy for games of one type: a search calls playouts_from<G>() when it is made.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bind/python_playout.hpp"
#include "games/compiled_playout.hpp"
#include "games/playout.hpp"
#include "games/recorded_playouts.hpp"
#include "search/stop_at_known.hpp"

namespace tesuji::bind {

// Decorators before there is a game; `inner` is None or any other description.
struct Recorded {
  nb::object inner;
  std::shared_ptr<PlayoutHistory> history;
};
struct Stopping {
  nb::object inner;
  std::shared_ptr<KnownPositions> positions;
  StopOptions options;
  std::shared_ptr<StopCounts> counts = std::make_shared<StopCounts>();
};

// Null for None: the game's own playout.
template <Game G>
std::shared_ptr<PlayoutPolicy<G>> playouts_from(nb::handle given) {
  if (given.is_none()) return nullptr;
  if (nb::isinstance<PythonPlayouts>(given))
    return std::make_shared<PythonPlayout<G>>(nb::cast<const PythonPlayouts&>(given));
  if (nb::isinstance<Recorded>(given)) {
    const auto& recorded = nb::cast<const Recorded&>(given);
    return std::make_shared<RecordedPlayouts<G>>(playouts_from<G>(recorded.inner), recorded.history);
  }
  if (nb::isinstance<Stopping>(given)) {
    const auto& stopping = nb::cast<const Stopping&>(given);
    return std::make_shared<StopAtKnown<G>>(playouts_from<G>(stopping.inner), stopping.positions, stopping.options,
                                            stopping.counts);
  }
  if (nb::isinstance<CompiledSteps>(given)) {
    if constexpr (std::is_same_v<G, CompiledGame>)
      return std::make_shared<CompiledPlayout>(nb::cast<std::shared_ptr<CompiledSteps>>(given));
    else
      throw std::invalid_argument("compiled playouts are for the compiled game that they were made for");
  }
  throw std::invalid_argument("playouts is " + nb::cast<std::string>(nb::repr(given)) +
                              "; tesuji.search.playouts says what it may be");
}

}  // namespace tesuji::bind
