#include "go/quality_position.hpp"

#include <algorithm>
#include <bit>

namespace tesuji::go {

namespace {

constexpr std::size_t kMostChains = kOpeningPoints;
constexpr int kReach = 4;

constexpr std::size_t area_of(std::size_t place) { return place < 4 ? place : place - 4; }

// Lines 3 and 4 from the edge, and those above, as rows of bits beside an empty border.
struct LineBits {
  std::array<std::uint32_t, kOpeningSize + 2> third_fourth{}, higher{};
  constexpr LineBits() {
    for (int row = 1; row <= kOpeningSize; ++row)
      for (int column = 1; column <= kOpeningSize; ++column) {
        const int line = std::min(std::min(row, kOpeningSize + 1 - row), std::min(column, kOpeningSize + 1 - column));
        const std::uint32_t bit = std::uint32_t{1} << column;
        if (line == 3 || line == 4) third_fourth[static_cast<std::size_t>(row)] |= bit;
        if (line > 4) higher[static_cast<std::size_t>(row)] |= bit;
      }
  }
};
constexpr LineBits kLineBits;
constexpr std::uint32_t kOnBoard = ((std::uint32_t{1} << kOpeningSize) - 1) << 1;

}  // namespace

QualityPosition::QualityPosition(const RegionPatterns& patterns, const Strengths& strengths,
                                 std::span<const Color> colors)
    : patterns_(&patterns), strengths_(&strengths) {
  colors_.fill(Color::OffBoard);
  for (int point = 0; point < static_cast<int>(kOpeningPoints); ++point) colors_[padded(point)] = Color::Empty;
  for (int point = 0; point < static_cast<int>(kOpeningPoints); ++point)
    if (colors[static_cast<std::size_t>(point)] != Color::Empty)
      set(padded(point), colors[static_cast<std::size_t>(point)]);
  look_up_changed();
}

void QualityPosition::set(std::size_t cell, Color color) {
  const bool adds = color != Color::Empty;
  const Color stone = adds ? color : colors_[cell];
  const auto player = static_cast<std::size_t>(index_of(stone));
  colors_[cell] = color;
  stones_[player][cell / kStride] ^= std::uint32_t{1} << cell % kStride;
  num_stones_[player] += adds ? 1 : -1;
  for (const auto& [place, index, mirrored] : patterns_->places_of(unpadded(cell))) {
    const std::size_t kind = RegionPatterns::kind_of(place);
    const std::array<std::uint64_t, kNumForms> added = {
        patterns_->stone_key(kind, stone, index), patterns_->stone_key(kind, stone, mirrored),
        patterns_->stone_key(kind, opponent(stone), index), patterns_->stone_key(kind, opponent(stone), mirrored)};
    for (std::size_t form = 0; form < kNumForms; ++form) keys_[place][form] += adds ? added[form] : 0 - added[form];
    stones_in_[place] = static_cast<std::uint8_t>(stones_in_[place] + (adds ? 1 : -1));
    changed_ |= 1u << place;
  }
  for (const std::uint8_t place : patterns_->borders_of(unpadded(cell))) {
    stones_beside_[place] = static_cast<std::uint8_t>(stones_beside_[place] + (adds ? 1 : -1));
    changed_ |= 1u << place;
  }
}

void QualityPosition::look_up_changed() {
  unsigned areas = 0;
  for (unsigned left = changed_; left != 0; left &= left - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(left));
    areas |= 1u << area_of(place);
    known_[place] = {};
    if (stones_in_[place] == 0 || stones_beside_[place] != 0) continue;
    const auto least = std::min_element(keys_[place].begin(), keys_[place].end());
    known_[place].pattern = patterns_->find(RegionPatterns::kind_of(place), *least);
    known_[place].form = static_cast<std::uint8_t>(least - keys_[place].begin());
  }
  changed_ = 0;
  for (; areas != 0; areas &= areas - 1) estimate(static_cast<std::size_t>(std::countr_zero(areas)));
}

void QualityPosition::estimate(std::size_t area) {
  if (is_constant_[area]) return;
  const std::size_t large = area + 4;
  if (is_place_known(large))
    territory_[area] = patterns_->territory(known_[large].pattern, large, known_[large].form);
  else if (area < 4 && is_place_known(area))
    territory_[area] = patterns_->territory(known_[area].pattern, area, known_[area].form);
}

void QualityPosition::hold_unknown() {
  for (std::size_t area = 0; area < kNumAreas; ++area)
    is_constant_[area] = stones_in_[area + 4] > 0 && !is_place_known(area + 4) && !(area < 4 && is_place_known(area));
}

bool QualityPosition::is_known(int around) const {
  if (around < 0) {
    for (std::size_t place = 0; place < kNumPlaces; ++place)
      if (is_place_known(place)) return true;
    return false;
  }
  for (const auto& where : patterns_->places_of(static_cast<std::size_t>(around)))
    if (is_place_known(where.place)) return true;
  return false;
}

bool QualityPosition::play(int point, Color color) {
  const std::size_t cell = padded(point);
  if (colors_[cell] != Color::Empty) return false;
  add_urgency_around(cell, -1);
  set(cell, color);
  add_urgency_around(cell, +1);
  for (const int step : kOrthogonal) {
    const std::size_t beside = moved(cell, step);
    if (colors_[beside] == opponent(color) && !has_liberty(beside)) remove_chain(beside);
  }
  look_up_changed();
  return has_liberty(cell);
}

bool QualityPosition::has_liberty(std::size_t cell) const {
  std::array<std::uint16_t, kOpeningPoints> chain;
  std::array<bool, kPadded> is_in{};
  std::size_t size = 0;
  chain[size++] = static_cast<std::uint16_t>(cell);
  is_in[cell] = true;
  for (std::size_t next = 0; next < size; ++next)
    for (const int step : kOrthogonal) {
      const std::size_t beside = moved(chain[next], step);
      if (colors_[beside] == Color::Empty) return true;
      if (colors_[beside] != colors_[cell] || is_in[beside]) continue;
      is_in[beside] = true;
      chain[size++] = static_cast<std::uint16_t>(beside);
    }
  return false;
}

void QualityPosition::remove_chain(std::size_t cell) {
  const Color color = colors_[cell];
  std::vector<std::size_t> left = {cell};
  while (!left.empty()) {
    const std::size_t at = left.back();
    left.pop_back();
    if (colors_[at] != color) continue;
    add_urgency_around(at, -1);
    set(at, Color::Empty);
    add_urgency_around(at, +1);
    for (const int step : kOrthogonal)
      if (colors_[moved(at, step)] == color) left.push_back(moved(at, step));
  }
}

void QualityPosition::add_urgency(std::size_t cell, int sign) {
  if (colors_[cell] != Color::Empty) return;
  std::uint32_t shape = 0;
  unsigned at = 0;
  for (const int step : kOrthogonal) shape |= static_cast<std::uint32_t>(colors_[moved(cell, step)]) << 2 * at++;
  for (const int step : kDiagonal) shape |= static_cast<std::uint32_t>(colors_[moved(cell, step)]) << 2 * at++;
  for (const int step : kOrthogonal) {
    const bool is_on_board = colors_[moved(cell, step)] != Color::OffBoard;
    shape |= static_cast<std::uint32_t>(is_on_board ? colors_[moved(cell, 2 * step)] : Color::OffBoard) << 2 * at++;
  }
  const std::uint32_t stones = (shape ^ shape >> 1) & 0x55555555u;  // where the two bits differ
  if (stones == 0) return;                                          // none within the shape: not urgent but large
  for (std::size_t player = 0; player < 2; ++player) {
    const std::uint32_t as_seen = player == 0 ? shape : with_colors_exchanged(shape);
    const float strength = strengths_->codes[as_seen & 0xFFFFu] * strengths_->shapes.strength(as_seen);
    urgent_[player] += sign * urgency_weight(strength);
  }
}

void QualityPosition::add_urgency_around(std::size_t cell, int sign) {
  add_urgency(cell, sign);
  for (const int step : kDiagonal) add_urgency(moved(cell, step), sign);
  for (const int step : kOrthogonal) {
    if (colors_[moved(cell, step)] == Color::OffBoard) continue;
    add_urgency(moved(cell, step), sign);
    add_urgency(moved(cell, 2 * step), sign);
  }
}

void QualityPosition::count_urgency() {
  urgent_ = {};
  for (int point = 0; point < static_cast<int>(kOpeningPoints); ++point) add_urgency(padded(point), +1);
}

std::array<Qualities, 2> QualityPosition::qualities() const {
  std::array<Qualities, 2> found{};
  for (std::size_t player = 0; player < 2; ++player) {
    const auto set_to = [&](Quality quality, double value) {
      found[player][static_cast<std::size_t>(quality)] = value;
    };
    const auto territory = [&](std::size_t first) {
      double sum = 0;
      for (std::size_t area = first; area < first + 4; ++area)
        sum += player == 0 ? territory_[area].black : territory_[area].white;
      return sum;
    };
    set_to(Quality::TerriCorner, territory(0));
    set_to(Quality::TerriInSide, territory(4));
    set_to(Quality::StrenStones, num_stones_[player]);
    set_to(Quality::StrenUrgent, urgent_[1 - player] / 1024.0);
  }
  measure_chains(found);
  measure_reach(found);
  return found;
}

// Chains by a walk over the stones; of each the liberties, then pairs that touch.
void QualityPosition::measure_chains(std::array<Qualities, 2>& found) const {
  std::array<std::uint16_t, kPadded> chain_of{};  // 0: not walked yet
  std::array<std::uint16_t, kPadded> seen{};      // a liberty: by which chain last
  std::array<std::uint16_t, kMostChains + 1> liberties;
  std::array<std::uint16_t, kOpeningPoints> stones;
  std::size_t num_stones = 0;
  std::uint16_t num_chains = 0;
  for (std::size_t row = 1; row <= kOpeningSize; ++row)
    for (std::uint32_t bits = stones_[0][row] | stones_[1][row]; bits != 0; bits &= bits - 1) {
      const std::size_t first = row * kStride + static_cast<std::size_t>(std::countr_zero(bits));
      if (chain_of[first] != 0) continue;
      const std::uint16_t chain = ++num_chains;
      std::uint16_t count = 0;
      chain_of[first] = chain;
      std::size_t next = num_stones;
      stones[num_stones++] = static_cast<std::uint16_t>(first);
      for (; next < num_stones; ++next)
        for (const int step : kOrthogonal) {
          const std::size_t beside = moved(stones[next], step);
          if (colors_[beside] == Color::Empty) {
            count = static_cast<std::uint16_t>(count + (seen[beside] != chain));
            seen[beside] = chain;
          } else if (colors_[beside] == colors_[first] && chain_of[beside] == 0) {
            chain_of[beside] = chain;
            stones[num_stones++] = static_cast<std::uint16_t>(beside);
          }
        }
      liberties[chain] = count;
      found[static_cast<std::size_t>(index_of(colors_[first]))][static_cast<std::size_t>(Quality::StrenLibert)] +=
          count;
    }
  std::vector<std::uint32_t> pairs;  // chains of different colours that touch, Black's in the upper half
  for (std::size_t i = 0; i < num_stones; ++i) {
    const std::size_t cell = stones[i];
    if (colors_[cell] != Color::Black) continue;
    for (const int step : kOrthogonal)
      if (const std::size_t beside = moved(cell, step); colors_[beside] == Color::White)
        pairs.push_back(static_cast<std::uint32_t>(chain_of[cell]) << 16 | chain_of[beside]);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const std::uint32_t pair : pairs) {
    const double black = liberties[pair >> 16], white = liberties[pair & 0xFFFFu];
    if (black == white) continue;
    const std::size_t stronger = black > white ? 0 : 1;
    found[stronger][static_cast<std::size_t>(Quality::StrenAdjLib)] +=
        (stronger == 0 ? black - white : white - black) / (black + white);
  }
}

void QualityPosition::measure_reach(std::array<Qualities, 2>& found) const {
  for (std::size_t player = 0; player < 2; ++player) {
    Rows reached = stones_[player];
    for (int step = 0; step < kReach; ++step) {
      Rows grown{};
      for (std::size_t row = 1; row <= kOpeningSize; ++row)
        grown[row] =
            (reached[row] | reached[row] << 1 | reached[row] >> 1 | reached[row - 1] | reached[row + 1]) & kOnBoard;
      reached = grown;
    }
    int middle = 0, higher = 0;
    for (std::size_t row = 1; row <= kOpeningSize; ++row) {
      const std::uint32_t empty = reached[row] & ~(stones_[0][row] | stones_[1][row]);
      middle += std::popcount(empty & kLineBits.third_fourth[row]);
      higher += std::popcount(empty & kLineBits.higher[row]);
    }
    found[player][static_cast<std::size_t>(Quality::SpeedRows34)] = middle;
    found[player][static_cast<std::size_t>(Quality::SpeedHigher)] = higher;
  }
}

}  // namespace tesuji::go
