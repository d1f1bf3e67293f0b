// Binds what recorded games ask of the core: keys of positions, places of patterns, the fit of urgencies.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "go/game_index.hpp"
#include "go/points.hpp"
#include "go/urgency_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji::go;
using tesuji::bind::to_array;

namespace {

using Moves = nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Signs = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_size(int width, int height) {
  if (width < 1 || height < 1 || width > kMaxSize || height > kMaxSize)
    throw std::invalid_argument("a board has 1 to 25 lines each way");
}
void check_points(const std::vector<int>& points, int width, int height) {
  for (const int point : points)
    if (point < 0 || point >= width * height) throw std::invalid_argument("a set-up stone is off the board");
}

nb::tuple keys_of(int width, int height, std::vector<int> black, std::vector<int> white, const Moves& moves) {
  check_size(width, height);
  check_points(black, width, height);
  check_points(white, width, height);
  PositionKeys found;
  {
    const RecordedGame game{
        width, height, std::move(black), std::move(white), {moves.data(), moves.data() + moves.size()}};
    const nb::gil_scoped_release release;
    found = position_keys(game);
  }
  const std::vector<std::uint8_t> is_form(found.is_form.begin(), found.is_form.end());
  return nb::make_tuple(to_array(std::move(found.keys)), to_array(std::move(found.forms)), to_array(is_form),
                        found.first_impossible);
}

// Games without set-up stones that lie one after the other, as a database has them.
class Games {
 public:
  Games(int width, int height, const Moves& moves, const Offsets& starts)
      : width_(width), height_(height), moves_(moves.data()), starts_(starts.data()), size_(starts.size()) {
    check_size(width, height);
    for (std::size_t i = 0; i < size_; ++i)
      if (starts_[i] < 0 || starts_[i] > static_cast<std::int64_t>(moves.size()) ||
          (i > 0 && starts_[i] < starts_[i - 1]))
        throw std::invalid_argument("the games do not lie in the moves");
  }
  std::size_t size() const { return size_ == 0 ? 0 : size_ - 1; }
  RecordedGame operator[](std::size_t i) const {
    return {width_, height_, {}, {}, {moves_ + starts_[i], moves_ + starts_[i + 1]}};
  }

 private:
  int width_, height_;
  const std::uint16_t* moves_;
  const std::int64_t* starts_;
  std::size_t size_;
};

template <class Use>
void for_each_game(int width, int height, const Moves& moves, const Offsets& starts, Use use) {
  const Games games(width, height, moves, starts);
  const nb::gil_scoped_release release;
  for (std::size_t i = 0; i < games.size(); ++i) use(games[i]);
}

// The first places of a pattern.
std::vector<std::int32_t> pattern_places(int width, int height, const Moves& moves, const Offsets& starts,
                                         const Signs& signs, bool exchanges_colors) {
  const LocalPattern pattern{
      static_cast<int>(signs.shape(1)), static_cast<int>(signs.shape(0)), {signs.data(), signs.data() + signs.size()}};
  std::vector<std::int32_t> rows;
  for_each_game(width, height, moves, starts, [&, i = 0](const RecordedGame& game) mutable {
    const int index = i++;
    PatternFound found;
    if (!find_pattern(game, pattern, exchanges_colors, found)) return;
    for (const int number : {index, found.number, found.form, found.row, found.column}) rows.push_back(number);
  });
  return rows;
}

constexpr const char* kCountSignature =
    "def count(self, width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: "
    "numpy.typing.NDArray[numpy.int64]) -> None";
constexpr const char* kLearnSignature =
    "def learn(self, width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: "
    "numpy.typing.NDArray[numpy.int64], share: float, rate: float) -> None";
constexpr const char* kJudgeSignature =
    "def judge(self, width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: "
    "numpy.typing.NDArray[numpy.int64], share: float) -> numpy.typing.NDArray[numpy.float32]";
constexpr const char* kLearntSignature =
    "def learnt(self) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32], "
    "numpy.typing.NDArray[numpy.uint32]]";

// Where a key stands among many, in one sweep: blocks without it, which nearly all are, take no branch.
std::vector<std::int64_t> places_of(const Keys& keys, std::uint32_t key) {
  constexpr std::size_t kBlock = 64;
  std::vector<std::int64_t> places;
  const std::uint32_t* const data = keys.data();
  const std::size_t size = keys.size();
  for (std::size_t begin = 0; begin < size; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, size);
    std::uint32_t is_any = 0;
    for (std::size_t i = begin; i < end; ++i) is_any |= static_cast<std::uint32_t>(data[i] == key);
    if (is_any == 0) continue;
    for (std::size_t i = begin; i < end; ++i)
      if (data[i] == key) places.push_back(static_cast<std::int64_t>(i));
  }
  return places;
}

// Keys, logarithms of strengths and counts of what was learnt.
nb::tuple learnt(const UrgencyTrainer& trainer) {
  std::vector<std::uint64_t> keys;
  std::vector<float> strengths;
  std::vector<std::uint32_t> counts;
  for (std::size_t i = 0; i < trainer.slots().size(); ++i) {
    if (trainer.slots()[i].key == 0) continue;
    keys.push_back(trainer.slots()[i].key);
    strengths.push_back(trainer.slots()[i].log_strength);
    counts.push_back(trainer.counts()[i]);
  }
  return nb::make_tuple(to_array(std::move(keys)), to_array(std::move(strengths)), to_array(std::move(counts)));
}

}  // namespace

void bind_go_masters(nb::module_& m) {
  m.def("position_keys", &keys_of, "width"_a, "height"_a, "black"_a, "white"_a, "moves"_a,
        nb::sig("def position_keys(width: int, height: int, black: collections.abc.Sequence[int], white: "
                "collections.abc.Sequence[int], moves: numpy.typing.NDArray[numpy.uint16]) -> "
                "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint8], "
                "numpy.typing.NDArray[numpy.uint8], int]"),
        "Keys and forms of all positions of a game, which forms the last position has, the first impossible move.");
  m.def(
      "places_of_key", [](const Keys& keys, std::uint32_t key) { return to_array(places_of(keys, key)); }, "keys"_a,
      "key"_a,
      nb::sig("def places_of_key(keys: numpy.typing.NDArray[numpy.uint32], key: int) -> "
              "numpy.typing.NDArray[numpy.int64]"),
      "The indices at which a key stands.");
  m.def(
      "pattern_places",
      [](int width, int height, const Moves& moves, const Offsets& starts, const Signs& signs, bool exchanges_colors) {
        return to_array(pattern_places(width, height, moves, starts, signs, exchanges_colors));
      },
      "width"_a, "height"_a, "moves"_a, "starts"_a, "signs"_a, "exchanges_colors"_a,
      nb::sig("def pattern_places(width: int, height: int, moves: numpy.typing.NDArray[numpy.uint16], starts: "
              "numpy.typing.NDArray[numpy.int64], signs: numpy.typing.NDArray[numpy.uint8], exchanges_colors: bool) -> "
              "numpy.typing.NDArray[numpy.int32]"),
      "Flat rows of game, number of moves, form, row and column of each first place.");
  nb::class_<UrgencyTrainer>(m, "UrgencyTrainer", "Fits the strengths of urgency.hpp's features to recorded games.")
      .def(nb::init<std::uint32_t, std::size_t, std::uint64_t>(), "least"_a, "room"_a, "seed"_a)
      .def(
          "count",
          [](UrgencyTrainer& trainer, int width, int height, const Moves& moves, const Offsets& starts) {
            for_each_game(width, height, moves, starts, [&](const RecordedGame& game) { trainer.count(game); });
          },
          "width"_a, "height"_a, "moves"_a, "starts"_a, nb::sig(kCountSignature), "Count features.")
      .def("keep_frequent", &UrgencyTrainer::keep_frequent, nb::call_guard<nb::gil_scoped_release>(),
           "End counting; what was rare is forgotten.")
      .def(
          "learn",
          [](UrgencyTrainer& trainer, int width, int height, const Moves& moves, const Offsets& starts, double share,
             float rate) {
            for_each_game(width, height, moves, starts,
                          [&](const RecordedGame& game) { trainer.learn(game, share, rate); });
          },
          "width"_a, "height"_a, "moves"_a, "starts"_a, "share"_a, "rate"_a, nb::sig(kLearnSignature),
          "Learn from a random share of the positions.")
      .def(
          "judge",
          [](UrgencyTrainer& trainer, int width, int height, const Moves& moves, const Offsets& starts, double share) {
            std::vector<float> rows;
            for_each_game(width, height, moves, starts, [&](const RecordedGame& game) {
              for (const auto& one : trainer.judge(game, share))
                for (const float number : {static_cast<float>(one.number), static_cast<float>(one.rank),
                                           static_cast<float>(one.num_moves), one.log_chance})
                  rows.push_back(number);
            });
            return to_array(std::move(rows));
          },
          "width"_a, "height"_a, "moves"_a, "starts"_a, "share"_a, nb::sig(kJudgeSignature),
          "Flat rows of number of moves, rank, legal moves and log-chance of a share of the moves played.")
      .def("learnt", &learnt, nb::sig(kLearntSignature), "Keys, logarithms of strengths, counts.")
      .def_prop_ro("size", &UrgencyTrainer::size, "How many features there are.");
}
