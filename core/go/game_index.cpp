#include "go/game_index.hpp"

#include <algorithm>
#include <array>

#include "go/points.hpp"
#include "go/stones.hpp"
#include "go/symmetry.hpp"

namespace tesuji::go {
namespace {

constexpr std::size_t kForms = 16;
using Hashes = std::array<std::uint64_t, kForms>;

// The hashes of a stone in all forms of the board.
std::uint64_t stone_hash(int row, int column, Color color) { return stone_key(row, column, color).wide(); }

class Replay {
 public:
  using S = Stones<kMaxSize, kLight>;
  using L = S::L;

  explicit Replay(const RecordedGame& game) : game_(game), stones_(game.width, game.height) {
    is_square_ = game.width == game.height;
    for (std::size_t form = 0; form < kForms; ++form) is_possible_[form] = is_square_ || (form & 4u) == 0;
    stones_.set_up([&](int row, int column) {
      const int point = row * game.width + column;
      if (std::find(game.black.begin(), game.black.end(), point) != game.black.end()) return Color::Black;
      if (std::find(game.white.begin(), game.white.end(), point) != game.white.end()) return Color::White;
      return Color::Empty;
    });
  }

  const S& stones() const { return stones_; }
  int num_points() const { return game_.width * game_.height; }
  bool is_possible(std::size_t form) const { return is_possible_[form]; }

  static Color color_of(std::uint16_t move) { return (move & RecordedGame::kWhite) != 0 ? Color::White : Color::Black; }
  int point_of(std::uint16_t move) const { return move & ~RecordedGame::kWhite; }
  Cell cell_of(int point) const { return L::cell(point / game_.width, point % game_.width); }

  // The stones that a move takes off, or -1 if it is impossible.
  int play(std::uint16_t move) {
    const int point = point_of(move);
    if (point > num_points()) return -1;
    if (point == num_points()) {
      stones_.pass();
      return 0;
    }
    const Cell cell = cell_of(point);
    if (stones_.color(cell) != Color::Empty) return -1;
    const int before = stones_.num_empty();
    stones_.play(cell, color_of(move));
    return stones_.num_empty() - before + 1;  // suicide takes its own stones off
  }

 private:
  const RecordedGame& game_;
  S stones_;
  bool is_square_;
  std::array<bool, kForms> is_possible_{};
};

// The hashes of the stones, kept up to date.
class FormHashes {
 public:
  explicit FormHashes(const Replay& replay, const RecordedGame& game)
      : replay_(replay), width_(game.width), height_(game.height) {
    recount();
  }

  void add(int point, Color color) {
    const int row = point / width_, column = point % width_;
    for (std::size_t turn = 0; turn < 8; ++turn) {
      if (!replay_.is_possible(turn)) continue;
      const auto [r, c] = image(row, column, turn);
      hashes_[turn] ^= stone_hash(r, c, color);
      hashes_[turn + 8] ^= stone_hash(r, c, opponent(color));
    }
  }
  void recount() {
    hashes_.fill(0);
    for (int row = 0; row < height_; ++row)
      for (int column = 0; column < width_; ++column) {
        const Color color = replay_.stones().color(Replay::L::cell(row, column));
        if (color != Color::Empty) add(row * width_ + column, color);
      }
  }

  // The hash of a form with the side to move; exchanged colours exchange that as well.
  std::uint64_t with_side(std::size_t form, Color to_play) const {
    const bool is_white = (to_play == Color::White) != (form >= 8);
    return mix64(hashes_[form] ^ (is_white ? kWhiteToMoveKey.wide() : 0) ^ size_hash());
  }
  std::size_t least(Color to_play) const {
    std::size_t best = 0;
    for (std::size_t form = 1; form < kForms; ++form)
      if (replay_.is_possible(form) && with_side(form, to_play) < with_side(best, to_play)) best = form;
    return best;
  }

 private:
  std::pair<int, int> image(int row, int column, std::size_t turn) const {
    if (turn & 1u) row = height_ - 1 - row;
    if (turn & 2u) column = width_ - 1 - column;
    return turn & 4u ? std::pair(column, row) : std::pair(row, column);
  }
  std::uint64_t size_hash() const { return static_cast<std::uint64_t>(width_ * 32 + height_) << 40; }

  const Replay& replay_;
  int width_, height_;
  Hashes hashes_{};
};

Color side_before(const RecordedGame& game, std::size_t number) {
  if (number < game.moves.size()) return Replay::color_of(game.moves[number]);
  if (number > 0) return opponent(Replay::color_of(game.moves[number - 1]));
  return game.black.size() > game.white.size() ? Color::White : Color::Black;
}

}  // namespace

PositionKeys position_keys(const RecordedGame& game) {
  Replay replay(game);
  FormHashes hashes(replay, game);
  PositionKeys found;
  const auto note = [&](Color to_play) {
    const std::size_t form = hashes.least(to_play);
    found.keys.push_back(hashes.with_side(form, to_play));
    found.forms.push_back(static_cast<std::uint8_t>(form));
  };
  found.keys.reserve(game.moves.size() + 1);
  found.forms.reserve(game.moves.size() + 1);
  note(side_before(game, 0));
  std::size_t number = 0;
  for (; number < game.moves.size(); ++number) {
    const std::uint16_t move = game.moves[number];
    const int taken = replay.play(move);
    if (taken < 0) {
      found.first_impossible = static_cast<int>(number);
      break;
    }
    if (taken > 0)
      hashes.recount();
    else if (const int point = replay.point_of(move); point < replay.num_points())
      hashes.add(point, Replay::color_of(move));
    note(side_before(game, number + 1));
  }
  const Color to_play = side_before(game, number);
  for (std::size_t form = 0; form < kForms; ++form)
    found.is_form.push_back(replay.is_possible(form) && hashes.with_side(form, to_play) == found.keys.back());
  return found;
}

namespace {

// One form of a pattern: which sign at which offset from its corner.
struct PatternForm {
  int form, width, height;
  struct Point {
    int row, column;
    std::uint8_t sign;
  };
  std::vector<Point> points;  // those that say something, stones first
};

PatternForm pattern_form(const LocalPattern& pattern, int form) {
  const bool is_turned = (form & 4) != 0;
  PatternForm made{form, is_turned ? pattern.height : pattern.width, is_turned ? pattern.width : pattern.height, {}};
  for (int row = 0; row < pattern.height; ++row)
    for (int column = 0; column < pattern.width; ++column) {
      std::uint8_t sign = pattern.signs[static_cast<std::size_t>(row * pattern.width + column)];
      if (sign == LocalPattern::kAny) continue;
      if (form >= 8 && (sign == LocalPattern::kBlack || sign == LocalPattern::kWhite))
        sign = static_cast<std::uint8_t>(3 - sign);
      const int r = form & 1 ? pattern.height - 1 - row : row, c = form & 2 ? pattern.width - 1 - column : column;
      made.points.push_back(is_turned ? PatternForm::Point{c, r, sign} : PatternForm::Point{r, c, sign});
    }
  const auto is_stone = [](std::uint8_t sign) { return sign == LocalPattern::kBlack || sign == LocalPattern::kWhite; };
  std::stable_sort(made.points.begin(), made.points.end(),
                   [&](const auto& a, const auto& b) { return is_stone(a.sign) > is_stone(b.sign); });
  return made;
}

class PatternSearch {
 public:
  PatternSearch(const RecordedGame& game, const std::vector<PatternForm>& forms)
      : game_(game), forms_(forms), replay_(game) {}

  bool run(PatternFound& found) {
    if (look_everywhere(0, found)) return true;
    for (std::size_t number = 0; number < game_.moves.size(); ++number) {
      const std::uint16_t move = game_.moves[number];
      const int taken = replay_.play(move);
      if (taken < 0) return false;
      const int point = replay_.point_of(move);
      if (point == replay_.num_points()) continue;
      const int after = static_cast<int>(number) + 1;
      if (taken > 0 ? look_everywhere(after, found) : look_around(point, after, found)) return true;
    }
    return false;
  }

 private:
  std::uint8_t sign_at(int row, int column) const {
    if (row < 0 || column < 0 || row >= game_.height || column >= game_.width) return LocalPattern::kOffBoard;
    return static_cast<std::uint8_t>(replay_.stones().color(Replay::L::cell(row, column)));
  }
  bool fits(const PatternForm& form, int row, int column) const {
    return std::all_of(form.points.begin(), form.points.end(), [&](const PatternForm::Point& point) {
      return sign_at(row + point.row, column + point.column) == point.sign;
    });
  }
  // Only where a stone was put can a pattern have come to be.
  bool look_around(int point, int number, PatternFound& found) const {
    const int row = point / game_.width, column = point % game_.width;
    const std::uint8_t sign = sign_at(row, column);
    for (const PatternForm& form : forms_)
      for (const PatternForm::Point& own : form.points)
        if (own.sign == sign && fits(form, row - own.row, column - own.column)) {
          found = {number, form.form, row - own.row, column - own.column};
          return true;
        }
    return false;
  }
  bool look_everywhere(int number, PatternFound& found) const {
    for (const PatternForm& form : forms_)
      for (int row = -form.height + 1; row < game_.height; ++row)
        for (int column = -form.width + 1; column < game_.width; ++column)
          if (fits(form, row, column)) {
            found = {number, form.form, row, column};
            return true;
          }
    return false;
  }

  const RecordedGame& game_;
  const std::vector<PatternForm>& forms_;
  Replay replay_;
};

}  // namespace

bool find_pattern(const RecordedGame& game, const LocalPattern& pattern, bool exchanges_colors, PatternFound& found) {
  std::vector<PatternForm> forms;
  for (int form = 0; form < (exchanges_colors ? 16 : 8); ++form) forms.push_back(pattern_form(pattern, form));
  return PatternSearch(game, forms).run(found);
}

}  // namespace tesuji::go
