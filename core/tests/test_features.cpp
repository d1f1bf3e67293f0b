// Features of moves: what the numbers mean, and that the compiled capacity does not matter. Pictures of every feature
// are in tests/go/knowledge/test_features.py.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "go/features.hpp"
#include "go/priors.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

std::vector<std::uint16_t> levels_of(const Features& features) {
  std::vector<std::uint16_t> levels(features.levels.begin(),
                                    features.levels.begin() + static_cast<std::ptrdiff_t>(features.size));
  std::sort(levels.begin(), levels.end());
  return levels;
}

struct Place {
  int row, column;
};

template <int Capacity>
Cell cell_at(Place place) {
  return Layout<Capacity>::cell(place.row, place.column);
}

// One random game played on boards of two capacities side by side: the features of all moves agree throughout.
template <int Small, int Large>
void check_capacities(int width, int height, std::uint64_t seed) {
  using A = Stones<Small, kTactical>;
  using B = Stones<Large, kTactical>;
  A a(width, height);
  B b(width, height);
  Rng rng(seed);
  Place last{-1, 0}, before_last{-1, 0};
  const auto cell_of = [](auto tag, Place place) {
    return place.row < 0 ? kPass : cell_at<decltype(tag)::value>(place);
  };
  using TagA = std::integral_constant<int, Small>;
  using TagB = std::integral_constant<int, Large>;
  for (int move = 0; move < 2 * width * height; ++move) {
    const MoveFeatures<Color::Black, A> in_a(a, cell_of(TagA{}, last), cell_of(TagA{}, before_last));
    const MoveFeatures<Color::Black, B> in_b(b, cell_of(TagB{}, last), cell_of(TagB{}, before_last));
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        const Cell cell = cell_at<Small>({row, column});
        if (!is_playable<Color::Black>(a, cell)) continue;
        const Features left = in_a.of(cell), right = in_b.of(cell_at<Large>({row, column}));
        REQUIRE(left.shape == right.shape);
        REQUIRE(levels_of(left) == levels_of(right));
      }
    const Color color = move % 2 == 0 ? Color::White : Color::Black;
    const Cell played = color == Color::Black ? a.template play_uniformly<Color::Black>(rng)
                                              : a.template play_uniformly<Color::White>(rng);
    before_last = last;
    last = {-1, 0};
    if (played == kPass) {
      b.pass();
      continue;
    }
    last = {A::L::row(played), A::L::column(played)};
    b.play(cell_at<Large>(last), color);
  }
}

}  // namespace

TEST_CASE("levels of the blocks follow each other without gaps") {
  std::size_t next = 0;
  for (std::size_t block = 0; block < kNumBlocks; ++block) {
    CHECK(first_level(static_cast<Block>(block)) == next);
    next += kBlockLevels[block];
  }
  CHECK(kNumLevels == next);
  Features features;
  features.add(Block::Urgent, static_cast<std::size_t>(UrgentKind::LowLiberties));
  CHECK(features.levels[0] == kNumLevels - 1);
}

TEST_CASE("exchanging the colours of a shape twice gives the shape; empty and off-board fields stay") {
  CHECK(with_colors_exchanged(0b11'10'01'00u) == 0b11'01'10'00u);
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const auto shape = static_cast<std::uint32_t>(rng.below(1u << 24));
    CHECK(with_colors_exchanged(with_colors_exchanged(shape)) == shape);
  }
}

TEST_CASE("features do not depend on the capacity of the board") {
  check_capacities<9, 19>(7, 7, 1);
  check_capacities<9, 13>(9, 9, 2);
  check_capacities<13, 25>(13, 5, 3);
  check_capacities<13, 19>(5, 13, 4);
  check_capacities<9, 25>(1, 1, 5);
  check_capacities<9, 19>(1, 7, 6);
}

TEST_CASE("on a board of one point everything around the move is off the board") {
  const Stones<9, kTactical> stones(1, 1);
  const MoveFeatures<Color::Black, Stones<9, kTactical>> features(stones, kPass, kPass);
  CHECK(features.of(Layout<9>::cell(0, 0)).shape == 0xFFFFFFu);
}

TEST_CASE("a table of shapes knows what was put in, and 1 for all else") {
  CHECK(ShapeTable().strength(7) == 1.0f);
  CHECK(ShapeTable({}, {}).strength(7) == 1.0f);
  std::vector<std::uint32_t> shapes;
  std::vector<float> strengths;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    shapes.push_back(i * 2654435u & 0xFFFFFFu);
    strengths.push_back(static_cast<float>(i + 2));
  }
  const ShapeTable table(shapes, strengths);
  for (std::size_t i = 0; i < shapes.size(); ++i) REQUIRE(table.strength(shapes[i]) == strengths[i]);
  std::sort(shapes.begin(), shapes.end());
  for (std::uint32_t shape = 0; shape < 20000; ++shape)
    if (!std::binary_search(shapes.begin(), shapes.end(), shape)) REQUIRE(table.strength(shape) == 1.0f);
}

TEST_CASE("a strength is the product of what a move has") {
  Strengths strengths;
  Features features;
  features.shape = 0x123456u;
  CHECK(strengths.of(features) == 1.0f);
  strengths.codes[0x3456] = 2.0f;
  strengths.shapes = ShapeTable(std::vector<std::uint32_t>{0x123456u}, std::vector<float>{3.0f});
  strengths.levels[first_level(Block::Capture)] = 5.0f;
  strengths.levels[first_level(Block::Capture) + 1] = 7.0f;
  CHECK(strengths.of(features) == 6.0f);
  features.add(Block::Capture, 0);
  CHECK(strengths.of(features) == 30.0f);
}

TEST_CASE("a prior is a root of the share of the best, raised to the floor") {
  PriorWeights weights;
  weights.roots = 0;
  CHECK(weights.prior(1.0f, 16.0f) == doctest::Approx(1.0 / 16));
  weights.roots = 2;
  CHECK(weights.prior(1.0f, 16.0f) == doctest::Approx(0.5));
  weights.floor = 0.2f;
  CHECK(weights.prior(1.0f, 16.0f) == doctest::Approx(0.2 + 0.8 * 0.5));
  CHECK(weights.prior(0.0f, 16.0f) == doctest::Approx(0.2));
  CHECK(weights.prior(16.0f, 16.0f) == 1.0f);
  CHECK(weights.prior(0.0f, 0.0f) == 1.0f);
}
