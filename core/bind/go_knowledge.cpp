// Binds what a Go engine knows: playout policies, patterns, priors. Names and defaults are tesuji.go.playouts' and
// tesuji.go.priors'.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "base/rng.hpp"
#include "bind/arrays.hpp"
#include "go/board.hpp"
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
  policy.rules.clear();
  for (const auto& [rule, probability] : rules) policy.rules.push_back({static_cast<Origin>(rule), probability});
}

// The last moves of a board as cells of a capacity.
template <class S>
Cell last_cell(const Board& board, int back) {
  if (board.num_moves() < back) return kPass;
  const int move = board.turn(board.num_moves() - back).move;
  return move == board.pass_move() ? kPass : S::L::cell(move / board.width(), move % board.width());
}

// The moves that one rule finds for the side to move.
std::vector<int> candidates(const Board& board, const PlayoutPolicy& policy, int rule, std::uint64_t seed) {
  std::vector<int> moves;
  with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using S = Stones<Capacity, kTactical>;
    S stones = stones_of<S>(board);
    Rng rng(seed);
    RulePlayout<S> playout(stones, policy, rng);
    const Cell last = last_cell<S>(board, 1), before = last_cell<S>(board, 2);
    const auto origin = static_cast<Origin>(rule);
    const Candidates& found = board.to_play() == Color::Black
                                  ? playout.template find<Color::Black>(origin, last, before)
                                  : playout.template find<Color::White>(origin, last, before);
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
    S stones = stones_of<S>(board);
    Rng rng(1);
    const RulePlayout<S> playout(stones, policy, rng);
    const Cell cell = S::L::cell(move / board.width(), move % board.width());
    return board.to_play() == Color::Black ? playout.template is_acceptable<Color::Black>(cell)
                                           : playout.template is_acceptable<Color::White>(cell);
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

std::vector<float> priors_of(const Board& board, const Knowledge& knowledge, const std::vector<int>& moves) {
  return with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    GoContext context(board, 0);
    context.knowledge = knowledge;
    const GoGame<Capacity, kTactical> game(board, context);
    std::vector<float> priors(moves.size());
    game.priors(moves, priors);
    return priors;
  });
}

}  // namespace

void bind_go_knowledge(nb::module_& m) {
  nb::enum_<Method>(m, "Method")
      .value("ORDERED", Method::Ordered)
      .value("WEIGHTED", Method::Weighted)
      .value("URGENCY", Method::Urgency);
  nb::enum_<SelfAtari>(m, "SelfAtari")
      .value("ALLOWED", SelfAtari::Allowed)
      .value("NEVER", SelfAtari::Never)
      .value("SMALL", SelfAtari::Small)
      .value("NAKADE", SelfAtari::Nakade);
  nb::class_<PlayoutPolicy>(m, "PlayoutPolicy", "Filled in by tesuji.go.playouts, which documents the fields.")
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
      .def("set_rules", &set_rules, "rules"_a, "(origin, probability) in their order.")
      .def("set_patterns", &set_patterns, "bits"_a,
           nb::sig("def set_patterns(self, bits: numpy.typing.NDArray[numpy.uint8]) -> None"),
           "One byte per 3x3 code: bit 0 if black should play there, bit 1 if white should.");
  nb::class_<PriorWeights>(m, "PriorWeights", "Filled in by tesuji.go.priors, which documents the fields.")
      .def(nb::init<>())
      .def_rw("even", &PriorWeights::even)
      .def_rw("capture", &PriorWeights::capture)
      .def_rw("capture_stone", &PriorWeights::capture_stone)
      .def_rw("escape", &PriorWeights::escape)
      .def_rw("escape_stone", &PriorWeights::escape_stone)
      .def_rw("failed_escape", &PriorWeights::failed_escape)
      .def_rw("atari", &PriorWeights::atari)
      .def_rw("ladder", &PriorWeights::ladder)
      .def_rw("ladder_stone", &PriorWeights::ladder_stone)
      .def_rw("self_atari", &PriorWeights::self_atari)
      .def_rw("pattern", &PriorWeights::pattern)
      .def_rw("pattern_near", &PriorWeights::pattern_near)
      .def_prop_rw(
          "distance", [](const PriorWeights& w) { return std::vector<float>(w.distance.begin(), w.distance.end()); },
          [](PriorWeights& w, const std::vector<float>& weights) {
            if (weights.size() != w.distance.size()) throw std::invalid_argument("distance has four weights");
            std::copy(weights.begin(), weights.end(), w.distance.begin());
          })
      .def_rw("first_line", &PriorWeights::first_line)
      .def_rw("second_line", &PriorWeights::second_line)
      .def_rw("third_line", &PriorWeights::third_line)
      .def_rw("centre", &PriorWeights::centre)
      .def_rw("urgent", &PriorWeights::urgent)
      .def_rw("pass_", &PriorWeights::pass);
  nb::class_<Knowledge>(m, "Knowledge", "Playouts and priors of one engine.")
      .def(nb::init<PlayoutPolicy, PriorWeights>(), "policy"_a, "priors"_a);
  m.def("candidates", &candidates, "board"_a, "policy"_a, "rule"_a, "seed"_a = 1,
        "The moves that a rule finds for the side to move.");
  m.def("is_acceptable", &is_acceptable, "board"_a, "policy"_a, "move"_a);
  m.def("run_playouts", &run_playouts, "board"_a, "policy"_a, "num_playouts"_a, "seed"_a,
        nb::sig("def run_playouts(board: Board, policy: PlayoutPolicy, num_playouts: int, seed: int) -> "
                "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]"),
        "Per playout black's area minus white's, without komi; and moves by origin.");
  m.def("priors", &priors_of, "board"_a, "knowledge"_a, "moves"_a);
}
