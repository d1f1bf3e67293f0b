#include <doctest/doctest.h>

#include <string>

#include "go/uct.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

UctAnalysis think(const Board& board, int num_simulations) {
  return uct_search(board, {.num_simulations = num_simulations, .komi = 0.5, .seed = 3},
                    [](const UctAnalysis&) { return true; });
}

}  // namespace

TEST_CASE("every simulation is counted once, and one seed gives one answer") {
  const Board board(5, 5, {});
  const UctAnalysis a = think(board, 2000), b = think(board, 2000);
  int visits = 0;
  for (const UctCandidate& candidate : a.candidates) visits += candidate.visits;
  CHECK(a.num_simulations == 2000);
  CHECK(visits == 2000);
  REQUIRE(a.candidates.size() == b.candidates.size());
  for (std::size_t i = 0; i < a.candidates.size(); ++i) {
    CHECK(a.candidates[i].move == b.candidates[i].move);
    CHECK(a.candidates[i].visits == b.candidates[i].visits);
    CHECK(a.candidates[i].winrate == b.candidates[i].winrate);
  }
}

TEST_CASE("it captures when both chains stand in atari") {
  Board board(4, 2, {});
  Position position{.width = 4, .height = 2, .colors = {}, .to_play = Color::Black};
  for (const char sign : std::string(".XO.XXOO")) position.colors.push_back(sign == 'X' ? 1 : sign == 'O' ? 2 : 0);
  REQUIRE(board.set_up(position));
  const UctAnalysis analysis = think(board, 1000);
  CHECK(analysis.candidates[0].move == 3);
  CHECK(analysis.candidates[0].winrate > 0.9);
}

TEST_CASE("the callback can end a search") {
  const Board board(19, 19, {});
  const UctAnalysis analysis =
      uct_search(board, {.num_simulations = 2'000'000'000, .seed = 1}, [](const UctAnalysis&) { return false; });
  CHECK(analysis.num_simulations > 0);
  CHECK(analysis.num_simulations < 2'000'000'000);
}
