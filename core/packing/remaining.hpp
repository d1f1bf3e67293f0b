// The rectangles that are still to be packed: how many of each kind, their area, the narrowest and the tallest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "packing/problem.hpp"

namespace tesuji::packing {

class Remaining {
 public:
  // All of them. The problem must outlive it.
  explicit Remaining(const Problem& problem)
      : problem_(&problem), number_(problem_->num_items()), area_(problem_->area()) {
    for (const Kind& kind : problem_->kinds()) left_.push_back(static_cast<std::uint16_t>(kind.count));
  }

  std::int32_t number() const { return number_; }
  Area area() const { return area_; }
  std::span<const std::uint16_t> by_kind() const { return left_; }
  bool has(const Shape& shape) const { return shape.width > 0 && left_[static_cast<std::size_t>(shape.kind)] > 0; }
  // Shapes from the narrowest that is left on; some that come later are used up.
  std::span<const std::int32_t> shapes_by_width() const { return problem_->by_width().subspan(narrowest_); }
  Length narrowest() const {
    return narrowest_ < problem_->by_width().size() ? problem_->shape(problem_->by_width()[narrowest_]).width : 0;
  }
  Length tallest() const {
    const auto by_height = problem_->by_lying_height();
    return tallest_ < by_height.size() ? problem_->lying_height(by_height[tallest_]) : 0;
  }

  void take(std::int32_t kind);

 private:
  const Problem* problem_;
  std::vector<std::uint16_t> left_;  // of each kind
  std::int32_t number_;
  Area area_;
  std::size_t narrowest_ = 0;  // into by_width(): the first that is left
  std::size_t tallest_ = 0;    // into by_lying_height(): likewise
};

inline void Remaining::take(std::int32_t kind) {
  --number_;
  area_ -= problem_->kind_area(kind);
  if (--left_[static_cast<std::size_t>(kind)] > 0) return;
  const auto by_width = problem_->by_width();
  while (narrowest_ < by_width.size() && !has(problem_->shape(by_width[narrowest_]))) ++narrowest_;
  const auto by_height = problem_->by_lying_height();
  while (tallest_ < by_height.size() && left_[static_cast<std::size_t>(by_height[tallest_])] == 0) ++tallest_;
}

}  // namespace tesuji::packing
