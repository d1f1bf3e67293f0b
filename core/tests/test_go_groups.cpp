// Go's groups of moves: the two kinds of boards find the same ones, with moves of the list only. Pictures of every row
// are in tests/go.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/rng.hpp"
#include "go/groups.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

std::vector<GroupRow> all_rows() {
  std::vector<GroupRow> rows;
  for (int row = 0; row <= static_cast<int>(Row::EnemyChainMakers); ++row)
    rows.push_back({.row = static_cast<Row>(row),
                    .kind = static_cast<std::uint16_t>(row + 1),
                    .distance = 2,
                    .stones = 2,
                    .liberties = 3});
  return rows;
}

template <class G>
GroupList groups_of(const G& game, const MoveList& moves) {
  GroupList groups;
  find_groups(game, moves, all_rows(), groups);
  return groups;
}

}  // namespace

TEST_CASE("go groups: boards with and without atari counts agree through a game") {
  const Board board(9, 9, Rules{});
  const GoContext context(board, 7);
  GoGame<9> light(board, context);
  GoGame<9, kTactical> tactical(board, context);
  Rng rng(1);
  for (int turn = 0; turn < 200 && !light.is_over(); ++turn) {
    MoveList moves;
    light.legal_moves(moves);
    const GroupList from_light = groups_of(light, moves), from_tactical = groups_of(tactical, moves);
    REQUIRE(from_light.groups().size() == from_tactical.groups().size());
    for (std::size_t i = 0; i < from_light.groups().size(); ++i) {
      const MoveGroup &group = from_light.groups()[i], &other = from_tactical.groups()[i];
      CHECK(group.kind == other.kind);
      CHECK(group.moves == other.moves);
      CHECK_FALSE(group.moves.empty());
      for (const Move move : group.moves) {
        CHECK(move != light.pass_move());
        CHECK(std::find(moves.begin(), moves.end(), move) != moves.end());
      }
    }
    const Move move = moves[rng.below(moves.size())];
    light.play(move);
    tactical.play(move);
  }
}

TEST_CASE("go groups: no rows, no groups") {
  const Board board(13, 13, Rules{});
  const GoContext context(board, 7);
  const GoGame<13> game(board, context);
  GroupList groups;
  find_groups(game, {}, {}, groups);
  CHECK(groups.groups().empty());
}
