// What Python gives as playouts, as a policy: a search calls playouts_from() when it is made.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>

#include "bind/game_face.hpp"
#include "games/playout.hpp"
#include "games/recorded_playouts.hpp"
#include "search/stop_at_known.hpp"

namespace tesuji::bind {

namespace nb = nanobind;

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
std::shared_ptr<PlayoutPolicy<DynamicGame>> playouts_from(nb::handle given, const GameFace& face);

}  // namespace tesuji::bind
