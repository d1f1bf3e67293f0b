#include "go/region_patterns.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace tesuji::go {

RegionPatterns::RegionPatterns(std::vector<Place> places, StoneKeys keys, Columns columns)
    : places_(std::move(places)), keys_(std::move(keys)), columns_(std::move(columns)) {
  check();
  slots_.resize(std::bit_ceil(2 * size() + 2));
  for (std::size_t i = 0; i < size(); ++i) {
    const std::uint64_t key = mixed(columns_.kinds[i], columns_.keys[i]);
    std::size_t at = key & (slots_.size() - 1);
    while (slots_[at].pattern != kUnknown) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {key, static_cast<std::int32_t>(i)};
  }
  // A small corner stands for the big one around it, so that a corner's territory does not jump where only one is
  // known.
  const auto points = [&](std::size_t kind) { return static_cast<float>(places_[4 * kind].points[0].size()); };
  scales_ = {points(1) / points(0), 1.0f, 1.0f};
  for (std::size_t place = 0; place < kNumPlaces; ++place) {
    const auto& [forms, border] = places_[place];
    for (std::size_t i = 0; i < forms[0].size(); ++i) {
      const auto mirrored = std::find(forms[1].begin(), forms[1].end(), forms[0][i]) - forms[1].begin();
      where_[forms[0][i]].push_back(
          {static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(mirrored)});
    }
    for (const std::uint16_t point : border) border_of_[point].push_back(static_cast<std::uint8_t>(place));
  }
}

void RegionPatterns::check() const {
  const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
  if (places_.size() != kNumPlaces) refuse("there are twelve places: four small corners, big corners and big sides");
  for (std::size_t place = 0; place < kNumPlaces; ++place) {
    const auto& [forms, border] = places_[place];
    auto sorted = forms;
    for (auto& form : sorted) std::sort(form.begin(), form.end());
    if (forms[0].empty() || forms[0].size() > 255 || sorted[0] != sorted[1] || sorted[0].back() >= kOpeningPoints ||
        forms[0].size() != places_[4 * kind_of(place)].points[0].size())
      refuse("the two forms of a place have the same points of a 19x19 board, as many as all places of its kind");
    for (const auto& of_color : keys_[kind_of(place)])
      if (of_color.size() != forms[0].size()) refuse("there is a key for each point of a pattern and each colour");
    for (const std::uint16_t point : border)
      if (point >= kOpeningPoints) refuse("a border runs off the board");
  }
  const std::size_t num = size();
  if (columns_.kinds.size() != num || columns_.black.size() != num || columns_.white.size() != num ||
      columns_.starts.size() != num + 1 || columns_.starts.front() != 0 ||
      columns_.starts.back() != columns_.moves.size() ||
      !std::is_sorted(columns_.starts.begin(), columns_.starts.end()))
    refuse("the columns of the patterns are not of one length");
  for (std::size_t i = 0; i < num; ++i) {
    if (columns_.kinds[i] >= kNumKinds) refuse("a pattern is of no kind");
    const std::size_t points = places_[4 * columns_.kinds[i]].points[0].size();
    for (std::size_t j = columns_.starts[i]; j < columns_.starts[i + 1]; ++j)
      if ((columns_.moves[j] & ~kWhiteMove) >= points) refuse("a move lies outside of its pattern");
  }
}

int RegionPatterns::find(std::size_t kind, std::uint64_t key) const {
  const std::uint64_t wanted = mixed(kind, key);
  for (std::size_t at = wanted & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1))
    if (slots_[at].pattern == kUnknown || slots_[at].key == wanted) return slots_[at].pattern;
}

RegionPatterns::Territory RegionPatterns::territory(int pattern, std::size_t place, std::size_t form) const {
  const auto at = static_cast<std::size_t>(pattern);
  const float scale = scales_[kind_of(place)];
  const float black = scale * columns_.black[at], white = scale * columns_.white[at];
  return form & 2 ? Territory{white, black} : Territory{black, white};
}

}  // namespace tesuji::go
