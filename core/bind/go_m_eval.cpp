// Binds M-eval: knowledge from masters' games, and what it says of positions. tesuji.go.knowledge.m_eval documents it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

#include "go/board.hpp"
#include "go/m_eval.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using namespace tesuji::go;

namespace {

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copied(const Column<T>& column) {
  return {column.data(), column.data() + column.size()};
}

// One list of numbers after another: the points of the places in both forms, or their borders.
using Lists = std::vector<std::vector<std::uint16_t>>;
using KeyLists = std::vector<std::vector<std::uint64_t>>;

std::shared_ptr<const RegionPatterns> make_patterns(const Lists& points, const Lists& borders, const KeyLists& keys,
                                                    const Column<std::uint8_t>& kinds,
                                                    const Column<std::uint64_t>& pattern_keys,
                                                    const Column<float>& black, const Column<float>& white,
                                                    const Column<std::uint32_t>& starts,
                                                    const Column<std::uint16_t>& moves) {
  if (points.size() != 2 * kNumPlaces || borders.size() != kNumPlaces || keys.size() != 2 * kNumKinds)
    throw std::invalid_argument("there are twelve places of two forms with a border each, and keys of three kinds");
  std::vector<RegionPatterns::Place> places;
  for (std::size_t i = 0; i < kNumPlaces; ++i) places.push_back({{points[2 * i], points[2 * i + 1]}, borders[i]});
  RegionPatterns::StoneKeys stone_keys;
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) stone_keys[kind] = {keys[2 * kind], keys[2 * kind + 1]};
  return std::make_shared<const RegionPatterns>(
      std::move(places), std::move(stone_keys),
      RegionPatterns::Columns{copied(kinds), copied(pattern_keys), copied(black), copied(white), copied(starts),
                              copied(moves)});
}

std::array<Color, kOpeningPoints> colors_of(const Board& board) {
  if (board.width() != kOpeningSize || board.height() != kOpeningSize)
    throw std::invalid_argument("M-eval is for 19x19 boards");
  std::array<Color, kOpeningPoints> colors;
  for (int point = 0; point < board.num_points(); ++point)
    colors[static_cast<std::size_t>(point)] = board.color_at(point);
  return colors;
}

std::array<Qualities, 2> qualities_of(const MEval& m_eval, const Board& board) {
  QualityPosition position = m_eval.position(colors_of(board));
  position.count_urgency();
  return position.qualities();
}

using Row = std::tuple<int, double, double, double>;

std::vector<Row> judged_moves(const MEval& m_eval, const Board& board, int around, int depth) {
  std::vector<Row> rows;
  for (const auto& [move, encoding, value] :
       m_eval.search(m_eval.position(colors_of(board)), board.to_play(), around, depth))
    rows.emplace_back(move, encoding[0], encoding[1], value);
  return rows;
}

}  // namespace

void bind_go_m_eval(nb::module_& m) {
  nb::class_<RegionPatterns>(m, "RegionPatterns",
                             "Patterns of corners and sides, as tesuji.go.knowledge.m_eval has them.")
      .def(nb::new_(&make_patterns), "points"_a, "borders"_a, "keys"_a, "kinds"_a, "pattern_keys"_a, "black"_a,
           "white"_a, "starts"_a, "moves"_a)
      .def("__len__", &RegionPatterns::size);
  nb::class_<MEval>(m, "MEval", "A multivariate evaluation of 19x19 openings; tesuji.go.knowledge.m_eval documents it.")
      .def(nb::new_([](std::shared_ptr<const RegionPatterns> patterns, std::shared_ptr<const Strengths> strengths,
                       const std::array<Encoding, kNumQualities>& encoder, float share, float intensity,
                       int most_moves) {
             return std::make_shared<MEval>(MEvalKnowledge{std::move(patterns), std::move(strengths), encoder}, share,
                                            intensity, most_moves);
           }),
           "patterns"_a, "strengths"_a, "encoder"_a, "share"_a, "intensity"_a, "most_moves"_a)
      .def_prop_rw("direction", &MEval::direction, &MEval::set_direction)
      .def_prop_rw("root_move", &MEval::root_move, &MEval::set_root_move, "Moves of the game up to the root.")
      .def("qualities", &qualities_of, "board"_a, "Of Black and of White, in the order of table 3.2.")
      .def("encoding", &MEval::encoding, "qualities"_a, "Of the qualities of one player.")
      .def("search", &judged_moves, "board"_a, "around"_a = -1, "depth"_a = MEval::kDepth,
           "Moves of the side to move that followed known patterns: move, encoding (two numbers), value.")
      .def("with_wins", &MEval::with_wins, "prior"_a, "above"_a,
           "A prior with the virtual wins of a value so much above the average.");
}
