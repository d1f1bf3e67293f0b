#include "go/opening_inputs.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "go/stones.hpp"

namespace tesuji::go {

namespace {

constexpr int kBins = 5;
constexpr int kNearby = 3;            // Manhattan distance
constexpr float kPointsAsOne = 10.0;  // of the input for the whole board

int num_inputs_of(Representation representation, int num_numbers) {
  if (representation == Representation::Absent) return 0;
  return representation == Representation::Scalar ? num_numbers : num_numbers * kBins;
}

// The rows of one board: tables of its size, and the stones that are being described.
template <int Capacity>
class InputWriter {
 public:
  using S = Stones<Capacity, kLight>;
  using Points = std::bitset<Capacity * Capacity>;

  InputWriter(int width, int height, const OpeningFeatures& features)
      : width_(width), height_(height), features_(features), near_(num_points()), beside_(num_points()) {
    for (std::size_t a = 0; a < num_points(); ++a)
      for (std::size_t b = 0; b < num_points(); ++b) {
        const int distance = std::abs(row(a) - row(b)) + std::abs(column(a) - column(b));
        if (distance <= kNearby) near_[a].set(b);
        if (distance == 1) beside_[a].set(b);
      }
    make_images();
  }

  std::size_t num_inputs() const {
    return static_cast<std::size_t>(features_.num_inputs(static_cast<int>(num_points())));
  }

  // `zeros` has num_inputs() of them.
  void write(const S& stones, Color friendly, double points_off_board, std::span<float> zeros) {
    read(stones, friendly);
    const std::vector<std::size_t>& image = smallest_image();
    const auto per_point = static_cast<std::size_t>(features_.num_inputs_per_point());
    for (std::size_t point = 0; point < num_points(); ++point)
      if (codes_[point] != 0 && block_of_[point] < 0) find_block(point);
    for (std::size_t point = 0; point < num_points(); ++point)
      write_point(point, image[point], zeros.subspan(image[point] * per_point, per_point));
    zeros.back() = static_cast<float>(points_off_board) / kPointsAsOne;
  }

 private:
  struct Block {
    int liberties, stones, friends, enemies;
  };

  std::size_t num_points() const { return static_cast<std::size_t>(width_ * height_); }
  int row(std::size_t point) const { return static_cast<int>(point) / width_; }
  int column(std::size_t point) const { return static_cast<int>(point) % width_; }

  // Where each point goes under each symmetry that keeps the shape of the board: eight, or four if it is no square.
  void make_images() {
    for (int symmetry = 0; symmetry < (width_ == height_ ? 8 : 4); ++symmetry) {
      std::vector<std::size_t> image(num_points());
      for (std::size_t point = 0; point < num_points(); ++point) {
        int r = row(point), c = column(point);
        if (symmetry & 1) r = height_ - 1 - r;
        if (symmetry & 2) c = width_ - 1 - c;
        if (symmetry & 4) std::swap(r, c);
        image[point] = static_cast<std::size_t>(r * width_ + c);
      }
      std::vector<std::size_t> origin(num_points());
      for (std::size_t point = 0; point < num_points(); ++point) origin[image[point]] = point;
      images_.push_back(std::move(image));
      origins_.push_back(std::move(origin));
    }
  }

  void read(const S& stones, Color friendly) {
    codes_.assign(num_points(), 0);
    block_of_.assign(num_points(), -1);
    blocks_.clear();
    of_[0].reset();
    of_[1].reset();
    for (std::size_t point = 0; point < num_points(); ++point) {
      const Color color = stones.color(S::L::cell(row(point), column(point)));
      if (color == Color::Empty) continue;
      codes_[point] = color == friendly ? 1 : 2;
      of_[codes_[point] - 1].set(point);
    }
    empty_ = ~(of_[0] | of_[1]);
    for (std::size_t point = num_points(); point < empty_.size(); ++point) empty_.reset(point);
  }

  // The symmetry whose image reads smallest, row by row, as empty < friendly < enemy.
  const std::vector<std::size_t>& smallest_image() const {
    std::size_t best = 0;
    for (std::size_t other = 1; other < images_.size(); ++other)
      for (std::size_t place = 0; place < num_points(); ++place) {
        const int a = codes_[origins_[other][place]], b = codes_[origins_[best][place]];
        if (a < b) best = other;
        if (a != b) break;
      }
    return images_[best];
  }

  void find_block(std::size_t first) {
    const Points& own = of_[codes_[first] - 1];
    const Points& others = of_[2 - codes_[first]];
    Points members, touched, close;
    waiting_.assign(1, first);
    members.set(first);
    while (!waiting_.empty()) {
      const std::size_t point = waiting_.back();
      waiting_.pop_back();
      block_of_[point] = static_cast<int>(blocks_.size());
      touched |= beside_[point];
      close |= near_[point];
      for_each_beside(point, [&](std::size_t next) {
        if (!own[next] || members[next]) return;
        members.set(next);
        waiting_.push_back(next);
      });
    }
    const int size = static_cast<int>(members.count());
    blocks_.push_back({static_cast<int>((touched & empty_).count()), size,
                       static_cast<int>((close & own).count()) - size, static_cast<int>((close & others).count())});
  }
  template <class Visit>
  void for_each_beside(std::size_t point, Visit visit) const {
    const auto width = static_cast<std::size_t>(width_);
    if (row(point) > 0) visit(point - width);
    if (row(point) + 1 < height_) visit(point + width);
    if (column(point) > 0) visit(point - 1);
    if (column(point) + 1 < width_) visit(point + 1);
  }

  // What is told of a point: its stone and block where it is, its edges where its image is.
  void write_point(std::size_t point, std::size_t image, std::span<float> zeros) const {
    const int code = codes_[point];
    float* next = zeros.data();
    next[0] = code != 0 ? 1.0f : 0.0f;
    next[1] = code == 1 ? 1.0f : 0.0f;
    next += 2;
    const int r = row(image), c = column(image);
    next = put(next, features_.edges, std::min(c, width_ - 1 - c), kBins - 1, 0);
    next = put(next, features_.edges, std::min(r, height_ - 1 - r), kBins - 1, 0);
    if (code == 0) return;
    const Block& block = blocks_[static_cast<std::size_t>(block_of_[point])];
    next = put(next, features_.liberties, block.liberties, kBins, 1);
    next = put(next, features_.stones, block.stones, kBins, 1);
    next = put(next, features_.nearby, block.friends, kBins - 1, 0);
    put(next, features_.nearby, block.enemies, kBins - 1, 0);
  }
  // A number from `least` on, whose last bin is `most`; returns where the next one goes.
  static float* put(float* zeros, Representation representation, int number, int most, int least) {
    switch (representation) {
      case Representation::Absent:
        return zeros;
      case Representation::Scalar:
        zeros[0] = static_cast<float>(number) / static_cast<float>(most);
        return zeros + 1;
      case Representation::Binary:
        zeros[std::clamp(number, least, most) - least] = 1.0f;
        return zeros + kBins;
    }
    return zeros;
  }

  int width_, height_;
  OpeningFeatures features_;
  std::vector<Points> near_, beside_;
  std::vector<std::vector<std::size_t>> images_, origins_;  // by symmetry: where a point goes, where it comes from
  std::vector<int> codes_, block_of_;                       // 0 empty, 1 friendly, 2 enemy; -1: not found yet
  std::vector<Block> blocks_;
  std::array<Points, 2> of_;
  Points empty_;
  std::vector<std::size_t> waiting_;
};

template <class S>
S stones_in(const Position& position) {
  S stones(position.width, position.height);
  stones.set_up([&](int row, int column) {
    return static_cast<Color>(position.colors[static_cast<std::size_t>(row * position.width + column)]);
  });
  return stones;
}

template <class S>
bool is_playable(const S& stones, const Position& position, int move) {
  const Cell cell = S::L::cell(move / position.width, move % position.width);
  if (stones.color(cell) != Color::Empty || move == position.ko) return false;
  return position.to_play == Color::Black ? !stones.template is_suicide<Color::Black>(cell)
                                          : !stones.template is_suicide<Color::White>(cell);
}

void check_moves(const Position& position, std::span<const int> moves) {
  for (const int move : moves)
    if (move < 0 || move >= position.width * position.height ||
        position.colors[static_cast<std::size_t>(move)] != static_cast<std::uint8_t>(Color::Empty))
      throw std::invalid_argument("move " + std::to_string(move) + " is not an empty point of the board");
}

}  // namespace

int OpeningFeatures::num_inputs_per_point() const {
  return 2 + num_inputs_of(edges, 2) + num_inputs_of(liberties, 1) + num_inputs_of(stones, 1) +
         num_inputs_of(nearby, 2);
}

AfterStates opening_after_states(const Position& position, std::span<const int> moves, bool all,
                                 double points_off_board, const OpeningFeatures& features) {
  if (!all) check_moves(position, moves);
  return with_capacity(position.width, position.height, [&]<int Capacity>() {
    using S = Stones<Capacity, kLight>;
    const S before = stones_in<S>(position);
    AfterStates after{{moves.begin(), moves.end()}, {}};
    if (all) {
      after.moves.clear();
      for (int move = 0; move < position.width * position.height; ++move)
        if (is_playable(before, position, move)) after.moves.push_back(move);
    }
    InputWriter<Capacity> writer(position.width, position.height, features);
    after.inputs.resize(after.moves.size() * writer.num_inputs());
    for (std::size_t i = 0; i < after.moves.size(); ++i) {
      S stones = before;
      const Cell cell = S::L::cell(after.moves[i] / position.width, after.moves[i] % position.width);
      const int captured = stones.play(cell, position.to_play);
      writer.write(stones, position.to_play, points_off_board + captured,
                   std::span(after.inputs).subspan(i * writer.num_inputs(), writer.num_inputs()));
    }
    return after;
  });
}

std::vector<float> opening_inputs(const Position& position, Color friendly, double points_off_board,
                                  const OpeningFeatures& features) {
  return with_capacity(position.width, position.height, [&]<int Capacity>() {
    InputWriter<Capacity> writer(position.width, position.height, features);
    std::vector<float> inputs(writer.num_inputs());
    writer.write(stones_in<Stones<Capacity, kLight>>(position), friendly, points_off_board, inputs);
    return inputs;
  });
}

}  // namespace tesuji::go
