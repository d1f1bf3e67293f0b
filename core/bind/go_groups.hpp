// Groupings of Go, as Python hands them over. Included wherever face_of<go::GoGame<...>>() is asked.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bind/game_face.hpp"
#include "games/groups.hpp"
#include "go/groups.hpp"
#include "search/search.hpp"

namespace tesuji::bind {

struct GoGroups {
  std::vector<go::GroupRow> rows;
};

template <int Capacity, go::Tracking Track>
struct NativeGrouper<go::GoGame<Capacity, Track>> {
  using G = go::GoGame<Capacity, Track>;
  static PathGrouper from(nb::handle grouping) {
    if (!nb::isinstance<GoGroups>(grouping))
      throw std::invalid_argument("the grouping " + std::string(nb::repr(grouping).c_str()) +
                                  " is of another game; Go has tesuji.go.GoGroups");
    return dynamic<G>(Grouper<G>(go::grouper_of<G>(nb::cast<const GoGroups&>(grouping).rows)));
  }
};

}  // namespace tesuji::bind
