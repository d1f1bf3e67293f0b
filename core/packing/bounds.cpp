#include "packing/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "packing/problem.hpp"

namespace tesuji::packing {

namespace {

// At most so many thresholds are tried: with thousands of different widths, all would take seconds.
constexpr std::size_t kMaxThresholds = 300;

Area ceil_divided(Area number, Area by) { return (number + by - 1) / by; }

// A dual feasible function maps widths so that whatever lies side by side in a strip of width W still has images that
// add up to no more than `whole`, W's image. So the heights, weighted by these images, are a bound as areas are. A
// rectangle that may be turned counts with the cheaper of its two shapes.
Area height_by(const Problem& problem, Area whole, const std::function<Area(Length)>& image) {
  Area sum = 0;
  const auto shapes = problem.shapes();
  const std::size_t per_kind = shapes.size() / problem.kinds().size();
  for (std::size_t kind = 0; kind < problem.kinds().size(); ++kind) {
    Area least = std::numeric_limits<Area>::max();
    for (std::size_t i = kind * per_kind; i < (kind + 1) * per_kind; ++i)
      if (shapes[i].width > 0) least = std::min(least, image(shapes[i].width) * shapes[i].height);
    sum += least * problem.kinds()[kind].count;
  }
  return ceil_divided(sum, whole);
}

std::vector<Length> thresholds(const Problem& problem, Length width) {
  std::vector<Length> found;
  for (const Shape& shape : problem.shapes())
    if (shape.width > 0) found.push_back(std::min(shape.width, width - shape.width + 1));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.size() > kMaxThresholds) {
    std::vector<Length> thinned;
    for (std::size_t i = 0; i < kMaxThresholds; ++i) thinned.push_back(found[i * found.size() / kMaxThresholds]);
    found = std::move(thinned);
  }
  return found;
}

// Area, the tallest, and the functions u of Fekete and Schepers (2001).
double height_bound(const Problem& problem) {
  const Length width = problem.sheets()[0].width;
  Area best = ceil_divided(problem.area(), width);
  best = std::max<Area>(best, problem.lying_height(problem.by_lying_height()[0]));
  for (const Length least : thresholds(problem, width))
    if (least > 0 && least <= width / 2)
      best = std::max(best, height_by(problem, width, [&](Length w) -> Area {
                        return w > width - least ? width : w < least ? 0 : w;
                      }));
  for (Area k = 1; k <= 12; ++k)
    best = std::max(best, height_by(problem, k * width, [&](Length w) -> Area {
                      const Area scaled = (k + 1) * w;
                      return scaled % width == 0 ? k * w : scaled / width * width;
                    }));
  return static_cast<double>(best - problem.options().kerf);
}

// All that is there, and what the sheets' area could hold if rectangles could be cut.
double worth_bound(const Problem& problem) {
  double room = 0;
  for (const Sheet& sheet : problem.sheets()) room += double(sheet.width) * sheet.height * sheet.count;
  std::vector<std::int32_t> order(problem.kinds().size());
  std::iota(order.begin(), order.end(), 0);
  const auto density = [&](std::int32_t kind) {
    return problem.kinds()[static_cast<std::size_t>(kind)].worth / static_cast<double>(problem.kind_area(kind));
  };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return density(a) > density(b); });
  double worth = 0;
  for (const std::int32_t number : order) {
    const Kind& kind = problem.kinds()[static_cast<std::size_t>(number)];
    const double area = static_cast<double>(problem.kind_area(number)) * kind.count;
    worth += kind.worth * kind.count * std::min(1.0, room / area);
    room -= std::min(room, area);
  }
  return worth;
}

// The sheets that are cheapest for their area, the last of them in part; costs are whole numbers.
double cost_bound(const Problem& problem) {
  std::vector<Sheet> sheets(problem.sheets().begin(), problem.sheets().end());
  const auto area = [](const Sheet& sheet) { return double(sheet.width) * sheet.height; };
  std::sort(sheets.begin(), sheets.end(), [&](const Sheet& a, const Sheet& b) {
    return static_cast<double>(a.cost) * area(b) < static_cast<double>(b.cost) * area(a);
  });
  double left = static_cast<double>(problem.area()), cost = 0;
  for (const Sheet& sheet : sheets) {
    const double number = std::min(double(sheet.count), left / area(sheet));
    cost += static_cast<double>(sheet.cost) * (sheets.size() == 1 ? std::ceil(number - 1e-9) : number);
    left -= number * area(sheet);
  }
  return std::ceil(cost - 1e-6);
}

}  // namespace

double root_bound(const Problem& problem) {
  switch (problem.options().objective) {
    case Objective::Height:
      return height_bound(problem);
    case Objective::Worth:
      return worth_bound(problem);
    case Objective::Cost:
      break;
  }
  return cost_bound(problem);
}

}  // namespace tesuji::packing
