#include "go/groups.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "go/near.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

namespace {

// All chains of a position with their exact liberties, read in one pass.
template <class S>
class ChainTable {
 public:
  struct Chain {
    Cell stone;  // its first one, row by row
    Color color;
    int size;
    bool touches_enemy;
    std::uint16_t first_liberty, num_liberties;
  };

  void read(const S& stones) {
    seen_.fill(kNobody);
    for (int row = 0; row < stones.height(); ++row)
      for (int column = 0; column < stones.width(); ++column) {
        const Cell cell = S::L::cell(row, column);
        const bool is_stone = stones.color(cell) == Color::Black || stones.color(cell) == Color::White;
        if (is_stone && seen_[cell] == kNobody) add(stones, cell);
      }
  }

  std::span<const Chain> chains() const { return {chains_.data(), num_chains_}; }
  const Chain& at(Cell stone) const { return chains_[seen_[stone]]; }
  std::span<const Cell> liberties(const Chain& chain) const {
    return {liberties_.data() + chain.first_liberty, chain.num_liberties};
  }

 private:
  static constexpr std::uint16_t kNobody = 0xFFFF;

  // Stones remember their chain for good, empty cells only which chain touched them last.
  void add(const S& stones, Cell first) {
    const auto number = static_cast<std::uint16_t>(num_chains_);
    Chain& chain = chains_[num_chains_++];
    const Color color = stones.color(first);
    chain = {first, color, stones.chain_size(stones.chain(first)), false, num_liberties_, 0};
    Cell stone = first;
    do {
      seen_[stone] = number;
      chain.touches_enemy |= (stones.around(stone) & near::any(opponent(color))) != 0;
      for (const int step : S::L::kOrthogonal) {
        const auto cell = static_cast<Cell>(stone + step);
        if (stones.color(cell) != Color::Empty || seen_[cell] == number) continue;
        seen_[cell] = number;
        liberties_[num_liberties_++] = cell;
      }
      stone = stones.next_stone(stone);
    } while (stone != first);
    chain.num_liberties = static_cast<std::uint16_t>(num_liberties_ - chain.first_liberty);
  }

  std::array<std::uint16_t, S::L::kCells> seen_;
  std::array<Chain, S::L::kPoints> chains_;
  std::array<Cell, 4 * S::L::kPoints> liberties_;
  std::size_t num_chains_ = 0;
  std::uint16_t num_liberties_ = 0;
};

constexpr bool reads_chains(Row row) {
  switch (row) {
    case Row::Border:
    case Row::ManhattanEnemy:
    case Row::ManhattanFriendly:
    case Row::ManhattanTotal:
    case Row::EnemyNeighbours:
    case Row::FriendlyNeighbours:
      return false;
    default:
      return true;
  }
}

// Answers for one position whether a move of the side to move is in a group. Cells are empty ones.
template <class G>
class Groups {
  using S = typename G::S;
  using Chain = typename ChainTable<S>::Chain;

 public:
  Groups(const G& state, std::span<const GroupRow> rows)
      : stones_(state.stones()),
        me_(state.to_play() == index_of(Color::Black) ? Color::Black : Color::White),
        last_(state.last()),
        before_last_(state.before_last()) {
    if (std::any_of(rows.begin(), rows.end(), [](const GroupRow& row) { return reads_chains(row.row); }))
      table_.read(stones_);
  }

  std::span<const Chain> chains() const { return table_.chains(); }

  bool is_in_chain_group(const GroupRow& row, const Chain& chain) const {
    return chain.size >= row.stones && chain.num_liberties <= row.liberties;
  }
  bool is_liberty_of(const Chain& chain, Cell cell) const {
    const auto liberties = table_.liberties(chain);
    return std::find(liberties.begin(), liberties.end(), cell) != liberties.end();
  }

  // For every row but the chains, which have several groups.
  bool has(const GroupRow& row, Cell cell) const {
    const Color enemy = opponent(me_);
    switch (row.row) {
      case Row::Border:
        return distance_to_edge(cell) <= row.distance;
      case Row::ManhattanEnemy:
        return is_near(cell, last_, row.distance);
      case Row::ManhattanFriendly:
        return is_near(cell, before_last_, row.distance);
      case Row::ManhattanTotal:
        return is_near(cell, last_, row.distance) || is_near(cell, before_last_, row.distance);
      case Row::FriendlySaves:
        return saves(cell, row.stones);
      case Row::EnemyKills:
        return num_captured(cell) >= row.stones;
      case Row::EnemyNeighbours:
        return num_touched(cell, enemy) >= row.stones;
      case Row::FriendlyNeighbours:
        return num_touched(cell, me_) >= row.stones;
      case Row::EnemyThreats:
        return is_threatened_through(cell, enemy, row.liberties);
      case Row::FriendlyThreats:
        return is_threatened_through(cell, me_, row.liberties);
      case Row::ManyLiberties:
        return has_liberties_after(cell, row.liberties);
      case Row::FriendlyChainMakers:
        return makes_chain(cell, me_, row.stones);
      case Row::EnemyChainMakers:
        return makes_chain(cell, enemy, row.stones);
      case Row::Chains:
        break;
    }
    return false;
  }

 private:
  int distance_to_edge(Cell cell) const {
    const int row = S::L::row(cell), column = S::L::column(cell);
    return std::min({row, column, stones_.height() - 1 - row, stones_.width() - 1 - column});
  }
  static bool is_near(Cell cell, Cell other, int distance) {
    if (other == kPass) return false;
    return std::abs(S::L::row(cell) - S::L::row(other)) + std::abs(S::L::column(cell) - S::L::column(other)) <=
           distance;
  }
  int num_touched(Cell cell, Color color) const {
    return static_cast<int>((stones_.around(cell) & near::any(color)) / near::one(color));
  }

  template <class Visit>
  void for_each_chain(Cell cell, Color color, Visit visit) const {
    for_each_chain_around(stones_, cell, color, [&](Cell chain) { visit(table_.at(chain)); });
  }
  template <class Visit>
  void for_each_captured(Cell cell, Visit visit) const {
    for_each_chain(cell, opponent(me_), [&](const Chain& chain) {
      if (chain.num_liberties == 1) visit(chain);
    });
  }
  template <class Visit>
  void for_each_stone(const Chain& chain, Visit visit) const {
    Cell stone = chain.stone;
    do {
      visit(stone);
      stone = stones_.next_stone(stone);
    } while (stone != chain.stone);
  }

  int num_captured(Cell cell) const {
    int captured = 0;
    for_each_captured(cell, [&](const Chain& chain) { captured += chain.size; });
    return captured;
  }

  bool is_threatened_through(Cell cell, Color color, int liberties) const {
    bool found = false;
    for_each_chain(cell, color,
                   [&](const Chain& chain) { found |= chain.num_liberties <= liberties && chain.touches_enemy; });
    return found;
  }

  bool makes_chain(Cell cell, Color color, int stones) const {
    int joined = 0, size = 1;
    for_each_chain(cell, color, [&](const Chain& chain) {
      ++joined;
      size += chain.size;
    });
    return (joined >= 2 || size >= stones) && !is_suicide(cell, color);
  }
  bool is_suicide(Cell cell, Color color) const {
    return color == Color::Black ? stones_.template is_suicide<Color::Black>(cell)
                                 : stones_.template is_suicide<Color::White>(cell);
  }

  // By its own liberty: then its stones need two liberties afterwards. Or by taking stones beside it: then it keeps
  // its liberty and gets theirs.
  bool saves(Cell cell, int stones) const {
    const auto is_in_danger = [&](const Chain& chain) { return chain.num_liberties == 1 && chain.size >= stones; };
    bool extends = false, relieves = false;
    for_each_chain(cell, me_, [&](const Chain& chain) { extends |= is_in_danger(chain); });
    if (extends && has_liberties_after(cell, 2)) return true;
    for_each_captured(cell, [&](const Chain& taken) {
      for_each_stone(taken, [&](Cell stone) {
        for_each_chain(stone, me_, [&](const Chain& chain) {
          relieves |= is_in_danger(chain) && table_.liberties(chain)[0] != cell;
        });
      });
    });
    return relieves;
  }

  // Would the stone's chain have so many liberties, after captures? The count ends there.
  bool has_liberties_after(Cell cell, int wanted) const {
    std::array<Cell, S::L::kPoints> found;
    int size = 0;
    const auto add = [&](Cell liberty) {
      if (size < wanted && liberty != cell &&
          std::find(found.begin(), found.begin() + size, liberty) == found.begin() + size)
        found[static_cast<std::size_t>(size++)] = liberty;
    };
    FewCells<4> joined;
    for (const int step : S::L::kOrthogonal)
      if (stones_.color(static_cast<Cell>(cell + step)) == Color::Empty) add(static_cast<Cell>(cell + step));
    for_each_chain(cell, me_, [&](const Chain& chain) {
      joined.add(stones_.chain(chain.stone));
      for (const Cell liberty : table_.liberties(chain)) add(liberty);
    });
    for_each_captured(cell, [&](const Chain& taken) {
      for_each_stone(taken, [&](Cell stone) {
        for (const int step : S::L::kOrthogonal) {
          const auto other = static_cast<Cell>(stone + step);
          if (other == cell || (stones_.color(other) == me_ && joined.has(stones_.chain(other)))) add(stone);
        }
      });
    });
    return size >= wanted;
  }

  const S& stones_;
  Color me_;
  Cell last_, before_last_;
  ChainTable<S> table_;
};

// The moves that a test accepts, as one group; none if there are none.
template <class G, class Accepts>
void add_group(const G& state, std::span<const Move> moves, std::uint16_t kind, GroupList& groups, Accepts accepts) {
  MoveList* members = nullptr;
  for (const Move move : moves) {
    if (move == state.pass_move() || !accepts(state.cell_of(move))) continue;
    if (members == nullptr) members = &groups.add(kind);
    members->push_back(move);
  }
}

}  // namespace

template <int Capacity, Tracking Track>
void find_groups(const GoGame<Capacity, Track>& state, std::span<const Move> moves, std::span<const GroupRow> rows,
                 GroupList& groups) {
  const Groups<GoGame<Capacity, Track>> at(state, rows);
  for (const GroupRow& row : rows) {
    if (row.row != Row::Chains) {
      add_group(state, moves, row.kind, groups, [&](Cell cell) { return at.has(row, cell); });
      continue;
    }
    for (const auto& chain : at.chains())
      if (at.is_in_chain_group(row, chain))
        add_group(state, moves, row.kind, groups, [&](Cell cell) { return at.is_liberty_of(chain, cell); });
  }
}

using Moves = std::span<const Move>;
using Rows = std::span<const GroupRow>;
template void find_groups(const GoGame<9, kHashed>&, Moves, Rows, GroupList&);
template void find_groups(const GoGame<9, kTactical>&, Moves, Rows, GroupList&);
template void find_groups(const GoGame<13, kHashed>&, Moves, Rows, GroupList&);
template void find_groups(const GoGame<13, kTactical>&, Moves, Rows, GroupList&);
template void find_groups(const GoGame<19, kHashed>&, Moves, Rows, GroupList&);
template void find_groups(const GoGame<19, kTactical>&, Moves, Rows, GroupList&);
template void find_groups(const GoGame<kMaxSize, kHashed>&, Moves, Rows, GroupList&);
template void find_groups(const GoGame<kMaxSize, kTactical>&, Moves, Rows, GroupList&);

}  // namespace tesuji::go
