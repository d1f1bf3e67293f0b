// Binds core/go/groups.hpp. Names and defaults of the rows are tesuji.go.knowledge.groups'.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "bind/go_groups.hpp"
#include "go/board.hpp"
#include "go/groups.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using namespace tesuji::go;
using tesuji::bind::GoGroups;

namespace {

// The groups of a board for its side to move: kinds with their moves. Moves that superko forbids are in none.
std::vector<std::pair<int, MoveList>> groups_of(const Board& board, const std::vector<GroupRow>& rows) {
  return with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    const GoContext context(board, 0);
    const GoGame<Capacity> game(board, context);
    MoveList moves;
    game.legal_moves(moves);
    std::erase_if(moves, [&](Move move) { return game.is_forbidden(move); });
    GroupList groups;
    find_groups(game, moves, rows, groups);
    std::vector<std::pair<int, MoveList>> found;
    for (const MoveGroup& group : groups.groups()) found.emplace_back(group.kind, group.moves);
    return found;
  });
}

}  // namespace

void bind_go_groups(nb::module_& m) {
  nb::enum_<Row>(m, "Row", "The rows of table 2.1; tesuji.go.knowledge.groups explains them.")
      .value("BORDER", Row::Border)
      .value("MANHATTAN_ENEMY", Row::ManhattanEnemy)
      .value("MANHATTAN_FRIENDLY", Row::ManhattanFriendly)
      .value("MANHATTAN_TOTAL", Row::ManhattanTotal)
      .value("FRIENDLY_SAVES", Row::FriendlySaves)
      .value("ENEMY_KILLS", Row::EnemyKills)
      .value("ENEMY_NEIGHBOURS", Row::EnemyNeighbours)
      .value("FRIENDLY_NEIGHBOURS", Row::FriendlyNeighbours)
      .value("ENEMY_THREATS", Row::EnemyThreats)
      .value("FRIENDLY_THREATS", Row::FriendlyThreats)
      .value("MANY_LIBERTIES", Row::ManyLiberties)
      .value("CHAINS", Row::Chains)
      .value("FRIENDLY_CHAIN_MAKERS", Row::FriendlyChainMakers)
      .value("ENEMY_CHAIN_MAKERS", Row::EnemyChainMakers);
  nb::class_<GroupRow>(m, "GroupRow",
                       "A row with its parameters; made by tesuji.go.knowledge.groups, which documents them.")
      .def(
          "__init__",
          [](GroupRow* self, Row row, std::uint16_t kind, int distance, int stones, int liberties) {
            new (self) GroupRow{row, kind, distance, stones, liberties};
          },
          "row"_a, "kind"_a, "distance"_a = 0, "stones"_a = 1, "liberties"_a = 1);
  nb::class_<GoGroups>(m, "GoGroups", "Rows, for a search over Go.").def(nb::init<std::vector<GroupRow>>(), "rows"_a);
  m.def("find_groups", &groups_of, "board"_a, "rows"_a,
        "The groups for the side to move, in the order of the rows: their kinds and their moves.");
}
