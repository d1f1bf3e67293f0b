// What rules of playouts find in pictures, and that they make legal moves only. More pictures of every rule are in
// tests/go/knowledge/test_playout_rules.py.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "go/board.hpp"
#include "go/rule_playout.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

using Nine = Stones<9, kTactical>;

constexpr Color kBlack = Color::Black;

Cell at(int row, int column) { return Nine::L::cell(row, column); }

// What black finds after the last move.
struct Found {
  std::vector<Cell> cells;
  std::uint32_t weight;
};
Found found_by(Origin rule, const Picture& rows, Cell last = kPass) {
  const Nine stones = stones_from<Nine>(rows);
  const PlayoutPolicy policy;
  Rng rng(1);
  RuleMoves<Nine> rules(stones, policy, rng);
  rules.come_after(last, kPass);
  const Candidates& found = rules.find<kBlack>(rule);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < found.size(); ++i) cells.push_back(found.cell(i));
  return {cells, found.weight()};
}

}  // namespace

TEST_CASE("an escape that captures is one move, worth the stones that it saves and takes") {
  // Black's stone on the left runs to where it takes the two above it.
  const Found found = found_by(Origin::Escape, {"OOX..", "X....", "O....", "....."});
  CHECK(found.cells == std::vector<Cell>{at(1, 1)});
  CHECK(found.weight == 1 + 2);
}

TEST_CASE("an escape that captures two attackers at once is one move") {
  const Found found = found_by(Origin::Escape, {"OOX..", "X....", "OOX..", "XX...", "....."});
  CHECK(found.cells == std::vector<Cell>{at(1, 1)});
  CHECK(found.weight == 1 + 2 + 2);
}

TEST_CASE("a chain that flees to a friend with three liberties elsewhere is not attacked") {
  // White's stone at the top has two liberties. Whichever black takes, it flees by the other to its friends below, who
  // keep more than three: both of these points are liberties of theirs, too.
  const Found found = found_by(Origin::LowLiberties,
                               {
                                   "X.O.X....",  //
                                   "XOXOX....",  //
                                   "XOXOX....",  //
                                   ".O.O.....",  //
                                   ".OOO.....",  //
                                   ".........",  //
                               },
                               at(0, 2));
  CHECK(found.cells.empty());
}

// --- playouts ---

namespace {

PlayoutPolicy policy_with(Method method, SelfAtari self_atari, bool reads_ladders) {
  PlayoutPolicy policy;
  policy.method = method;
  std::vector<RuleUse> uses;
  for (std::size_t rule = 0; rule < kNumRules; ++rule) uses.push_back({static_cast<Origin>(rule), 0.7f});
  policy.rules = RuleList(uses);
  std::vector<std::uint8_t> bits(PatternTable::kCodes);
  Rng rng(5);
  for (std::uint8_t& bit : bits) bit = static_cast<std::uint8_t>(rng.below(4));  // any patterns will do
  policy.patterns = PatternTable(bits);
  policy.self_atari = self_atari;
  policy.self_atari_probability = 0.8f;
  policy.reads_ladders = reads_ladders;
  policy.mends_eyes = reads_ladders;
  return policy;
}

// Plays out and asks a board with simple ko whether each move is legal.
template <int Capacity>
void check_legality(int width, int height, const PlayoutPolicy& policy, std::uint64_t seed) {
  using S = Stones<Capacity, kTactical>;
  S stones(width, height);
  Board judge(width, height, Rules{Scoring::Area, KoRule::Simple, false, false});
  Rng rng(seed);
  int moves = 0, passes = 0;
  RulePlayout<S>(stones, policy, rng).run(kBlack, 0, kPass, kPass, [&](Cell cell, Color color, Origin origin) {
    const int move = cell == kPass ? width * height : S::L::row(cell) * width + S::L::column(cell);
    REQUIRE(judge.legality(move, color) == Legality::Legal);
    REQUIRE((origin == Origin::Pass) == (cell == kPass));
    judge.play(move, color);
    passes = cell == kPass ? passes + 1 : 0;
    ++moves;
  });
  REQUIRE((passes == 2 || moves == static_cast<int>(policy.length_coefficient * static_cast<float>(width * height))));
}

}  // namespace

TEST_CASE("playouts make legal moves only, whatever the policy and the size") {
  for (const Method method : {Method::Ordered, Method::Weighted, Method::Urgency})
    for (const SelfAtari self_atari : {SelfAtari::Allowed, SelfAtari::Never, SelfAtari::Small, SelfAtari::Nakade})
      for (const bool reads_ladders : {false, true}) {
        const PlayoutPolicy policy = policy_with(method, self_atari, reads_ladders);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          for (int width = 1; width <= 4; ++width)
            for (int height = 1; height <= 4; ++height) check_legality<9>(width, height, policy, seed);
          check_legality<9>(1, 9, policy, seed);
          check_legality<9>(7, 5, policy, seed);
          check_legality<9>(9, 9, policy, seed);
        }
        check_legality<19>(19, 5, policy, 2);
        check_legality<19>(19, 19, policy, 3);
        check_legality<25>(25, 25, policy, 4);
        check_legality<25>(3, 25, policy, 5);
      }
}
