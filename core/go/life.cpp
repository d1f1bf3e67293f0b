#include "go/life.hpp"

#include <algorithm>

namespace tesuji::go {

namespace {

using L = Board::L;

// A maximal connected set of points that are not of the colour in question.
struct Region {
  std::vector<Cell> cells;
  std::vector<Cell> borders;   // chains of the colour around it
  std::vector<Cell> vital_to;  // those of them that are adjacent to every empty point of the region
};

void add_once(std::vector<Cell>& cells, Cell cell) {
  if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
}

Region grow_region(const Board::AllStones& stones, Color color, Cell first, std::array<bool, L::kCells>& seen) {
  Region region;
  region.cells.push_back(first);
  seen[first] = true;
  for (std::size_t next = 0; next < region.cells.size(); ++next)
    for (const int step : L::kOrthogonal) {
      const auto other = static_cast<Cell>(region.cells[next] + step);
      if (stones.color(other) == Color::OffBoard) continue;
      if (stones.color(other) == color) {
        add_once(region.borders, stones.chain(other));
      } else if (!seen[other]) {
        seen[other] = true;
        region.cells.push_back(other);
      }
    }
  return region;
}

bool touches(const Board::AllStones& stones, Cell cell, Cell chain) {
  return std::any_of(L::kOrthogonal.begin(), L::kOrthogonal.end(),
                     [&](int step) { return stones.chain(static_cast<Cell>(cell + step)) == chain; });
}

std::vector<Region> find_regions(const Board::AllStones& stones, Color color) {
  std::vector<Region> regions;
  std::array<bool, L::kCells> seen{};
  for (int row = 0; row < stones.height(); ++row)
    for (int column = 0; column < stones.width(); ++column) {
      const Cell cell = L::cell(row, column);
      if (stones.color(cell) == color || seen[cell]) continue;
      Region region = grow_region(stones, color, cell, seen);
      for (const Cell chain : region.borders)
        if (std::all_of(region.cells.begin(), region.cells.end(),
                        [&](Cell at) { return stones.color(at) != Color::Empty || touches(stones, at, chain); }))
          region.vital_to.push_back(chain);
      regions.push_back(std::move(region));
    }
  return regions;
}

// Collects the region of an empty point; false as soon as one of its empty points is not a liberty of the chain.
bool grow_vital(const Board::AllStones& stones, Color color, Cell chain, Cell first, std::vector<Cell>& region) {
  region.assign(1, first);
  for (std::size_t next = 0; next < region.size(); ++next)
    for (const int step : L::kOrthogonal) {
      const auto other = static_cast<Cell>(region[next] + step);
      const Color there = stones.color(other);
      if (there == Color::OffBoard || there == color) continue;
      if (std::find(region.begin(), region.end(), other) != region.end()) continue;
      if (there == Color::Empty && !touches(stones, other, chain)) return false;
      region.push_back(other);
    }
  return true;
}

}  // namespace

bool has_two_vital_regions(const Board& board, int point) {
  const Board::AllStones& stones = board.stones();
  const Cell stone = board.cell(point), chain = stones.chain(stone);
  std::vector<Cell> first_region, region;
  Cell at = stone;
  do {
    for (const int step : L::kOrthogonal) {
      const auto liberty = static_cast<Cell>(at + step);
      if (stones.color(liberty) != Color::Empty) continue;
      if (std::find(first_region.begin(), first_region.end(), liberty) != first_region.end()) continue;
      if (!grow_vital(stones, stones.color(stone), chain, liberty, region)) continue;
      if (!first_region.empty()) return true;
      first_region.swap(region);
    }
    at = stones.next_stone(at);
  } while (at != stone);
  return false;
}

// Drops chains with fewer than two vital regions, and regions bordered by a dropped chain, until nothing changes.
UnconditionalLife unconditional_life(const Board& board, Color color) {
  const Board::AllStones& stones = board.stones();
  std::vector<Region> regions = find_regions(stones, color);
  std::vector<Cell> chains;
  for (const Region& region : regions)
    for (const Cell chain : region.borders) add_once(chains, chain);

  const auto is_alive = [&](Cell chain) { return std::find(chains.begin(), chains.end(), chain) != chains.end(); };
  for (bool changed = true; changed;) {
    const auto too_few_regions = [&](Cell chain) {
      return std::count_if(regions.begin(), regions.end(), [&](const Region& region) {
               return std::find(region.vital_to.begin(), region.vital_to.end(), chain) != region.vital_to.end();
             }) < 2;
    };
    const auto num_dropped = std::erase_if(chains, too_few_regions);
    std::erase_if(regions, [&](const Region& region) {
      return !std::all_of(region.borders.begin(), region.borders.end(), is_alive);
    });
    changed = num_dropped > 0;
  }

  UnconditionalLife life;
  for (const Cell chain : chains) {
    Cell stone = chain;
    do {
      life.stones.push_back(board.point(stone));
      stone = stones.next_stone(stone);
    } while (stone != chain);
  }
  for (const Region& region : regions)
    if (!region.vital_to.empty())
      for (const Cell cell : region.cells) life.territory.push_back(board.point(cell));
  std::sort(life.stones.begin(), life.stones.end());
  std::sort(life.territory.begin(), life.territory.end());
  return life;
}

}  // namespace tesuji::go
