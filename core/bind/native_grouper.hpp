// Groupings that are written in C++, as Python hands them over: an object that stands for one of a game.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "games/groups.hpp"
#include "games/pgame.hpp"
#include "go/groups.hpp"

namespace tesuji::bind {

namespace nb = nanobind;

// Specialised for games that have native groupings.
template <Game G>
struct NativeGrouper {
  static Grouper<G> from(nb::handle grouping) {
    throw std::invalid_argument("the grouping " + std::string(nb::repr(grouping).c_str()) +
                                " is of another game; give this one a function");
  }
};

struct PGameGroups {};

template <>
struct NativeGrouper<PGamePosition> {
  static Grouper<PGamePosition> from(nb::handle grouping) {
    if (!nb::isinstance<PGameGroups>(grouping))
      throw std::invalid_argument("the grouping " + std::string(nb::repr(grouping).c_str()) +
                                  " is of another game; P-games have PGame.groups");
    return PGamePosition::find_groups;
  }
};

struct GoGroups {
  std::vector<go::GroupRow> rows;
};

template <int Capacity, go::Tracking Track>
struct NativeGrouper<go::GoGame<Capacity, Track>> {
  static Grouper<go::GoGame<Capacity, Track>> from(nb::handle grouping) {
    if (!nb::isinstance<GoGroups>(grouping))
      throw std::invalid_argument("the grouping " + std::string(nb::repr(grouping).c_str()) +
                                  " is of another game; Go has tesuji.go.GoGroups");
    return go::grouper_of<go::GoGame<Capacity, Track>>(nb::cast<const GoGroups&>(grouping).rows);
  }
};

}  // namespace tesuji::bind
