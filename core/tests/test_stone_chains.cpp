// Chains without a board: labels, circular lists, sizes, liberties; and the list of empty points.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "go/empty_points.hpp"
#include "go/stone_chains.hpp"

using namespace tesuji::go;
using Chains = StoneChains<9, true>;
using L = Layout<9>;

namespace {

std::vector<std::size_t> stones_of(const Chains& chains, std::size_t chain) {
  std::vector<std::size_t> stones{chain};
  for (std::size_t stone = chains.next(chain); stone != chain; stone = chains.next(stone)) stones.push_back(stone);
  std::sort(stones.begin(), stones.end());
  return stones;
}

}  // namespace

TEST_CASE("a merge relabels the smaller chain and adds up stones and liberties") {
  Chains chains;
  const std::size_t a = L::cell(4, 4), b = L::cell(4, 5), c = L::cell(4, 7), middle = L::cell(4, 6);
  chains.begin(a, Chains::pair(L::cell(3, 4)));
  CHECK(chains.join(b, a, Chains::pair(L::cell(3, 5))) == a);
  chains.begin(c, Chains::pair(L::cell(3, 7)));
  CHECK(chains.join(middle, b, 0) == a);
  CHECK(chains.merge(a, c) == a);
  CHECK(chains.of(c) == a);
  CHECK(chains.size(a) == 4);
  CHECK(stones_of(chains, a) == std::vector<std::size_t>{a, b, middle, c});
  CHECK(chains.num_pairs(a) == 3);
  CHECK(chains.num_touching(L::cell(3, 4), a) == 1);
  CHECK((chains.liberties(a) >> Chains::kPairBits) ==
        std::uint32_t{L::cell(3, 4)} + L::cell(3, 5) + L::cell(3, 7));  // the sum of their cells
  CHECK(chains.take(a, Chains::pair(L::cell(3, 5))) != 0);
  CHECK(chains.num_pairs(a) == 2);
}

TEST_CASE("what is no stone never runs out of liberties") {
  Chains chains;
  for (int i = 0; i < 1000; ++i) {
    CHECK(chains.take(0, Chains::pair(L::cell(8, 8))) != 0);
    chains.refill();
  }
}

TEST_CASE("empty points are found by their slot, whatever is removed, swapped and added") {
  EmptyPoints<9> empty;
  for (const int row : {0, 1, 2}) empty.add(L::cell(row, row));
  empty.swap(0, 2);
  CHECK(empty.at(0) == L::cell(2, 2));
  empty.remove_at(empty.slot_of(L::cell(1, 1)));
  CHECK(empty.size() == 2);
  empty.add(L::cell(5, 5));
  for (std::size_t slot = 0; slot < empty.size(); ++slot) CHECK(empty.slot_of(empty.at(slot)) == slot);
}
