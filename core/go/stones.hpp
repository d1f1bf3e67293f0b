// The stones on the board, with their chains: what a playout needs, and nothing else. No history, no turn, no score
// rule.
//
// Every empty or occupied point carries one word, `near`, that says what stands around it: two bits per orthogonal
// neighbour and a count of the empty, black and white ones. Most questions are one test of that word:
//   - a point with an empty neighbour can be played without looking at ko, suicide or eyes;
//   - a point with neither empty nor enemy neighbours is an eye, up to its diagonals;
//   - the 3x3 code of a point is its own word joined with its northern and southern neighbours' words.
// A cell knows its chain (stone_chains.hpp), so "which chain?" and "surrounded?" are O(1). Liberties are
// pseudo-liberties. With `Tracking::atari` their cells are summed as well, so that "is this chain in atari, and where?"
// is a division and four comparisons; exact liberties are collected by walking the chain, for those who ask.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/attributes.hpp"
#include "go/empty_points.hpp"
#include "go/near.hpp"
#include "go/points.hpp"
#include "go/stone_chains.hpp"

namespace tesuji::go {

// What a board keeps up to date beyond chains; each costs every playout, so each is a choice.
struct Tracking {
  bool keys = false;   // Zobrist keys of the stones
  bool atari = false;  // sums of liberties: atari tests on demand
};
inline constexpr Tracking kLight{};
inline constexpr Tracking kHashed{.keys = true};
inline constexpr Tracking kTactical{.keys = true, .atari = true};

struct RefuseNothing {
  constexpr bool operator()(Cell) const { return false; }
};

template <int Capacity, Tracking Track>
class Stones {
 public:
  using L = Layout<Capacity>;
  static constexpr int kCapacity = Capacity;
  static constexpr Tracking kTracking = Track;

  Stones(int width, int height);

  // Fills the empty board at once, without captures: `color_at(row, column)` says with what. Whether every chain has a
  // liberty is for the caller to ask.
  template <class ColorAt>
  void set_up(ColorAt color_at);
  bool every_chain_has_a_liberty() const;

  int width() const { return width_; }
  int height() const { return height_; }
  int num_points() const { return width_ * height_; }
  int num_empty() const { return static_cast<int>(empty_.size()); }
  Cell empty(int slot) const { return empty_.at(static_cast<std::size_t>(slot)); }
  Cell ko() const { return static_cast<Cell>(ko_); }
  void set_ko(Cell cell) { ko_ = cell; }
  int stone_margin() const { return stone_margin_; }  // black stones minus white stones
  Color color(Cell cell) const { return color_[cell]; }
  const std::uint8_t* colors() const { return reinterpret_cast<const std::uint8_t*>(color_.data()); }
  std::uint32_t around(Cell cell) const { return near_[cell]; }
  ZobristKey key() const
    requires(Track.keys)
  {
    return key_;
  }

  Cell chain(Cell cell) const { return static_cast<Cell>(chains_.of(cell)); }
  Cell next_stone(Cell cell) const { return static_cast<Cell>(chains_.next(cell)); }
  int chain_size(Cell chain) const { return chains_.size(chain); }

  // 16 bits, two per neighbour from the low end: W, E, N, S, NW, NE, SW, SE.
  std::uint32_t code3x3(Cell cell) const { return (near_[cell] & 0xFFu) | (diagonals(cell) << 8); }

  // An own eye: no enemy and no empty neighbour, and diagonals that cannot break it.
  template <Color C>
  bool is_eye(Cell cell) const {
    return (near_[cell] & (near::kAnyEmpty | near::any(opponent(C)))) == 0 &&
           !kFalseEyes.of[index_of(C)][diagonals(cell)];
  }

  // Would a stone of colour C on this empty cell have no liberty, after its captures?
  template <Color C>
  bool is_suicide(Cell cell) const {
    return (near_[cell] & near::kAnyEmpty) == 0 && !lives_after<C>(cell);
  }

  // Puts a stone on an empty cell, captures, and remembers the ko point. Suicide removes the own chain; ko and suicide
  // are not refused here. Returns the number of captured stones.
  template <Color C>
  int play(Cell cell) {
    empty_.remove_at(empty_.slot_of(cell));
    int captured = 0;
    if (near_[cell] & near::kAnyEmpty) {
      captured = put<C, false>(cell, near_[cell]);
    } else {
      captured = put<C, true>(cell, near_[cell]);
      if (chains_.liberties(chains_.of(cell)) == 0) remove<C>(chains_.of(cell));
    }
    return captured;
  }
  int play(Cell cell, Color color) {
    return color == Color::Black ? play<Color::Black>(cell) : play<Color::White>(cell);
  }

  // One step of a light playout: a move uniform over the legal moves that do not fill an own eye and that `refuses`
  // lets pass; kPass if there is none. Points are drawn without replacement: a refused point is swapped behind the ones
  // still in the draw.
  template <Color C, class Rng, class Refuses = RefuseNothing>
  TESUJI_ALWAYS_INLINE Cell play_uniformly(Rng& rng, Refuses refuses = {}) {
    for (Index remaining = empty_.size(); remaining > 0;) {
      const Index slot = rng.below(remaining);
      const Index cell = empty_.at(slot);
      const std::uint32_t word = near_[cell];
      if (word & near::kAnyEmpty) {
        if (!refuses(static_cast<Cell>(cell))) {
          empty_.remove_at(slot);
          put<C, false>(cell, word);
          return static_cast<Cell>(cell);
        }
      } else if (is_playable_when_closed<C>(cell) && !refuses(static_cast<Cell>(cell))) {
        play_closed<C>(slot, cell);
        return static_cast<Cell>(cell);
      }
      empty_.swap(slot, --remaining);
    }
    ko_ = kPass;
    return kPass;
  }

  // The same draw without playing the move; kPass if there is none.
  template <Color C, class Rng, class Refuses>
  Cell draw_uniformly(Rng& rng, Refuses refuses) {
    for (Index remaining = empty_.size(); remaining > 0;) {
      const Index slot = rng.below(remaining);
      const Cell cell = empty_.at(slot);
      const bool is_open = near_[cell] & near::kAnyEmpty;
      if ((is_open || is_playable_when_closed<C>(cell)) && cell != ko_ && !refuses(cell)) return cell;
      empty_.swap(slot, --remaining);
    }
    return kPass;
  }

  void pass() { ko_ = kPass; }

  // Undoes play(cell, color), which removed the stones `removed` of colour `removed_color` (after suicide: the own
  // ones, without `cell` itself) and found `ko` as the ko point.
  template <class Cells>
  void take_back(Cell cell, const Cells& removed, Color removed_color, Cell ko);

  // --- liberties without a walk ---

  // Pairs of a stone of a chain and an empty cell beside it. A cell is in at most four of them, so that more than 4 n
  // pairs mean more than n liberties.
  std::uint32_t num_pairs(Cell chain) const { return chains_.num_pairs(chain); }

  // The only liberty of a chain in atari, or kPass if it has more.
  Cell atari_liberty(Cell chain) const
    requires(Track.atari)
  {
    return cell_of_all(chains_.liberties(chain), chain);
  }
  bool in_atari(Cell chain) const
    requires(Track.atari)
  {
    return atari_liberty(chain) != kPass;
  }

  // The liberties of a chain besides one empty cell, whether that is one of them or not.
  struct Besides {
    int number;  // up to two
    Cell cell;   // if there is one
  };
  Besides liberties_besides(Cell chain, Cell cell) const
    requires(Track.atari)
  {
    const Liberties rest = chains_.liberties(chain) - chains_.num_touching(cell, chain) * Chains::pair(cell);
    if ((rest & Chains::kPairs) == 0) return {0, kPass};
    const Cell only = cell_of_all(rest, chain);
    return only == kPass || only == cell ? Besides{2, kPass} : Besides{1, only};
  }

  // Visits the chains of a colour that are in atari, with their liberties; in the order of the cells that name them.
  template <class Visit>
  void for_each_chain_in_atari(Color color, Visit visit) const
    requires(Track.atari);

  // Puts up to `limit` distinct liberties of a chain into `found`; returns how many. Walks the chain.
  template <class Container>
  int liberties(Cell chain, Container& found, int limit = L::kCells) const;

 private:
  using Chains = StoneChains<Capacity, Track.atari>;
  using Index = typename Chains::Index;
  using Liberties = typename Chains::Liberties;

  // Pairs of a chain that may all lie at one cell: that cell, or kPass. It is their mean, and it touches the chain as
  // often as there are pairs; no other cell does.
  Cell cell_of_all(Liberties pairs_and_sum, Index chain) const {
    const std::uint32_t pairs = pairs_and_sum & Chains::kPairs;
    if (pairs > 4) return kPass;
    const Index cell = (pairs_and_sum >> Chains::kPairBits) / pairs;
    return color_[cell] == Color::Empty && chains_.num_touching(cell, chain) == pairs ? static_cast<Cell>(cell) : kPass;
  }

  std::uint32_t diagonals(Index cell) const {
    return (near_[cell - L::kStride] & 15u) | ((near_[cell + L::kStride] & 15u) << 4);
  }

  static Liberties liberties_of_point(Index cell, std::uint32_t word);
  template <Color C>
  bool lives_after(Index cell) const;
  template <Color C>
  bool is_playable_when_closed(Index cell) const;
  template <Color C>
  TESUJI_NEVER_INLINE int play_closed(Index slot, Index cell);
  template <Color C, bool Closed>
  int put(Index cell, std::uint32_t word);
  template <Color C>
  int remove(Index chain);
  template <Color C>
  Index join_neighbour(Index cell, std::uint32_t word, Liberties liberties);
  template <Color C>
  void turn_neighbours(Index cell, std::uint32_t sign);
  void lift(Index cell);
  void drop(Index cell, Color color);
  template <class Cells>
  void rebuild_chains(const Cells& stones);

  // A list of stones on the stack: never more than there are points.
  struct CellList {
    std::array<Cell, L::kPoints> cells;
    Index size = 0;
    void push_back(Index cell) { cells[size++] = static_cast<Cell>(cell); }
    const Cell* begin() const { return cells.data(); }
    const Cell* end() const { return cells.data() + size; }
  };

  std::array<std::uint32_t, L::kCells> near_;
  Chains chains_;
  EmptyPoints<Capacity> empty_;
  std::array<Color, L::kCells> color_;
  struct None {};
  [[no_unique_address]] std::conditional_t<Track.keys, ZobristKey, None> key_{};
  int stone_margin_ = 0;
  std::uint32_t ko_ = kPass;
  std::uint8_t width_, height_;
};

template <int Capacity, Tracking Track>
Stones<Capacity, Track>::Stones(int width, int height)
    : near_{}, color_{}, width_(static_cast<std::uint8_t>(width)), height_(static_cast<std::uint8_t>(height)) {
  color_.fill(Color::OffBoard);
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const Cell cell = L::cell(row, column);
      color_[cell] = Color::Empty;
      empty_.add(cell);
    }
  const auto color_at = [this](int cell) {
    return cell < 0 || cell >= L::kCells ? Color::OffBoard : color_[static_cast<std::size_t>(cell)];
  };
  for (int cell = 0; cell < L::kCells; ++cell)
    for (int direction = 0; direction < 4; ++direction) {
      const Color color = color_at(cell + L::kOrthogonal[static_cast<std::size_t>(direction)]);
      near_[static_cast<std::size_t>(cell)] +=
          near::is_toward(color, direction) + (color == Color::Empty ? near::kOneEmpty : 0u);
    }
}

// The four neighbours of a cell learn that it turned from empty to C (sign = 1) or back (sign = -1). Seen from the
// western neighbour the cell lies east, and so on.
template <int Capacity, Tracking Track>
template <Color C>
inline void Stones<Capacity, Track>::turn_neighbours(Index cell, std::uint32_t sign) {
  near_[cell - 1] += sign * near::turned(C, 1);
  near_[cell + 1] += sign * near::turned(C, 0);
  near_[cell - L::kStride] += sign * near::turned(C, 3);
  near_[cell + L::kStride] += sign * near::turned(C, 2);
}

// The pairs of a lone stone: as many as it has empty neighbours, at its own cell plus their steps.
template <int Capacity, Tracking Track>
inline auto Stones<Capacity, Track>::liberties_of_point(Index cell, std::uint32_t word) -> Liberties {
  const auto num_empty = static_cast<Liberties>(near::num_empty(word));
  if constexpr (!Track.atari) return num_empty;
  return num_empty * Chains::pair(cell) + (kEmptySteps<Capacity>.of[word & 0xFFu] << Chains::kPairBits);
}

// On a cell without empty neighbours: does a stone of C capture something, or join a chain that keeps a liberty?
// A chain with more than four pseudo-liberties loses none of its last ones here, which settles nearly every case. Most
// cells that are asked about are the enemy's eyes: they have no own neighbour, and need no look at colours.
template <int Capacity, Tracking Track>
template <Color C>
TESUJI_ALWAYS_INLINE bool Stones<Capacity, Track>::lives_after(Index cell) const {
  const std::uint32_t word = near_[cell];
  const auto loses_last = [&](Index chain, std::uint32_t pairs) { return pairs == chains_.num_touching(cell, chain); };
  if ((word & near::any(C)) == 0) {
#pragma GCC unroll 4
    for (int direction = 0; direction < 4; ++direction) {
      const Index chain = chains_.of(cell + Chains::step(direction));
      const std::uint32_t pairs = chains_.num_pairs(chain);
      if (pairs <= 4 && loses_last(chain, pairs)) return true;
    }
    return false;
  }
#pragma GCC unroll 4
  for (int direction = 0; direction < 4; ++direction) {
    const Index chain = chains_.of(cell + Chains::step(direction));
    const std::uint32_t pairs = chains_.num_pairs(chain);
    const bool is_own = near::is(C, word, direction);
    if (pairs > 4 ? is_own : is_own != loses_last(chain, pairs)) return true;
  }
  return false;
}

// May a light playout move on a cell without empty neighbours? Not into an own eye, a ko or suicide.
template <int Capacity, Tracking Track>
template <Color C>
TESUJI_ALWAYS_INLINE bool Stones<Capacity, Track>::is_playable_when_closed(Index cell) const {
  if ((near_[cell] & near::any(opponent(C))) == 0 && !kFalseEyes.of[index_of(C)][diagonals(cell)]) return false;
  return cell != ko_ && lives_after<C>(cell);
}

template <int Capacity, Tracking Track>
template <Color C>
int Stones<Capacity, Track>::play_closed(Index slot, Index cell) {
  empty_.remove_at(slot);
  return put<C, true>(cell, near_[cell]);
}

// Puts a stone on a cell that was just taken from the empty ones. `Closed`: it has no empty neighbour, so a ko may
// arise.
template <int Capacity, Tracking Track>
template <Color C, bool Closed>
TESUJI_ALWAYS_INLINE int Stones<Capacity, Track>::put(Index cell, std::uint32_t word) {
  const Liberties one = Chains::pair(cell);
  constexpr int kMargin = C == Color::Black ? 1 : -1;
  color_[cell] = C;
  stone_margin_ += kMargin;
  if constexpr (Track.keys) key_ ^= kStoneKeys<Capacity>.of[index_of(C)][cell];
  if constexpr (Track.atari) chains_.refill();
  turn_neighbours<C>(cell, 1);
  const Liberties liberties = Closed ? 0 : liberties_of_point(cell, word);
  int captured = 0;
  Index last_captured = kPass;
  const auto take_liberty = [&](Index chain, auto is_own) TESUJI_INLINE_LAMBDA {
    if (chains_.take(chain, one) == 0 && !is_own()) [[unlikely]] {
      captured += remove<opponent(C)>(chain);
      last_captured = chain;
    }
  };
  if ((word & near::any(C)) == 0) {
    chains_.begin(cell, liberties);
#pragma GCC unroll 4
    for (int direction = 0; direction < 4; ++direction)
      take_liberty(chains_.of(cell + Chains::step(direction)), [] { return false; });
    ko_ = Closed && captured == 1 ? static_cast<std::uint32_t>(last_captured) : kPass;
  } else {
    Index own = join_neighbour<C>(cell, word, liberties);
#pragma GCC unroll 4
    for (int direction = 0; direction < 4; ++direction) {
      const Index chain = chains_.of(cell + Chains::step(direction));
      take_liberty(chain, [&] { return near::is(C, word, direction); });
      if (near::is(C, word, direction) && chain != own) own = chains_.merge(own, chain);
    }
    ko_ = kPass;
  }
  return captured;
}

// Adds a stone to the chain of its first own neighbour.
template <int Capacity, Tracking Track>
template <Color C>
TESUJI_ALWAYS_INLINE auto Stones<Capacity, Track>::join_neighbour(Index cell, std::uint32_t word, Liberties liberties)
    -> Index {
  const Index neighbour = near::is(C, word, 0)   ? cell + Chains::step(0)
                          : near::is(C, word, 1) ? cell + Chains::step(1)
                          : near::is(C, word, 2) ? cell + Chains::step(2)
                                                 : cell + Chains::step(3);
  return chains_.join(cell, neighbour, liberties);
}

template <int Capacity, Tracking Track>
template <Color C>
TESUJI_NEVER_INLINE int Stones<Capacity, Track>::remove(Index chain) {
  constexpr int kMargin = C == Color::Black ? 1 : -1;
  Index num_empty = empty_.size();  // locals, written back once: a store in the loop costs twice the instructions
  auto key = key_;
  Index cell = chain;
  do {
    const Index next = chains_.next(cell);
    const Liberties one = Chains::pair(cell);
    color_[cell] = Color::Empty;
    chains_.leave(cell);
    if constexpr (Track.keys) key ^= kStoneKeys<Capacity>.of[index_of(C)][cell];
    turn_neighbours<C>(cell, static_cast<std::uint32_t>(-1));
#pragma GCC unroll 4
    for (int direction = 0; direction < 4; ++direction) chains_.add(chains_.of(cell + Chains::step(direction)), one);
    empty_.add_at(cell, num_empty++);
    cell = next;
  } while (cell != chain);
  key_ = key;
  empty_.set_size(num_empty);
  if constexpr (Track.atari) chains_.refill();
  stone_margin_ -= kMargin * chains_.size(chain);
  return chains_.size(chain);
}

// Takes one stone off, or puts one on, without regard to its own chain, which is to be rebuilt.
template <int Capacity, Tracking Track>
void Stones<Capacity, Track>::lift(Index cell) {
  const Color color = color_[cell];
  if (color == Color::Black) turn_neighbours<Color::Black>(cell, static_cast<std::uint32_t>(-1));
  if (color == Color::White) turn_neighbours<Color::White>(cell, static_cast<std::uint32_t>(-1));
  stone_margin_ -= color == Color::Black ? 1 : -1;
  if constexpr (Track.keys) key_ ^= kStoneKeys<Capacity>.of[index_of(color)][cell];
  color_[cell] = Color::Empty;
  chains_.leave(cell);
  for (int direction = 0; direction < 4; ++direction)
    chains_.add(chains_.of(cell + Chains::step(direction)), Chains::pair(cell));
  chains_.refill();
  empty_.add(cell);
}

template <int Capacity, Tracking Track>
void Stones<Capacity, Track>::drop(Index cell, Color color) {
  empty_.remove_at(empty_.slot_of(cell));
  if (color == Color::Black) turn_neighbours<Color::Black>(cell, 1);
  if (color == Color::White) turn_neighbours<Color::White>(cell, 1);
  stone_margin_ += color == Color::Black ? 1 : -1;
  if constexpr (Track.keys) key_ ^= kStoneKeys<Capacity>.of[index_of(color)][cell];
  color_[cell] = color;
  for (int direction = 0; direction < 4; ++direction)
    chains_.take(chains_.of(cell + Chains::step(direction)), Chains::pair(cell));
  chains_.refill();
}

// Finds the chains of these stones anew. They must be whole chains, or all that is left of some.
template <int Capacity, Tracking Track>
template <class Cells>
void Stones<Capacity, Track>::rebuild_chains(const Cells& stones) {
  std::array<Cell, L::kPoints> waiting;
  for (const Index stone : stones) chains_.forget(stone);
  for (const Index first : stones) {
    if (chains_.is_known(first)) continue;
    chains_.begin(first, liberties_of_point(first, near_[first]));
    Index num_waiting = 0;
    waiting[num_waiting++] = static_cast<Cell>(first);
    while (num_waiting > 0) {
      const Index stone = waiting[--num_waiting];
      for (int direction = 0; direction < 4; ++direction) {
        const Index other = stone + Chains::step(direction);
        if (chains_.is_known(other) || color_[other] != color_[first]) continue;
        chains_.join(other, first, liberties_of_point(other, near_[other]));
        waiting[num_waiting++] = static_cast<Cell>(other);
      }
    }
  }
}

template <int Capacity, Tracking Track>
template <class Cells>
void Stones<Capacity, Track>::take_back(Cell cell, const Cells& removed, Color removed_color, Cell ko) {
  CellList disturbed;
  if (color_[cell] != Color::Empty) {  // after suicide it is empty already
    for (Index stone = chains_.next(cell); stone != cell; stone = chains_.next(stone)) disturbed.push_back(stone);
    lift(cell);
  }
  for (const Index stone : removed) {
    drop(stone, removed_color);
    disturbed.push_back(stone);
  }
  rebuild_chains(disturbed);
  ko_ = ko;
}

template <int Capacity, Tracking Track>
template <class ColorAt>
void Stones<Capacity, Track>::set_up(ColorAt color_at) {
  CellList stones;
  for (int row = 0; row < height_; ++row)
    for (int column = 0; column < width_; ++column) {
      const Color color = color_at(row, column);
      if (color == Color::Empty) continue;
      stones.push_back(L::cell(row, column));
      drop(L::cell(row, column), color);
    }
  rebuild_chains(stones);
}

template <int Capacity, Tracking Track>
bool Stones<Capacity, Track>::every_chain_has_a_liberty() const {
  for (int row = 0; row < height_; ++row)
    for (int column = 0; column < width_; ++column) {
      const Cell cell = L::cell(row, column);
      if (color_[cell] != Color::Empty && chains_.num_pairs(chains_.of(cell)) == 0) return false;
    }
  return true;
}

// Most cells are none that names such a chain. Eight at a time are passed over: the first loop has no branch, and
// compilers make it vector code.
template <int Capacity, Tracking Track>
template <class Visit>
void Stones<Capacity, Track>::for_each_chain_in_atari(Color color, Visit visit) const
  requires(Track.atari)
{
  constexpr Index kBlock = 8;
  std::array<std::uint8_t, (L::kCells + kBlock - 1) / kBlock * kBlock> has_few_pairs{};
  for (Index cell = 0; cell < L::kCells; ++cell)
    has_few_pairs[cell] = static_cast<std::uint8_t>((static_cast<Cell>(chains_.of(cell)) == static_cast<Cell>(cell)) &
                                                    (color_[cell] == color) & (chains_.num_pairs(cell) <= 4));
  for (Index begin = 0; begin < L::kCells; begin += kBlock) {
    std::uint64_t block;
    std::memcpy(&block, has_few_pairs.data() + begin, kBlock);
    if (block == 0) continue;
    for (Index cell = begin; cell < begin + kBlock; ++cell)
      if (has_few_pairs[cell] != 0)
        if (const Cell liberty = atari_liberty(static_cast<Cell>(cell)); liberty != kPass)
          visit(static_cast<Cell>(cell), liberty);
  }
}

template <int Capacity, Tracking Track>
template <class Container>
int Stones<Capacity, Track>::liberties(Cell chain, Container& found, int limit) const {
  std::array<bool, L::kCells> seen{};
  int count = 0;
  Cell stone = chain;
  do {
    for (const int step : L::kOrthogonal) {
      const Cell cell = static_cast<Cell>(stone + step);
      if (color_[cell] != Color::Empty || seen[cell]) continue;
      seen[cell] = true;
      found.push_back(cell);
      if (++count == limit) return count;
    }
    stone = next_stone(stone);
  } while (stone != chain);
  return count;
}

}  // namespace tesuji::go
