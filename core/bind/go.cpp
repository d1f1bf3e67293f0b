// Binds core/go. Conversion and the GIL only; rules, messages and pictures are in src/tesuji/go.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "base/hashing.hpp"
#include "bind/arrays.hpp"
#include "go/board.hpp"
#include "go/life.hpp"
#include "go/ownership.hpp"
#include "go/score.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using tesuji::bind::Array1D;
using tesuji::bind::to_array;
using namespace tesuji::go;

namespace {

using GridView = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<2>>;
using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Color color_from(int value) {
  if (value != 1 && value != 2) throw std::invalid_argument("a colour is 1 (black) or 2 (white)");
  return static_cast<Color>(value);
}

Color color_or_mover(const Board& board, int value) { return value == 0 ? board.to_play() : color_from(value); }

Cell checked_cell(const Board& board, int point) {
  if (point < 0 || point >= board.num_points()) throw std::out_of_range("the point is not on the board");
  return board.cell(point);
}

std::span<const std::uint8_t> checked_flags(const Board& board, const Flags& flags) {
  if (static_cast<int>(flags.shape(0)) != board.num_points())
    throw std::invalid_argument("there must be one flag per point of the board");
  return {flags.data(), flags.shape(0)};
}

std::vector<int> sorted_points(const Board& board, const std::vector<Cell>& cells) {
  std::vector<int> points;
  for (const Cell cell : cells) points.push_back(board.point(cell));
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<Cell> stones_of_chain(const Board& board, int point) {
  std::vector<Cell> cells;
  const Cell first = checked_cell(board, point);
  const Color color = board.stones().color(first);
  if (color == Color::Empty) return cells;
  Cell stone = first;
  do {
    cells.push_back(stone);
    stone = board.stones().next_stone(stone);
  } while (stone != first);
  return cells;
}

// What a state of the game is: the position, the passes, and what repetition forbids the side to move.
std::uint64_t state_key(const Board& board) {
  // Mixed once more before small numbers are folded in: the board's own key is made of such numbers.
  std::uint64_t key = tesuji::mix64(board.key().wide());
  key = tesuji::combine(key, static_cast<std::uint64_t>(board.passes()));
  if (board.rules().ko == KoRule::Simple) return key;
  for (int move = 0; move < board.num_points(); ++move)
    if (board.legality(move, board.to_play()) == Legality::Repetition)
      key = tesuji::combine(key, static_cast<std::uint64_t>(move));
  return key;
}

Position make_position(int width, int height, const nb::bytes& colors, int to_play, int ko, int passes) {
  if (width < 1 || height < 1 || width > kMaxSize || height > kMaxSize ||
      colors.size() != static_cast<std::size_t>(width * height))
    throw std::invalid_argument("a position needs one byte per point, on 1 to 25 lines each way");
  const auto* data = reinterpret_cast<const std::uint8_t*>(colors.c_str());
  Position position{.width = width,
                    .height = height,
                    .colors = {data, data + colors.size()},
                    .to_play = color_from(to_play),
                    .ko = ko,
                    .passes = passes};
  for (const std::uint8_t color : position.colors)
    if (color > 2) throw std::invalid_argument("a point is 0 (empty), 1 (black) or 2 (white)");
  if (ko < -1 || ko >= width * height || (ko >= 0 && position.colors[static_cast<std::size_t>(ko)] != 0))
    throw std::invalid_argument("the ko point must be an empty point, or -1");
  if (passes < 0 || passes > 255) throw std::invalid_argument("passes must lie in 0..255");
  return position;
}

nb::tuple position_state(const Position& p) {
  return nb::make_tuple(p.width, p.height, nb::bytes(p.colors.data(), p.colors.size()), static_cast<int>(p.to_play),
                        p.ko, p.passes);
}

void bind_position(nb::module_& m) {
  nb::class_<Position>(m, "Position", "An immutable snapshot of a board: stones, side to move, ko point, passes.")
      .def(
          "__init__",
          [](Position* self, int width, int height, const nb::bytes& colors, int to_play, int ko, int passes) {
            new (self) Position(make_position(width, height, colors, to_play, ko, passes));
          },
          "width"_a, "height"_a, "colors"_a, "to_play"_a = 1, "ko"_a = -1, "passes"_a = 0)
      .def_ro("width", &Position::width)
      .def_ro("height", &Position::height)
      .def_ro("passes", &Position::passes)
      .def_prop_ro("native_to_play", [](const Position& p) { return static_cast<int>(p.to_play); })
      .def_prop_ro("native_ko", [](const Position& p) { return p.ko; })
      .def_prop_ro("key", [](const Position& p) { return p.key().wide(); })
      .def_prop_ro("key32", [](const Position& p) { return p.key().narrow(); })
      .def_prop_ro("grid",
                   [](nb::handle_t<Position> self) {
                     const auto& p = nb::cast<const Position&>(self);
                     return GridView(p.colors.data(),
                                     {static_cast<std::size_t>(p.height), static_cast<std::size_t>(p.width)}, self);
                   })
      .def("state", &position_state, nb::sig("def state(self) -> tuple[int, int, bytes, int, int, int]"),
           "The constructor's arguments, for pickling.")
      .def("same_as", [](const Position& a, const Position& b) { return a == b; });
}

void bind_board(nb::module_& m) {
  nb::enum_<Legality>(m, "Legality", "Why a move is illegal.")
      .value("LEGAL", Legality::Legal)
      .value("OFF_BOARD", Legality::OffBoard)
      .value("OCCUPIED", Legality::Occupied)
      .value("KO", Legality::Ko)
      .value("SUICIDE", Legality::Suicide)
      .value("REPETITION", Legality::Repetition);

  nb::class_<Board>(m, "Board", "A Go board with its history. Subclassed by tesuji.go.Board.")
      .def(
          "__init__",
          [](Board* self, int width, int height, bool territory, int ko, bool suicide, bool pass_stones) {
            new (self) Board(
                width, height,
                Rules{territory ? Scoring::Territory : Scoring::Area, static_cast<KoRule>(ko), suicide, pass_stones});
          },
          "width"_a, "height"_a, "territory"_a, "ko"_a, "suicide"_a, "pass_stones"_a)
      .def(nb::init<const Board&>(), "other"_a)
      .def_prop_ro("width", &Board::width)
      .def_prop_ro("height", &Board::height)
      .def_prop_ro("num_points", &Board::num_points)
      .def_prop_ro("pass_move", &Board::pass_move)
      .def_prop_ro("passes", &Board::passes)
      .def_prop_ro("num_moves", &Board::num_moves)
      .def_prop_rw(
          "native_to_play", [](const Board& b) { return static_cast<int>(b.to_play()); },
          [](Board& b, int color) { b.set_to_play(color_from(color)); })
      .def_prop_ro("native_ko", &Board::ko)
      .def(
          "turn",
          [](const Board& b, int index) {
            if (index < 0 || index >= b.num_moves()) throw std::out_of_range("no such move");
            return std::pair(static_cast<int>(b.turn(index).color), b.turn(index).move);
          },
          "index"_a, "Colour and move of one turn, counted from 0.")
      .def(
          "try_play",
          [](Board& b, int move, int color) {
            const Color mover = color_or_mover(b, color);
            const Legality legality = b.legality(move, mover);
            if (legality == Legality::Legal) b.play(move, mover);
            return legality == Legality::Legal;
          },
          "move"_a, "color"_a = 0, "Plays a legal move, or does nothing and returns False. Colour 0: the side to move.")
      .def(
          "try_play_as_recorded",
          [](Board& b, int move, int color) {
            const Legality legality = b.legality(move, color_or_mover(b, color));
            const bool can_be = legality != Legality::Occupied && legality != Legality::OffBoard;
            if (can_be) b.play(move, color_or_mover(b, color));
            return can_be;
          },
          "move"_a, "color"_a = 0,
          "Plays a move even if it retakes a ko, repeats a position or is suicide; False if its point is not empty.")
      .def("try_undo", &Board::undo, "Takes the last move back, or returns False.")
      .def(
          "legality", [](const Board& b, int move, int color) { return b.legality(move, color_or_mover(b, color)); },
          "move"_a, "color"_a = 0)
      .def(
          "native_legal_moves",
          [](const Board& b, int color) {
            std::vector<int> moves;
            for (int move = 0; move <= b.pass_move(); ++move)
              if (b.legality(move, color_or_mover(b, color)) == Legality::Legal) moves.push_back(move);
            return to_array(std::move(moves));
          },
          "color"_a = 0, "Points in order, then pass.")
      .def("try_set_up", &Board::set_up, "position"_a,
           "Replaces stones, side to move and ko point and forgets the moves; False if a chain would have no liberty.")
      .def(
          "color_at",
          [](const Board& b, int point) { return static_cast<int>(b.stones().color(checked_cell(b, point))); },
          "point"_a)
      .def(
          "chain", [](const Board& b, int point) { return to_array(sorted_points(b, stones_of_chain(b, point))); },
          "point"_a, "The points of the chain at a point, in order; empty if there is no stone.")
      .def(
          "liberties",
          [](const Board& b, int point) {
            std::vector<Cell> cells;
            const Cell cell = checked_cell(b, point);
            if (b.stones().color(cell) != Color::Empty) b.stones().liberties(b.stones().chain(cell), cells);
            return to_array(sorted_points(b, cells));
          },
          "point"_a, "The exact liberties of the chain at a point, in order.")
      .def(
          "in_atari",
          [](const Board& b, int point) {
            const Cell cell = checked_cell(b, point);
            return b.stones().color(cell) != Color::Empty && b.stones().in_atari(b.stones().chain(cell));
          },
          "point"_a, "Does the chain at a point have exactly one liberty?")
      .def(
          "atari_chains",
          [](const Board& b, int color) {
            std::vector<int> found;
            std::vector<Cell> chains;
            for (int point = 0; point < b.num_points(); ++point) {
              if (b.color_at(point) != color_from(color)) continue;
              const Cell chain = b.stones().chain(b.cell(point));
              if (std::find(chains.begin(), chains.end(), chain) != chains.end()) continue;
              chains.push_back(chain);
              if (b.stones().in_atari(chain)) found.push_back(point);
            }
            return found;
          },
          "color"_a, "The smallest point of each chain in atari, in order.")
      .def(
          "code3x3", [](const Board& b, int point) { return b.stones().code3x3(checked_cell(b, point)); }, "point"_a,
          "Two bits per neighbour from the low end: W, E, N, S, NW, NE, SW, SE; 3 is off the board.")
      .def(
          "captured", [](const Board& b, int color) { return b.captured(color_from(color)); }, "color"_a,
          "Stones of this colour that were captured (and handed over by passing, where the rules have it).")
      .def_prop_ro("state_key", &state_key, "Of the position, the passes and the moves that superko forbids.")
      .def_prop_ro("stones_key", [](const Board& b) { return b.stones_key().wide(); })
      .def_prop_ro("stones_key32", [](const Board& b) { return b.stones_key().narrow(); })
      .def("snapshot", &Board::position)
      .def_prop_ro("grid", [](nb::handle_t<Board> self) {
        const auto& b = nb::cast<const Board&>(self);
        const auto* first = b.stones().colors() + Board::L::cell(0, 0);
        return GridView(first, {static_cast<std::size_t>(b.height()), static_cast<std::size_t>(b.width())}, self,
                        {Board::L::kStride, 1});
      });
}

void bind_counting(nb::module_& m) {
  m.def(
      "tally",
      [](const Board& board, const Flags& dead, const Flags& seki) {
        const Tally t = tally(board, checked_flags(board, dead), checked_flags(board, seki));
        return nb::make_tuple(nb::make_tuple(t.stones[0], t.stones[1]),
                              nb::make_tuple(t.surrounded[0], t.surrounded[1]),
                              nb::make_tuple(t.in_seki[0], t.in_seki[1]), nb::make_tuple(t.dead[0], t.dead[1]));
      },
      "board"_a, "dead"_a, "seki"_a,
      nb::sig(
          "def tally(board: Board, dead: numpy.typing.NDArray[numpy.uint8], seki: numpy.typing.NDArray[numpy.uint8])"
          " -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]"),
      "(black, white) pairs: stones left, points surrounded, those of them in seki, dead stones.");
  m.def("count_legal_positions", &count_legal_positions, "width"_a, "height"_a,
        nb::call_guard<nb::gil_scoped_release>(),
        "Ways to fill a board of at most 16 points so that every chain has a liberty.");
  m.def(
      "unconditional_life",
      [](const Board& board, int color) {
        UnconditionalLife life = unconditional_life(board, color_from(color));
        return std::pair(to_array(std::move(life.stones)), to_array(std::move(life.territory)));
      },
      "board"_a, "color"_a, "Benson: points of the chains that live whatever happens, and of their vital regions.");
}

void bind_playouts(nb::module_& m) {
  m.def(
      "ownership",
      [](const Board& board, const PlayoutPolicy& policy, int num_playouts, std::uint64_t seed) {
        Ownership result;
        {
          nb::gil_scoped_release release;
          result = ownership(board, policy, num_playouts, seed);
        }
        return std::pair(to_array(std::move(result.margins)), to_array(std::move(result.open)));
      },
      "board"_a, "policy"_a, "num_playouts"_a, "seed"_a,
      "Per point: playouts after which black owns it minus those after which white does; and playouts that left it "
      "open.");
  m.def(
      "playout_margins",
      [](const Board& board, int num_playouts, std::uint64_t seed, int mercy_margin) {
        std::vector<int> margins;
        {
          nb::gil_scoped_release release;
          margins = playout_margins(board, num_playouts, seed, mercy_margin);
        }
        return to_array(std::move(margins));
      },
      "board"_a, "num_playouts"_a, "seed"_a, "mercy_margin"_a = 0,
      "Per light playout: black's area minus white's, without komi.");
  m.def("play_randomly", &play_randomly, "board"_a, "seed"_a,
        "Plays one light playout on the board itself, to its two passes.");
}

}  // namespace

void bind_go(nb::module_& m) {
  m.attr("MAX_SIZE") = kMaxSize;
  bind_position(m);
  bind_board(m);
  bind_counting(m);
  bind_playouts(m);
}
