#include "packing/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "packing/bounds.hpp"

namespace tesuji::packing {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

void check_side(const char* what, std::size_t number, Length side) {
  if (side < 1 || side > Problem::kMaxSide)
    refuse("the " + std::string(what) + " of rectangle " + std::to_string(number) + " is " + std::to_string(side) +
           "; it must lie in 1.." + std::to_string(Problem::kMaxSide));
}

}  // namespace

Problem::Problem(std::vector<Kind> kinds, std::vector<Sheet> sheets, const Options& options)
    : kinds_(std::move(kinds)), sheets_(std::move(sheets)), options_(options) {
  check();
  add_kerf();
  make_shapes();
  bound_ = root_bound(*this);
}

void Problem::check() const {
  if (kinds_.empty()) refuse("there is no rectangle to pack");
  if (kinds_.size() > kMaxKinds)
    refuse("there are " + std::to_string(kinds_.size()) + " kinds of rectangles; at most " + std::to_string(kMaxKinds) +
           " are possible");
  if (options_.kerf < 0 || options_.kerf > kMaxSide) refuse("the kerf must lie in 0.." + std::to_string(kMaxSide));
  std::int64_t num_items = 0, total = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    check_side("width", i, kinds_[i].width);
    check_side("height", i, kinds_[i].height);
    if (kinds_[i].count < 1) refuse("the count of rectangle " + std::to_string(i) + " must be at least 1");
    if (!std::isfinite(kinds_[i].worth) || kinds_[i].worth < 0)
      refuse("the worth of rectangle " + std::to_string(i) + " must be a number of at least 0");
    num_items += kinds_[i].count;
    total += (std::int64_t{std::max(kinds_[i].width, kinds_[i].height)} + options_.kerf) * kinds_[i].count;
  }
  if (num_items > kMaxItems)
    refuse("there are " + std::to_string(num_items) + " rectangles; at most " + std::to_string(kMaxItems) +
           " are possible");
  if (total > kMaxTotal)
    refuse("the rectangles end to end are " + std::to_string(total) + " long; at most " + std::to_string(kMaxTotal) +
           " is possible");
  if (sheets_.empty()) refuse("there is no sheet to pack on");
  for (const Sheet& sheet : sheets_) {
    if (sheet.width < 1 || sheet.width > kMaxSide) refuse("a sheet's width must lie in 1.." + std::to_string(kMaxSide));
    if (sheet.height != kEndless && (sheet.height < 1 || sheet.height > kMaxSide))
      refuse("a sheet's height must lie in 1.." + std::to_string(kMaxSide));
    if (sheet.count < 1 || sheet.cost < 0) refuse("a sheet's count must be at least 1 and its cost at least 0");
  }
  const bool is_strip = sheets_.size() == 1 && sheets_[0].height == kEndless;
  if ((options_.objective == Objective::Height) != is_strip)
    refuse("a height is minimised on one endless strip, and on nothing else");
}

void Problem::add_kerf() {
  for (Kind& kind : kinds_) kind.width += options_.kerf, kind.height += options_.kerf;
  for (Sheet& sheet : sheets_) {
    sheet.width += options_.kerf;
    if (sheet.height != kEndless) sheet.height += options_.kerf;
  }
}

bool Problem::fits_some_sheet(Length width, Length height) const {
  return std::any_of(sheets_.begin(), sheets_.end(),
                     [&](const Sheet& sheet) { return width <= sheet.width && height <= sheet.height; });
}

void Problem::make_shapes() {
  const int ways = options_.guillotine ? 2 : 1;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const Kind& kind = kinds_[i];
    const auto number = static_cast<std::int32_t>(i);
    const bool stands = fits_some_sheet(kind.width, kind.height);
    const bool turns = kind.may_turn && kind.width != kind.height && fits_some_sheet(kind.height, kind.width);
    if (!stands && !turns && options_.objective != Objective::Worth)
      refuse("rectangle " + std::to_string(i) + " fits on no sheet");
    for (int way = 0; way < ways; ++way) shapes_.push_back({stands ? kind.width : 0, kind.height, number, false});
    for (int way = 0; way < ways; ++way) shapes_.push_back({turns ? kind.height : 0, kind.width, number, true});
    lying_.push_back(stands && turns ? std::min(kind.width, kind.height) : turns ? kind.width : kind.height);
    areas_.push_back(Area{kind.width} * kind.height);
    area_ += areas_.back() * kind.count;
    num_items_ += kind.count;
  }
  for (std::int32_t shape = 0; shape < num_shapes(); ++shape)
    if (shapes_[static_cast<std::size_t>(shape)].width > 0) by_width_.push_back(shape);
  std::stable_sort(by_width_.begin(), by_width_.end(),
                   [&](std::int32_t a, std::int32_t b) { return shape(a).width < shape(b).width; });
  by_lying_height_.resize(kinds_.size());
  std::iota(by_lying_height_.begin(), by_lying_height_.end(), 0);
  std::stable_sort(by_lying_height_.begin(), by_lying_height_.end(),
                   [&](std::int32_t a, std::int32_t b) { return lying_height(a) > lying_height(b); });
}

}  // namespace tesuji::packing
