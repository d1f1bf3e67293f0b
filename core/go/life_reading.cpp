#include "go/life_reading.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "go/life.hpp"

namespace tesuji::go {

namespace {

using Number = std::uint32_t;
constexpr Number kInfinite = 1u << 30;
constexpr int kMaxDepth = 250;  // far beyond what a region of forty points needs

Number sum(Number a, Number b) { return std::min(kInfinite, a + b); }

// Proof and disproof number of "the side to move reaches its goal".
struct Numbers {
  Number phi = 1;
  Number delta = 1;
};
constexpr Numbers kWon{0, kInfinite};
constexpr Numbers kLost{kInfinite, 0};

// What is known of positions; a bucket of four, the least worked on gives way.
class Table {
 public:
  explicit Table(std::int64_t max_nodes)
      : entries_(std::bit_ceil(static_cast<std::size_t>(std::clamp<std::int64_t>(2 * max_nodes, 1 << 10, 1 << 21)))) {}

  const Numbers* find(std::uint64_t key) const {
    for (std::size_t i = 0; i < kBucket; ++i)
      if (const Entry& entry = entries_[at(key, i)]; entry.key == key && entry.work > 0) return &entry.numbers;
    return nullptr;
  }

  void put(std::uint64_t key, Numbers numbers, std::uint32_t work) {
    Entry* place = nullptr;
    for (std::size_t i = 0; i < kBucket; ++i) {
      Entry& entry = entries_[at(key, i)];
      if (entry.key == key || entry.work == 0) {
        place = &entry;
        break;
      }
      if (place == nullptr || entry.work < place->work) place = &entry;
    }
    *place = {key, numbers, std::max(1u, work)};
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    Numbers numbers;
    std::uint32_t work = 0;
  };
  static constexpr std::size_t kBucket = 4;

  std::size_t at(std::uint64_t key, std::size_t i) const { return (key + i) & (entries_.size() - 1); }

  std::vector<Entry> entries_;
};

class Reader {
 public:
  Reader(const Board& board, const LifeProblem& problem, std::int64_t max_nodes)
      : board_(board), problem_(problem), max_nodes_(max_nodes), table_(max_nodes) {
    owner_ = board_.color_at(problem.anchor);
    for (int point = 0; point < board_.num_points(); ++point)
      if (problem.region[static_cast<std::size_t>(point)]) region_.push_back(point);
    board_.set_to_play(problem.first);
  }

  LifeAnswer answer() {
    const Numbers root = prove(kInfinite, kInfinite, 0);
    LifeAnswer answer;
    answer.num_nodes = num_nodes_;
    if (root.phi == 0 || root.delta == 0) {
      answer.is_captured = (root.phi == 0) == (problem_.first != owner_);
      follow(answer.line);
    }
    return answer;
  }

 private:
  struct Child {
    int move;
    std::uint64_t key;
    Numbers numbers;
  };

  std::uint64_t key() const {
    const ZobristKey whole = board_.key();
    std::uint64_t folded = 0;
    static_assert(sizeof(whole) % sizeof(folded) == 0);
    std::array<std::uint64_t, sizeof(whole) / sizeof(folded)> words;
    std::memcpy(words.data(), &whole, sizeof(whole));
    for (const std::uint64_t word : words) folded = folded * 0x9E3779B97F4A7C15u + word;
    return folded ^ (static_cast<std::uint64_t>(passes_) * 0xD6E8FEB86659FD93u);
  }

  // The numbers of a position in which nothing is left to read; nothing if it has to be read.
  std::optional<Numbers> ended() const {
    const bool is_owners_turn = board_.to_play() == owner_;
    if (board_.color_at(problem_.anchor) != owner_) return is_owners_turn ? kLost : kWon;
    if (passes_ >= 2 && !problem_.needs_eyes) return is_owners_turn ? kWon : kLost;
    if (passes_ >= 2) return is_owners_turn ? kLost : kWon;
    if (is_safe()) return is_owners_turn ? kWon : kLost;
    return std::nullopt;
  }

  bool is_safe() const {
    const auto& stones = board_.stones();
    const Cell anchor = board_.cell(problem_.anchor);
    Cell stone = anchor;
    do {
      if (problem_.safe[static_cast<std::size_t>(board_.point(stone))]) return true;
      stone = stones.next_stone(stone);
    } while (stone != anchor);
    if (!has_two_vital_regions(board_, problem_.anchor)) return false;
    const auto alive = unconditional_life(board_, owner_).stones;
    return std::binary_search(alive.begin(), alive.end(), problem_.anchor);
  }

  bool may_play(int point, Color mover) const {
    const Legality legality = board_.legality(point, mover);
    if (legality != Legality::Legal && !(legality == Legality::Ko && mover == problem_.ko_favours)) return false;
    const Cell cell = board_.cell(point);
    const auto& stones = board_.stones();
    return !(mover == Color::Black ? stones.is_eye<Color::Black>(cell) : stones.is_eye<Color::White>(cell));
  }

  void make(int move) {
    board_.play(move, board_.to_play());
    passes_before_.push_back(passes_);
    passes_ = move == board_.pass_move() ? passes_ + 1 : 0;
  }

  void take_back() {
    board_.undo();
    passes_ = passes_before_.back();
    passes_before_.pop_back();
  }

  Numbers first_numbers(std::uint64_t key) {
    if (const Numbers* known = table_.find(key)) return *known;
    if (const auto end = ended()) {
      table_.put(key, *end, 1);
      return *end;
    }
    return {};
  }

  std::vector<Child> children() {
    std::vector<Child> found;
    const Color mover = board_.to_play();
    for (const int point : region_)
      if (may_play(point, mover)) add_child(found, point);
    add_child(found, board_.pass_move());
    return found;
  }

  void add_child(std::vector<Child>& found, int move) {
    make(move);
    const std::uint64_t after = key();
    if (std::find(path_.begin(), path_.end(), after) == path_.end())
      found.push_back({move, after, first_numbers(after)});
    take_back();
  }

  // Reads on until one of the numbers reaches its limit, or all is read.
  Numbers prove(Number phi_limit, Number delta_limit, int depth) {
    ++num_nodes_;
    const std::int64_t before = num_nodes_;
    const std::uint64_t here = key();
    if (const auto end = ended()) return *end;
    path_.push_back(here);
    std::vector<Child> moves = children();
    Numbers numbers;
    for (;;) {
      numbers = {kInfinite, 0};
      Number second = kInfinite;
      Child* best = nullptr;
      for (Child& child : moves) {
        numbers.delta = sum(numbers.delta, child.numbers.phi);
        if (child.numbers.delta < numbers.phi || best == nullptr) {
          second = best == nullptr ? kInfinite : numbers.phi;
          numbers.phi = child.numbers.delta;
          best = &child;
        } else {
          second = std::min(second, child.numbers.delta);
        }
      }
      const bool is_over = num_nodes_ >= max_nodes_ || depth >= kMaxDepth;
      if (best == nullptr || is_over || numbers.phi >= phi_limit || numbers.delta >= delta_limit) break;
      const Number others = numbers.delta - std::min(numbers.delta, best->numbers.phi);
      const Number phi_left = delta_limit >= kInfinite ? kInfinite : delta_limit - std::min(delta_limit, others);
      make(best->move);
      best->numbers = prove(phi_left, std::min(phi_limit, sum(second, 1 + second / 4)), depth + 1);
      take_back();
    }
    path_.pop_back();
    table_.put(here, numbers, static_cast<std::uint32_t>(std::min<std::int64_t>(num_nodes_ - before + 1, 1 << 30)));
    return numbers;
  }

  // The line that the table holds: the winner's proved moves, and the answers that were read.
  void follow(std::vector<int>& line) {
    path_.clear();
    while (!ended() && line.size() < 60) {
      path_.push_back(key());
      const std::vector<Child> moves = children();
      const Child* next = nullptr;
      for (const Child& child : moves) {
        const bool wins = child.numbers.delta == 0, loses = child.numbers.phi == 0;
        if (wins && (next == nullptr || next->numbers.delta != 0)) next = &child;
        if (loses && next == nullptr) next = &child;
      }
      if (next == nullptr) return;
      line.push_back(next->move);
      make(next->move);
    }
  }

  Board board_;
  const LifeProblem& problem_;
  std::int64_t max_nodes_;
  Table table_;
  Color owner_ = Color::Black;
  std::vector<int> region_;
  int passes_ = 0;
  std::vector<int> passes_before_;
  std::vector<std::uint64_t> path_;
  std::int64_t num_nodes_ = 0;
};

}  // namespace

LifeAnswer read_life(const Board& board, const LifeProblem& problem, std::int64_t max_nodes) {
  const auto num_points = static_cast<std::size_t>(board.num_points());
  if (problem.region.size() != num_points || problem.safe.size() != num_points)
    throw std::invalid_argument("region and safe must have one flag per point of the board");
  if (problem.anchor < 0 || problem.anchor >= board.num_points() || board.color_at(problem.anchor) == Color::Empty)
    throw std::invalid_argument("there is no stone at the anchor");
  return Reader(board, problem, max_nodes).answer();
}

}  // namespace tesuji::go
