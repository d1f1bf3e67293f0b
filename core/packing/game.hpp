// Packing rectangles as a game of one player. A move puts a rectangle into the lowest gap of the sheet, the leftmost of
// several, or wastes that gap (Basaldúa, 2.3.4: the bottom-left rule with its extra option, to pass). The next gap
// follows from the state, so a packing is built in one order only.
//
// Moves: a shape's number (problem.hpp), then waste(), then a number for each kind of sheet, where there is a choice.
// Equal rectangles are one move. A gap that no rectangle fits is wasted without a move.
//
// It finds packings of this form only: a rectangle lies at an end of its gap. No better packing may exist where the
// value meets the bound; that all moves were seen proves nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "games/game.hpp"
#include "packing/fit.hpp"
#include "packing/front.hpp"
#include "packing/problem.hpp"
#include "packing/remaining.hpp"

namespace tesuji::packing {

// Where a rectangle lies; the lower left corner, without the kerf.
struct Placement {
  std::int32_t kind = 0, sheet = 0, sheet_kind = 0;
  Length x = 0, y = 0;
  bool is_turned = false;
};

class Packing {
 public:
  static constexpr const char* kName = "packing";

  explicit Packing(std::shared_ptr<const Problem> problem)
      : problem_(std::move(problem)),
        front_(problem_->sheets()[0], problem_->options().guillotine),
        remaining_(*problem_) {
    for (const Sheet& sheet : problem_->sheets()) stock_.push_back(sheet.count);
    next_sheet();
  }

  const Problem& problem() const { return *problem_; }
  const std::shared_ptr<const Problem>& shared_problem() const { return problem_; }
  const Front& front() const { return front_; }
  std::int32_t num_left() const { return remaining_.number(); }
  std::int32_t left(std::int32_t kind) const { return remaining_.by_kind()[static_cast<std::size_t>(kind)]; }
  std::int32_t num_sheets() const { return num_sheets_; }
  std::int64_t cost() const { return cost_; }
  bool chooses_sheet() const { return chooses_sheet_; }

  Move waste() const { return problem_->num_shapes(); }
  int num_distinct_moves() const { return problem_->num_shapes() + 1 + static_cast<int>(stock_.size()); }
  Goal goal() const { return problem_->options().objective == Objective::Worth ? Goal::Maximise : Goal::Minimise; }
  int to_play() const { return 0; }
  bool is_over() const { return is_over_; }
  double value() const;
  double bound() const;
  std::uint64_t hash() const;
  void legal_moves(MoveList& moves) const;
  bool is_legal(Move move) const;
  void play(Move move);
  void priors(std::span<const Move> moves, std::span<float> priors) const;

  // Where a shape would go now.
  Placement placement(Move move) const;

  // Every rectangle that has room is as likely as any other; or, if the problem says so, every one that fits best. Gaps
  // are wasted only where nothing has room.
  template <class Record>
  double play_out(Rng& rng, Record* record);
  // The first in `order` that has room; of those that fit best if `by_fit`. The order has every shape as often as there
  // are rectangles, and each is used once.
  template <class Record>
  double play_out_in_order(std::span<const Move> order, bool by_fit, Record* record);
  // Decreasing area, width, height and perimeter, in turn; worth for its area first where worth counts.
  void first_order(int number, MoveList& order) const;

 private:
  bool has_room(const Shape& shape) const {
    return shape.width <= front_.low().width && front_.low().y + shape.height <= front_.low().ceiling;
  }
  bool goes_right() const { return problem_->options().takes_taller && front_.right_wall() > front_.left_wall(); }
  // Of the two first cuts beside a rectangle that leave the same, one is enough.
  bool is_same_cut(Move shape_number, const Shape& shape) const {
    return problem_->options().guillotine && shape_number % 2 == 1 &&
           (shape.width == front_.low().width || front_.low().y + shape.height == front_.low().ceiling);
  }
  // Two neighbours of one height leave the same skyline in either order: only the ascending one is searched.
  bool is_twin(Move shape_number, const Shape& shape) const {
    return last_ != kNoMove && shape_number < last_ && !problem_->options().guillotine &&
           shape.height == problem_->shape(last_).height && goes_right() == last_went_right_;
  }
  bool may_waste() const { return !front_.is_whole(); }

  std::size_t first_sheet(const MoveList& open) const;
  std::size_t first_shape(MoveList& open, bool by_fit) const;
  void place(Move shape_number);
  void settle();
  bool something_fits() const;
  void next_sheet();
  void take_sheet(std::size_t kind);

  std::shared_ptr<const Problem> problem_;
  Front front_;
  Remaining remaining_;
  std::vector<std::int32_t> stock_;  // of each kind of sheet
  std::int32_t num_sheets_ = 0;
  std::int32_t sheet_kind_ = -1;
  std::int64_t cost_ = 0;
  double worth_ = 0;
  Move last_ = kNoMove;  // what was put beside the low gap just now
  bool last_went_right_ = false;
  bool chooses_sheet_ = false, is_over_ = false;
};

inline void Packing::play(Move move) {
  if (move < waste()) {
    place(move);
  } else if (move == waste()) {
    front_.waste();
    last_ = kNoMove;
  } else {
    take_sheet(static_cast<std::size_t>(move - waste() - 1));
    chooses_sheet_ = false;
  }
  settle();
}

inline void Packing::place(Move shape_number) {
  const Shape& shape = problem_->shape(shape_number);
  last_went_right_ = goes_right();
  last_ = shape.width < front_.low().width ? shape_number : kNoMove;
  front_.place(shape.width, shape.height, last_went_right_, problem_->options().guillotine && shape_number % 2 == 1);
  remaining_.take(shape.kind);
  worth_ += problem_->kinds()[static_cast<std::size_t>(shape.kind)].worth;
}

// Wastes what nothing fits, and takes the next sheet when one is full.
inline void Packing::settle() {
  while (remaining_.number() > 0 && !chooses_sheet_ && !is_over_) {
    if (something_fits()) return;
    last_ = kNoMove;
    if (may_waste())
      front_.waste();
    else
      next_sheet();
  }
  if (remaining_.number() == 0) is_over_ = true;
}

inline bool Packing::something_fits() const {
  for (const Move number : remaining_.shapes_by_width()) {
    const Shape& shape = problem_->shape(number);
    if (shape.width > front_.low().width) return false;
    if (remaining_.has(shape) && has_room(shape)) return true;
  }
  return false;
}

// A sheet is of use only if something that is left fits on it.
inline bool Packing::is_legal(Move move) const {
  if (is_over_ || move < 0 || move >= num_distinct_moves()) return false;
  if (move > waste()) {
    if (!chooses_sheet_) return false;
    const auto kind = static_cast<std::size_t>(move - waste() - 1);
    if (stock_[kind] == 0) return false;
    const Sheet& sheet = problem_->sheets()[kind];
    return std::any_of(problem_->shapes().begin(), problem_->shapes().end(), [&](const Shape& shape) {
      return remaining_.has(shape) && shape.width <= sheet.width && shape.height <= sheet.height;
    });
  }
  if (chooses_sheet_) return false;
  if (move == waste()) return may_waste();
  const Shape& shape = problem_->shape(move);
  return remaining_.has(shape) && has_room(shape) && !is_same_cut(move, shape);
}

inline void Packing::legal_moves(MoveList& moves) const {
  if (is_over_) return;
  if (chooses_sheet_) {
    for (Move move = waste() + 1; move < num_distinct_moves(); ++move)
      if (is_legal(move)) moves.push_back(move);
    return;
  }
  for (const Move number : remaining_.shapes_by_width()) {
    const Shape& shape = problem_->shape(number);
    if (shape.width > front_.low().width) break;
    if (remaining_.has(shape) && has_room(shape) && !is_same_cut(number, shape) && !is_twin(number, shape))
      moves.push_back(number);
  }
  if (may_waste()) moves.push_back(waste());
}

inline void Packing::take_sheet(std::size_t kind) {
  --stock_[kind];
  ++num_sheets_;
  sheet_kind_ = static_cast<std::int32_t>(kind);
  cost_ += problem_->sheets()[kind].cost;
  front_ = Front(problem_->sheets()[kind], problem_->options().guillotine);
  last_ = kNoMove;
}

// Where only one kind of sheet is of use it is taken; where there are several, that is a move.
inline void Packing::next_sheet() {
  chooses_sheet_ = true;
  Move only = kNoMove;
  int num_useful = 0;
  for (Move move = waste() + 1; move < num_distinct_moves(); ++move)
    if (is_legal(move)) only = move, ++num_useful;
  if (num_useful > 1) return;
  chooses_sheet_ = false;
  if (num_useful == 0)
    is_over_ = true;
  else
    take_sheet(static_cast<std::size_t>(only - waste() - 1));
}

inline double Packing::value() const {
  switch (problem_->options().objective) {
    case Objective::Height:
      return front_.top() - problem_->options().kerf;
    case Objective::Worth:
      return worth_;
    case Objective::Cost:
      break;
  }
  // Of two ways that cost the same, the one that leaves more of the last sheet. What is left over costs more than all.
  double value = static_cast<double>(cost_);
  if (sheet_kind_ >= 0) {
    const Length height = problem_->sheets()[static_cast<std::size_t>(sheet_kind_)].height;
    value += static_cast<double>(front_.top()) / (static_cast<double>(height) + 1);
  }
  if (remaining_.number() > 0) {
    for (const Sheet& sheet : problem_->sheets()) value += static_cast<double>(sheet.cost) * sheet.count;
    value += static_cast<double>(remaining_.area());
  }
  return value;
}

// What no continuation beats: the area still to come lies above the skyline, and the tallest at best in the lowest gap.
inline double Packing::bound() const {
  switch (problem_->options().objective) {
    case Objective::Height: {
      const Length width = problem_->sheets()[0].width;
      const Area by_area = (front_.covered() + remaining_.area() + width - 1) / width;
      const Area by_height = remaining_.number() > 0 ? front_.low().y + remaining_.tallest() : 0;
      const Area least = std::max({by_area, by_height, Area{front_.top()}});
      return std::max(problem_->bound(), static_cast<double>(least - problem_->options().kerf));
    }
    case Objective::Worth: {
      double worth = worth_;
      for (std::size_t kind = 0; kind < remaining_.by_kind().size(); ++kind)
        worth += problem_->kinds()[kind].worth * remaining_.by_kind()[kind];
      return std::min(problem_->bound(), worth);
    }
    case Objective::Cost:
      break;
  }
  return std::max(problem_->bound(), static_cast<double>(cost_));
}

inline std::uint64_t Packing::hash() const {
  std::uint64_t hash = combine(0x7061636B, static_cast<std::uint64_t>(front_.top()));
  for (const Gap& gap : front_.gaps()) {
    hash = combine(hash, static_cast<std::uint64_t>(gap.x) << 32 | static_cast<std::uint32_t>(gap.y));
    hash = combine(hash, static_cast<std::uint64_t>(gap.width) << 32 | static_cast<std::uint32_t>(gap.ceiling));
  }
  std::uint64_t word = 0;
  const auto left = remaining_.by_kind();
  for (std::size_t kind = 0; kind < left.size(); ++kind) {
    word = word << 16 | left[kind];
    if (kind % 4 == 3 || kind + 1 == left.size()) hash = combine(hash, std::exchange(word, 0));
  }
  for (const std::int32_t count : stock_) hash = combine(hash, static_cast<std::uint64_t>(count));
  hash = combine(hash, static_cast<std::uint64_t>(last_ + 1) << 3 | std::uint64_t{last_went_right_} << 2 |
                           std::uint64_t{chooses_sheet_} << 1 | std::uint64_t{is_over_});
  return combine(hash, static_cast<std::uint64_t>(cost_));
}

inline Placement Packing::placement(Move move) const {
  const Shape& shape = problem_->shape(move);
  const Gap& gap = front_.low();
  const Length x = goes_right() ? gap.x + gap.width - shape.width : gap.x;
  return {shape.kind, num_sheets_ - 1, sheet_kind_, x, gap.y, shape.is_turned};
}

// By fit, and within that by area: the larger is the harder to place later.
inline void Packing::priors(std::span<const Move> moves, std::span<float> priors) const {
  const Room room = Room::of(front_, remaining_.narrowest());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i] >= waste()) {
      priors[i] = moves[i] == waste() ? 0.02F : 0.5F;
      continue;
    }
    const Shape& shape = problem_->shape(moves[i]);
    const float share = static_cast<float>(shape.width) / static_cast<float>(room.width);
    priors[i] = (static_cast<float>(fit_of(shape, room)) + share) / (kBestFit + 2) + 0.05F;
  }
}

template <class Record>
double Packing::play_out(Rng& rng, Record* record) {
  MoveList choices;
  const bool fits = problem_->options().fits_in_playouts;
  while (!is_over_) {
    choices.clear();
    if (chooses_sheet_) {
      legal_moves(choices);
    } else {
      const Room room = Room::of(front_, remaining_.narrowest());
      int best = 0;
      for (const Move number : remaining_.shapes_by_width()) {
        const Shape& shape = problem_->shape(number);
        if (shape.width > room.width) break;
        if (!remaining_.has(shape) || shape.height > room.height || is_same_cut(number, shape)) continue;
        const int fit = fits ? fit_of(shape, room) : 0;
        if (fit < best) continue;
        if (fit > best) choices.clear();
        best = fit;
        choices.push_back(number);
      }
    }
    const Move move = choices[rng.below(choices.size())];
    if (record) record->add(move, 0);
    play(move);
  }
  return value();
}

template <class Record>
double Packing::play_out_in_order(std::span<const Move> order, bool by_fit, Record* record) {
  MoveList open(order.begin(), order.end());
  while (!is_over_) {
    const std::size_t chosen = chooses_sheet_ ? first_sheet(open) : first_shape(open, by_fit);
    const Move move = open[chosen];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen));
    if (record) record->add(move, 0);
    play(move);
  }
  return value();
}

inline std::size_t Packing::first_sheet(const MoveList& open) const {
  std::size_t i = 0;
  while (open[i] <= waste() || !is_legal(open[i])) ++i;
  return i;
}

// Forgets on its way what is used up.
inline std::size_t Packing::first_shape(MoveList& open, bool by_fit) const {
  const Room room = Room::of(front_, remaining_.narrowest());
  std::size_t best = 0, kept = 0, i = 0;
  int best_fit = -1;
  for (; i < open.size() && best_fit < kBestFit; ++i) {
    const Move move = open[i];
    if (move < waste()) {
      const Shape& shape = problem_->shape(move);
      if (!remaining_.has(shape)) continue;
      if (room.holds(shape) && !is_same_cut(move, shape)) {
        const int fit = by_fit ? fit_of(shape, room) : kBestFit;
        if (fit > best_fit) best_fit = fit, best = kept;
      }
    }
    open[kept++] = move;
  }
  if (kept < i)
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(kept), open.begin() + static_cast<std::ptrdiff_t>(i));
  return best;
}

inline void Packing::first_order(int number, MoveList& order) const {
  const auto add = [&](Move move, std::int32_t count) {
    order.insert(order.end(), static_cast<std::size_t>(count), move);
  };
  for (Move move = 0; move < waste(); ++move)
    if (const Shape& shape = problem_->shape(move); remaining_.has(shape)) add(move, left(shape.kind));
  const bool by_worth = problem_->options().objective == Objective::Worth && number-- % 5 == 0;
  const auto size = [&](Move move) -> double {
    const Shape& shape = problem_->shape(move);
    const double area = static_cast<double>(Area{shape.width} * shape.height);
    if (by_worth) return problem_->kinds()[static_cast<std::size_t>(shape.kind)].worth / area;
    const std::array sizes{area, double(shape.width), double(shape.height), double(shape.width) + shape.height};
    return sizes[static_cast<std::size_t>(number) % 4];
  };
  std::stable_sort(order.begin(), order.end(), [&](Move a, Move b) { return size(a) > size(b); });
  for (std::size_t kind = 0; kind < stock_.size(); ++kind)
    add(waste() + 1 + static_cast<Move>(kind), std::min(stock_[kind], remaining_.number()));
}

static_assert(Game<Packing> && HasGoal<Packing> && HasLegality<Packing> && HasPriors<Packing>);

}  // namespace tesuji::packing
