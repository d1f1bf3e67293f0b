// The inputs of the opening on small pictures; tests/go/opening compares random boards with a plain reference.
#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "go/opening_inputs.hpp"

using namespace tesuji::go;

namespace {

constexpr auto kScalar = Representation::Scalar;
constexpr auto kBinary = Representation::Binary;

Position three_stones() {  // X O in the upper left corner, X below
  return {.width = 3, .height = 3, .colors = {1, 2, 0, 1, 0, 0, 0, 0, 0}, .to_play = Color::White};
}

}  // namespace

TEST_CASE("the numbers of inputs are the paper's") {
  CHECK(OpeningFeatures{}.num_inputs(361) == 723);
  CHECK(OpeningFeatures{kBinary, kBinary, kBinary, kBinary}.num_inputs(361) == 11553);
  CHECK(OpeningFeatures{kScalar, kScalar, kScalar, kScalar}.num_inputs(81) == 649);
}

TEST_CASE("a position is told from one side, with the points off the board last") {
  const std::vector<float> black = opening_inputs(three_stones(), Color::Black, -5.0, {});
  const std::vector<float> white = opening_inputs(three_stones(), Color::White, 5.0, {});
  REQUIRE(black.size() == 19);
  float occupied = 0, of_black = 0, of_white = 0;
  for (std::size_t point = 0; point < 9; ++point) {
    occupied += black[2 * point];
    of_black += black[2 * point + 1];
    of_white += white[2 * point + 1];
  }
  CHECK(occupied == 3);
  CHECK(of_black == 2);
  CHECK(of_white == 1);
  CHECK(black.back() == doctest::Approx(-0.5));
  CHECK(white.back() == doctest::Approx(0.5));
}

TEST_CASE("after-states leave out stones, ko and suicide, and count what is taken") {
  Position position = three_stones();
  position.to_play = Color::Black;
  position.ko = 8;
  const AfterStates after = opening_after_states(position, {}, true, 0.0, {});
  CHECK(after.moves == std::vector<int>{2, 4, 5, 6, 7});
  CHECK(after.inputs.size() == 5 * 19);
  const int taking[] = {2};
  Position in_atari = position;
  in_atari.colors = {1, 2, 0, 0, 1, 0, 0, 0, 0};
  CHECK(opening_after_states(in_atari, taking, false, 0.0, {}).inputs.back() == doctest::Approx(0.1));
  const int occupied[] = {0};
  CHECK_THROWS_AS(opening_after_states(position, occupied, false, 0.0, {}), std::invalid_argument);
}
