// Where rectangles can still go on one sheet: gaps, of which the lowest is filled first, the leftmost of several.
//
// Without guillotine cuts the gaps are the skyline: they lie side by side, cover the sheet's width, and each is open to
// the top. A gap that is wasted rises to its lower neighbour. With guillotine cuts they are the free pieces that the
// cuts so far have left; a piece that is wasted is gone, and when none is left a cut across the whole sheet, above all
// that is packed, makes a new one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "packing/problem.hpp"

namespace tesuji::packing {

struct Gap {
  Length x = 0, y = 0, width = 0;
  Length ceiling = kEndless;  // nothing in this gap may rise above it
};

class Front {
 public:
  Front(const Sheet& sheet, bool guillotine)
      : sheet_width_(sheet.width), sheet_height_(sheet.height), cuts_(guillotine) {
    gaps_.reserve(16);
    gaps_.push_back({0, 0, sheet.width, sheet.height});
  }

  const Gap& low() const { return gaps_[low_]; }
  const std::vector<Gap>& gaps() const { return gaps_; }
  Length top() const { return top_; }  // of what is packed
  // Rectangles and waste below what is still free.
  Area covered() const { return covered_; }
  bool is_whole() const { return gaps_.size() == 1 && low().width == sheet_width_; }

  // How far the neighbours rise above the low gap; the sheet's sides rise without end, and so does what is cut off.
  Length left_wall() const { return cuts_ || low_ == 0 ? kEndless : gaps_[low_ - 1].y - low().y; }
  Length right_wall() const { return cuts_ || low_ + 1 == gaps_.size() ? kEndless : gaps_[low_ + 1].y - low().y; }

  // Places a rectangle at the low gap's left or right end; returns its x. `cuts_upright` is the direction of the first
  // cut beside it, which only guillotine cuts ask for.
  Length place(Length width, Length height, bool at_right, bool cuts_upright) {
    const Gap gap = low();
    const Length x = at_right ? gap.x + gap.width - width : gap.x;
    top_ = std::max(top_, gap.y + height);
    covered_ += Area{width} * height;
    if (cuts_)
      cut(gap, width, height, cuts_upright);
    else
      raise(gap, width, height, at_right);
    find_low();
    return x;
  }

  // Nothing goes into the low gap any more. Not for a gap that is_whole().
  void waste() {
    if (cuts_) {
      if (low().ceiling != kEndless) covered_ += Area{low().width} * (low().ceiling - low().y);
      gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(low_));
      if (gaps_.empty()) {
        gaps_.push_back({0, top_, sheet_width_, sheet_height_});
        covered_ = std::max(covered_, Area{sheet_width_} * top_);
      }
    } else {
      const Length rise = std::min(left_wall(), right_wall());
      covered_ += Area{low().width} * rise;
      gaps_[low_].y += rise;
      merge();
    }
    find_low();
  }

 private:
  void raise(const Gap& gap, Length width, Length height, bool at_right) {
    const Length rest = gap.width - width;
    gaps_[low_] = {at_right ? gap.x + rest : gap.x, gap.y + height, width, gap.ceiling};
    if (rest > 0) {
      const Gap free{at_right ? gap.x : gap.x + width, gap.y, rest, gap.ceiling};
      gaps_.insert(gaps_.begin() + static_cast<std::ptrdiff_t>(at_right ? low_ : low_ + 1), free);
      low_ += at_right ? 1 : 0;
    }
    merge();
  }

  // The gap at low_ becomes one with neighbours of its height.
  void merge() {
    if (low_ + 1 < gaps_.size() && gaps_[low_ + 1].y == gaps_[low_].y) {
      gaps_[low_].width += gaps_[low_ + 1].width;
      gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(low_ + 1));
    }
    if (low_ > 0 && gaps_[low_ - 1].y == gaps_[low_].y) {
      gaps_[low_ - 1].width += gaps_[low_].width;
      gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(low_));
    }
  }

  void cut(const Gap& gap, Length width, Length height, bool upright) {
    const Length above = gap.y + height;
    gaps_.erase(gaps_.begin() + static_cast<std::ptrdiff_t>(low_));
    if (above < gap.ceiling) gaps_.push_back({gap.x, above, upright ? width : gap.width, gap.ceiling});
    if (width < gap.width) gaps_.push_back({gap.x + width, gap.y, gap.width - width, upright ? gap.ceiling : above});
    if (gaps_.empty()) gaps_.push_back({0, top_, sheet_width_, sheet_height_});
  }

  void find_low() {
    low_ = 0;
    for (std::size_t i = 1; i < gaps_.size(); ++i)
      if (gaps_[i].y < gaps_[low_].y || (gaps_[i].y == gaps_[low_].y && gaps_[i].x < gaps_[low_].x)) low_ = i;
  }

  Length sheet_width_, sheet_height_;
  bool cuts_;
  std::vector<Gap> gaps_;
  std::size_t low_ = 0;
  Length top_ = 0;
  Area covered_ = 0;
};

}  // namespace tesuji::packing
