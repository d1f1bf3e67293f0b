// The groups of a P-game, as Python hands them over. Included wherever face_of<PGamePosition>() is asked.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>

#include "bind/game_face.hpp"
#include "games/groups.hpp"
#include "games/pgame.hpp"
#include "search/search.hpp"

namespace tesuji::bind {

struct PGameGroups {};

template <>
struct NativeGrouper<PGamePosition> {
  static PathGrouper from(nb::handle grouping) {
    if (!nb::isinstance<PGameGroups>(grouping))
      throw std::invalid_argument("the grouping " + std::string(nb::repr(grouping).c_str()) +
                                  " is of another game; P-games have PGame.groups");
    return dynamic<PGamePosition>(Grouper<PGamePosition>(PGamePosition::find_groups));
  }
};

}  // namespace tesuji::bind
