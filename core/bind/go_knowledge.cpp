// Binds what a Go engine knows: playout policies, patterns, priors. Names and defaults are those of
// tesuji.go.knowledge, playouts.py and priors.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "base/rng.hpp"
#include "bind/arrays.hpp"
#include "go/board.hpp"
#include "go/features.hpp"
#include "go/game.hpp"
#include "go/knowledge.hpp"
#include "go/rule_playout.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using namespace tesuji::go;
using tesuji::bind::to_array;

namespace {

using Bits = nb::ndarray<const std::uint8_t, nb::shape<PatternTable::kCodes>, nb::c_contig, nb::device::cpu>;

void set_patterns(PlayoutPolicy& policy, const Bits& bits) {
  policy.patterns = PatternTable({bits.data(), PatternTable::kCodes});
}

void set_rules(PlayoutPolicy& policy, const std::vector<std::pair<int, float>>& rules) {
  std::vector<RuleUse> uses;
  for (const auto& [rule, probability] : rules) uses.push_back({static_cast<Origin>(rule), probability});
  policy.rules = RuleList(std::move(uses));
}

// Levels in their order, 3x3 codes in theirs, and shapes with one strength each.
std::shared_ptr<const Strengths> make_strengths(const std::vector<float>& levels, const std::vector<float>& codes,
                                                const std::vector<std::uint32_t>& shapes,
                                                const std::vector<float>& of_shapes) {
  if (levels.size() != kNumLevels || codes.size() != PatternTable::kCodes || shapes.size() != of_shapes.size())
    throw std::invalid_argument("there is one strength for each level, each 3x3 code and each shape");
  auto strengths = std::make_shared<Strengths>();
  std::copy(levels.begin(), levels.end(), strengths->levels.begin());
  strengths->codes = codes;
  strengths->shapes = ShapeTable(shapes, of_shapes);
  return strengths;
}

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::shared_ptr<const UrgencyTable> make_urgency(const Column<std::uint32_t>& fingerprints,
                                                 const Column<std::int16_t>& logarithms) {
  return std::make_shared<const UrgencyTable>(
      std::vector<std::uint32_t>(fingerprints.data(), fingerprints.data() + fingerprints.size()),
      std::vector<std::int16_t>(logarithms.data(), logarithms.data() + logarithms.size()));
}

// The last moves of a board as cells of a capacity.
template <class S>
Cell last_cell(const Board& board, int back) {
  if (board.num_moves() < back) return kPass;
  const int move = board.turn(board.num_moves() - back).move;
  return move == board.pass_move() ? kPass : S::L::cell(move / board.width(), move % board.width());
}

template <class S>
void make_last_move(const Board& board, S& stones, RuleMoves<S>& rules) {
  const Cell cell = last_cell<S>(board, 1);
  const Color color = board.turn(board.num_moves() - 1).color;
  if (color == Color::Black)
    rules.template note_escape<Color::Black>(cell);
  else
    rules.template note_escape<Color::White>(cell);
  stones.play(cell, color);
}

// The moves that one rule finds for the side to move.
std::vector<int> candidates(const Board& board, const PlayoutPolicy& policy, int rule, std::uint64_t seed) {
  std::vector<int> moves;
  with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using S = Stones<Capacity, kTactical>;
    Board before = board;  // the last move is made here: atari tactics ask what it ran from
    const bool is_undone = last_cell<S>(board, 1) != kPass && before.undo();
    S stones = stones_of<S>(before);
    Rng rng(seed);
    RuleMoves<S> rules(stones, policy, rng);
    if (is_undone) make_last_move(board, stones, rules);
    rules.come_after(last_cell<S>(board, 1), last_cell<S>(board, 2));
    const auto origin = static_cast<Origin>(rule);
    const Candidates& found = board.to_play() == Color::Black ? rules.template find<Color::Black>(origin)
                                                              : rules.template find<Color::White>(origin);
    for (std::size_t i = 0; i < found.size(); ++i)
      moves.push_back(S::L::row(found.cell(i)) * board.width() + S::L::column(found.cell(i)));
  });
  return moves;
}

// Is a move refused by the policy: illegal, an own eye, a self-atari it does not allow?
bool is_acceptable(const Board& board, const PlayoutPolicy& policy, int move) {
  if (move < 0 || move >= board.num_points()) return false;
  return with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using S = Stones<Capacity, kTactical>;
    const S stones = stones_of<S>(board);
    const Acceptance<S> acceptance(stones, policy);
    const Cell cell = S::L::cell(move / board.width(), move % board.width());
    return board.to_play() == Color::Black ? acceptance.template is_acceptable<Color::Black>(cell)
                                           : acceptance.template is_acceptable<Color::White>(cell);
  });
}

// Playouts from a board: black's margins, and moves by origin.
nb::tuple run_playouts(const Board& board, const PlayoutPolicy& policy, int num_playouts, std::uint64_t seed) {
  std::vector<int> margins;
  std::vector<std::int64_t> origins(kNumOrigins);
  {
    const nb::gil_scoped_release release;
    with_capacity(board.width(), board.height(), [&]<int Capacity>() {
      using S = Stones<Capacity, kTactical>;
      const S root = stones_of<S>(board);
      Rng rng(seed);
      for (int i = 0; i < num_playouts; ++i) {
        S stones = root;
        RulePlayout<S> playout(stones, policy, rng);
        playout.run(board.to_play(), 0, last_cell<S>(board, 1), last_cell<S>(board, 2),
                    [&](Cell, Color, Origin origin) { ++origins[static_cast<std::size_t>(origin)]; });
        margins.push_back(area_margin(stones));
      }
    });
  }
  return nb::make_tuple(to_array(std::move(margins)), to_array(std::move(origins)));
}

std::vector<float> priors_of(const Board& board, const PriorWeights& weights, const std::vector<int>& moves) {
  return with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    GoContext context(board, 0);
    context.knowledge.priors = weights;
    const GoGame<Capacity, kTactical> game(board, context);
    std::vector<float> priors(moves.size());
    game.priors(moves, priors);
    return priors;
  });
}

// The features of moves of the side to move, one row each: the shape, then levels, filled up with -1.
std::vector<std::int32_t> features_of(const Board& board, const std::vector<int>& moves) {
  std::vector<std::int32_t> rows;
  rows.reserve(moves.size() * (kNumBlocks + 1));
  with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using S = Stones<Capacity, kTactical>;
    const S stones = stones_of<S>(board);
    const auto read = [&]<Color C>() {
      const MoveFeatures<C, S> features(stones, last_cell<S>(board, 1), last_cell<S>(board, 2));
      for (const int move : moves) {
        const Features found = features.of(S::L::cell(move / board.width(), move % board.width()));
        rows.push_back(static_cast<std::int32_t>(found.shape));
        for (std::size_t i = 0; i < kNumBlocks; ++i)
          rows.push_back(i < found.size ? static_cast<std::int32_t>(found.levels[i]) : -1);
      }
    };
    if (board.to_play() == Color::Black)
      read.template operator()<Color::Black>();
    else
      read.template operator()<Color::White>();
  });
  return rows;
}

auto per_point(float (PlayoutMemory::*number)(std::size_t) const) {
  return [number](const PlayoutMemory& memory) {
    std::vector<float> column;
    for (std::size_t point = 0; point < memory.num_points(); ++point) column.push_back((memory.*number)(point));
    return column;
  };
}

}  // namespace

void bind_go_knowledge(nb::module_& m) {
  nb::enum_<Method>(m, "Method")
      .value("ORDERED", Method::Ordered)
      .value("WEIGHTED", Method::Weighted)
      .value("URGENCY", Method::Urgency)
      .value("SKIPPING", Method::Skipping);
  nb::enum_<SelfAtari>(m, "SelfAtari")
      .value("ALLOWED", SelfAtari::Allowed)
      .value("NEVER", SelfAtari::Never)
      .value("SMALL", SelfAtari::Small)
      .value("NAKADE", SelfAtari::Nakade);
  nb::class_<PlayoutPolicy>(m, "PlayoutPolicy",
                            "Filled in by tesuji.go.knowledge.playouts, which documents the fields.")
      .def(nb::init<>())
      .def_rw("method", &PlayoutPolicy::method)
      .def_rw("self_atari", &PlayoutPolicy::self_atari)
      .def_rw("self_atari_probability", &PlayoutPolicy::self_atari_probability)
      .def_rw("reads_ladders", &PlayoutPolicy::reads_ladders)
      .def_rw("mends_eyes", &PlayoutPolicy::mends_eyes)
      .def_rw("fill_board_tries", &PlayoutPolicy::fill_board_tries)
      .def_rw("list_limit", &PlayoutPolicy::list_limit)
      .def_rw("length_coefficient", &PlayoutPolicy::length_coefficient)
      .def_rw("mercy_margin", &PlayoutPolicy::mercy_margin)
      .def_rw("amaf_share", &PlayoutPolicy::amaf_share)
      .def_rw("margin_weight", &PlayoutPolicy::margin_weight)
      .def_rw("pattern_urgency", &PlayoutPolicy::pattern_urgency)
      .def_rw("atari_first", &PlayoutPolicy::atari_first)
      .def_rw("atari_certain", &PlayoutPolicy::atari_certain)
      .def_rw("eye_potential", &PlayoutPolicy::eye_potential)
      .def("set_rules", &set_rules, "rules"_a, "(origin, probability) in their order.")
      .def("set_patterns", &set_patterns, "bits"_a,
           nb::sig("def set_patterns(self, bits: numpy.typing.NDArray[numpy.uint8]) -> None"),
           "One byte per 3x3 code: bit 0 if black should play there, bit 1 if white should.");
  nb::class_<Strengths>(m, "Strengths", "How strong features of moves are.")
      .def(nb::new_(&make_strengths), "levels"_a, "codes"_a, "shapes"_a, "of_shapes"_a);
  nb::class_<UrgencyTable>(m, "UrgencyTable", "How strong the features of urgency.hpp are.")
      .def(nb::new_(&make_urgency), "fingerprints"_a, "logarithms"_a);
  nb::class_<PriorWeights>(m, "PriorWeights", "Filled in by tesuji.go.knowledge.priors, which documents the fields.")
      .def(nb::init<>())
      .def_prop_rw(
          "strengths", [](const PriorWeights& weights) { return weights.strengths; },
          [](PriorWeights& weights, std::shared_ptr<const Strengths> strengths) {
            weights.strengths = std::move(strengths);
          })
      .def_prop_rw(
          "urgency", [](const PriorWeights& weights) { return weights.urgency; },
          [](PriorWeights& weights, std::shared_ptr<const UrgencyTable> urgency) {
            weights.urgency = std::move(urgency);
          })
      .def_prop_rw(
          "m_eval", [](const PriorWeights& weights) { return std::const_pointer_cast<MEval>(weights.m_eval); },
          [](PriorWeights& weights, std::shared_ptr<MEval> m_eval) { weights.m_eval = std::move(m_eval); })
      .def_rw("judged_again", &PriorWeights::judged_again)
      .def_rw("pass_strength", &PriorWeights::pass)
      .def_rw("roots", &PriorWeights::roots)
      .def_rw("floor", &PriorWeights::floor)
      .def_rw("criticality", &PriorWeights::criticality);
  nb::class_<PlayoutMemory>(m, "PlayoutMemory", "What the playouts of one search learn from each other.")
      .def(nb::init<std::size_t>(), "num_points"_a)
      .def("ownership", per_point(&PlayoutMemory::ownership), "Per point, from -1 (white's) to 1 (black's).")
      .def("criticality", per_point(&PlayoutMemory::criticality), "Per point, how much it decides the game.")
      .def("forget_owners", &PlayoutMemory::forget_owners, "Begin to count owners anew.");
  nb::class_<Knowledge>(m, "Knowledge", "Playouts and priors of one engine.")
      .def(nb::init<PlayoutPolicy, PriorWeights>(), "policy"_a, "priors"_a)
      .def_rw("uses_symmetry", &Knowledge::uses_symmetry);
  m.def("candidates", &candidates, "board"_a, "policy"_a, "rule"_a, "seed"_a = 1,
        "The moves that a rule finds for the side to move.");
  m.def("is_acceptable", &is_acceptable, "board"_a, "policy"_a, "move"_a);
  m.def("run_playouts", &run_playouts, "board"_a, "policy"_a, "num_playouts"_a, "seed"_a,
        nb::sig("def run_playouts(board: Board, policy: PlayoutPolicy, num_playouts: int, seed: int) -> "
                "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]"),
        "Per playout black's area minus white's, without komi; and moves by origin.");
  m.def(
      "block_levels", [] { return std::vector<std::size_t>(kBlockLevels.begin(), kBlockLevels.end()); },
      "How many levels each block of features has.");
  m.def(
      "move_features",
      [](const Board& board, const std::vector<int>& moves) { return to_array(features_of(board, moves)); }, "board"_a,
      "moves"_a,
      nb::sig(
          "def move_features(board: Board, moves: collections.abc.Sequence[int]) -> numpy.typing.NDArray[numpy.int32]"),
      "Flat rows of the shape and the levels of each move, filled up with -1.");
  m.def("priors", &priors_of, "board"_a, "weights"_a, "moves"_a);
}
