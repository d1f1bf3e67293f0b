// What playouts learn from each other: replies and criticality; and the rule that plays remembered replies.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "go/game.hpp"
#include "go/playout_memory.hpp"
#include "go/rule_playout.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

using Nine = Stones<9, kTactical>;
using Game9 = GoGame<9, kTactical>;
constexpr std::size_t kBlack = 0, kWhite = 1;
constexpr std::int16_t kNone = PlayoutMemory::kNone;

PlayoutPolicy policy_with_replies() {
  PlayoutPolicy policy;
  policy.rules = {{Origin::LastGoodReply, 1.0f}};
  return policy;
}

// What the rule finds for black after white's move `last`, if `reply` is remembered as the answer to it.
std::vector<Cell> replies_found(const Picture& rows, int last, std::int16_t reply,
                                SelfAtari self_atari = SelfAtari::Allowed, Cell ko = kPass) {
  Nine stones = stones_from<Nine>(rows);
  if (ko != kPass) stones.set_ko(ko);
  PlayoutMemory memory(static_cast<std::size_t>(stones.num_points()));
  if (reply != kNone) memory.remember(kBlack, static_cast<std::int16_t>(last), reply);
  PlayoutPolicy policy = policy_with_replies();
  policy.self_atari = self_atari;
  Rng rng(1);
  RuleMoves<Nine> rules(stones, policy, rng, &memory);
  const Cell last_cell = Nine::L::cell(last / stones.width(), last % stones.width());
  rules.come_after(last_cell, kPass);
  const Candidates& found = rules.find<Color::Black>(Origin::LastGoodReply);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < found.size(); ++i) cells.push_back(found.cell(i));
  return cells;
}

int num_replies(const PlayoutMemory& memory, int num_points) {
  int count = 0;
  for (std::int16_t to = 0; to < num_points; ++to)
    for (const std::size_t color : {kBlack, kWhite}) count += memory.reply(color, to) != kNone;
  return count;
}

}  // namespace

TEST_CASE("a reply is remembered by colour and move, and forgotten only if it is still the one") {
  PlayoutMemory memory(9);
  CHECK(memory.reply(kBlack, 3) == kNone);
  memory.remember(kBlack, 3, 5);
  CHECK(memory.reply(kBlack, 3) == 5);
  CHECK(memory.reply(kWhite, 3) == kNone);
  CHECK(memory.reply(kBlack, 5) == kNone);
  memory.forget(kBlack, 3, 6);
  CHECK(memory.reply(kBlack, 3) == 5);
  memory.remember(kBlack, 3, 7);
  memory.forget(kBlack, 3, 5);
  CHECK(memory.reply(kBlack, 3) == 7);
  memory.forget(kBlack, 3, 7);
  CHECK(memory.reply(kBlack, 3) == kNone);
}

TEST_CASE("the winner's replies of a playout are remembered, the loser's forgotten, a draw teaches nothing") {
  PlayedMoves played(8, true);  // white moved last, at 8
  played.add(0, Color::Black);
  played.add(1, Color::White);
  played.add(2, Color::Black);
  PlayoutMemory memory(9);
  played.teach(memory, 0.5);
  CHECK(num_replies(memory, 9) == 0);
  played.teach(memory, 1.0);
  CHECK(memory.reply(kBlack, 8) == 0);
  CHECK(memory.reply(kBlack, 1) == 2);
  CHECK(num_replies(memory, 9) == 2);
  memory.remember(kBlack, 1, 4);  // another one since: that one stays
  played.teach(memory, 0.0);
  CHECK(memory.reply(kWhite, 0) == 1);
  CHECK(memory.reply(kBlack, 8) == kNone);
  CHECK(memory.reply(kBlack, 1) == 4);
}

TEST_CASE("passes are no replies and have none") {
  PlayedMoves played(kNone, true);
  played.add(0, Color::Black);
  played.add(kNone, Color::White);
  played.add(1, Color::Black);
  PlayoutMemory memory(9);
  played.teach(memory, 1.0);
  played.teach(memory, 0.0);
  CHECK(num_replies(memory, 9) == 0);
}

TEST_CASE("nobody learns who is not told to, and of a long playout the first moves count") {
  PlayoutMemory memory(1000);
  PlayedMoves deaf(0, false);
  deaf.add(1, Color::Black);
  deaf.teach(memory, 1.0);
  CHECK(num_replies(memory, 1000) == 0);
  PlayedMoves longest(0, true);
  for (std::int16_t move = 1; move < 1000; ++move) longest.add(move, Color::Black);
  longest.teach(memory, 1.0);
  CHECK(num_replies(memory, 1000) == 511);
  CHECK(memory.reply(kBlack, 510) == 511);
}

TEST_CASE("criticality is the winner's share of a point less what chance would give") {
  PlayoutMemory memory(3);
  // Black wins 60 of 100. Point 0 is the winner's always, point 1 black's always, point 2 the loser's always.
  for (int i = 0; i < 100; ++i) {
    const bool black_won = i < 60;
    memory.count_playout(black_won);
    memory.count_owner(0, black_won, black_won);
    memory.count_owner(1, true, black_won);
    memory.count_owner(2, !black_won, black_won);
  }
  CHECK(memory.criticality(0) == doctest::Approx(1.0 - (0.6 * 0.6 + 0.4 * 0.4)));
  CHECK(memory.criticality(1) == doctest::Approx(0.0));
  CHECK(memory.criticality(2) == doctest::Approx(0.0 - (0.4 * 0.6 + 0.6 * 0.4)));
}

TEST_CASE("criticality is nothing while few playouts are known") {
  PlayoutMemory memory(1);
  for (int i = 0; i < 63; ++i) {
    memory.count_playout(i % 2 == 0);
    memory.count_owner(0, i % 2 == 0, i % 2 == 0);
  }
  CHECK(memory.criticality(0) == 0);
  memory.count_playout(false);
  memory.count_owner(0, false, false);
  CHECK(memory.criticality(0) == doctest::Approx(0.5));
}

TEST_CASE("the rule plays a remembered reply where that is acceptable, and nowhere else") {
  const Picture open = {".....", "..O..", ".....", "....."};
  CHECK(replies_found(open, 7, 8) == std::vector<Cell>{Nine::L::cell(1, 3)});
  CHECK(replies_found(open, 7, kNone).empty());
  CHECK(replies_found({".....", "..OX.", ".....", "....."}, 7, 8).empty());           // taken
  CHECK(replies_found({".X...", "X.O..", ".....", "....."}, 7, 0).empty());           // own eye
  CHECK(replies_found({".O...", "O.O..", ".....", "....."}, 7, 0).empty());           // suicide
  CHECK(replies_found(open, 7, 8, SelfAtari::Allowed, Nine::L::cell(1, 3)).empty());  // ko
  CHECK(replies_found({"...O", "...O", "...O", "O..."}, 3, 13, SelfAtari::Never).size() == 1);
  CHECK(replies_found({".O.O", "...O", "...O", "O..."}, 3, 0, SelfAtari::Never).empty());  // self-atari
  CHECK(replies_found({".O.O", "...O", "...O", "O..."}, 3, 0, SelfAtari::Allowed).size() == 1);
}

TEST_CASE("the rule finds nothing for the other colour, after a pass, or without a memory") {
  Nine stones = stones_from<Nine>({".....", "..O..", "....."});
  PlayoutMemory memory(15);
  memory.remember(kBlack, 7, 8);
  const PlayoutPolicy policy = policy_with_replies();
  Rng rng(1);
  const Cell last = Nine::L::cell(1, 2);
  RuleMoves<Nine> rules(stones, policy, rng, &memory);
  rules.come_after(last, kPass);
  CHECK(rules.find<Color::Black>(Origin::LastGoodReply).size() == 1);
  CHECK(rules.find<Color::White>(Origin::LastGoodReply).is_empty());
  rules.come_after(kPass, kPass);
  CHECK(rules.find<Color::Black>(Origin::LastGoodReply).is_empty());
  RuleMoves<Nine> forgetful(stones, policy, rng);
  forgetful.come_after(last, kPass);
  CHECK(forgetful.find<Color::Black>(Origin::LastGoodReply).is_empty());
}

TEST_CASE("playouts of a search teach replies if a rule wants them") {
  for (const bool wants_replies : {false, true}) {
    const Board board(5, 5, {});
    GoContext context(board, 0.5);
    if (wants_replies) context.knowledge.policy = policy_with_replies();
    Rng rng(3);
    for (int i = 0; i < 100; ++i) Game9(board, context).play_out(rng, static_cast<MadeMoves*>(nullptr));
    CHECK((num_replies(*context.memory, 25) > 0) == wants_replies);
  }
}

TEST_CASE("every eighth playout of a search counts who owns what") {
  const Board board(5, 5, {});
  GoContext context(board, 0.5);
  Rng rng(3);
  const auto play = [&](int num_playouts) {
    for (int i = 0; i < num_playouts; ++i) Game9(board, context).play_out(rng, static_cast<MadeMoves*>(nullptr));
  };
  const auto centre = [&] { return context.memory->ownership(12); };
  CHECK(centre() == 0.0f);
  play(1);
  CHECK(std::abs(centre()) == 1.0f);  // one playout, which the centre belongs to somebody in
  const float first = centre();
  play(7);
  CHECK(centre() == first);
  play(8 * 63 - 8);
  CHECK(context.memory->criticality(12) == 0.0f);  // 63 are few
  play(8);
  CHECK(context.memory->criticality(12) != 0.0f);
}

TEST_CASE("priors of critical points are larger by the weight times the criticality") {
  const Board board(3, 1, {});
  GoContext context(board, 0.5);
  PriorWeights& priors = context.knowledge.priors;
  priors.roots = 0;
  priors.pass = 1.0f;
  priors.criticality = 2.0f;
  for (int i = 0; i < 100; ++i) {
    context.memory->count_playout(i % 2 == 0);
    context.memory->count_owner(1, i % 2 == 0, i % 2 == 0);  // the winner's: 1 - 1/2
    context.memory->count_owner(2, i % 2 != 0, i % 2 == 0);  // the loser's: does not count against it
  }
  const std::vector<Move> moves = {0, 1, 2, 3};
  std::vector<float> found(4);
  Game9(board, context).priors(moves, found);
  CHECK(found[1] == doctest::Approx(1.0));
  for (const std::size_t other : {0, 2, 3}) CHECK(found[other] == doctest::Approx(0.5));
}

TEST_CASE("owners are counted anew for another position, replies stay") {
  PlayoutMemory memory(9);
  memory.remember(kBlack, 3, 5);
  memory.count_playout(true);
  memory.count_owner(4, true, true);
  CHECK(memory.ownership(4) == 1);
  memory.forget_owners();
  CHECK(memory.ownership(4) == 0);
  memory.count_playout(false);
  memory.count_owner(4, false, false);
  CHECK(memory.ownership(4) == -1);
  CHECK(memory.reply(kBlack, 3) == 5);
}

TEST_CASE("a memory comes back from its bytes; anything else is refused and changes nothing") {
  PlayoutMemory memory(9);
  memory.remember(0, 4, 7);
  memory.remember(1, 8, 0);
  CHECK(memory.counts_next());
  memory.count_playout(true);
  memory.count_owner(3, true, true);
  const std::vector<std::byte> saved = memory.save();
  PlayoutMemory other(9);
  other.load(saved);
  CHECK(other.save() == saved);
  CHECK(other.reply(0, 4) == 7);
  CHECK(other.reply(1, 4) == PlayoutMemory::kNone);
  CHECK(other.ownership(3) == 1.0f);
  PlayoutMemory fresh(9), larger(16);
  const std::vector<std::byte> empty = fresh.save();
  for (std::size_t length = 0; length < saved.size(); ++length)
    CHECK_THROWS_AS(fresh.load(std::span(saved).first(length)), std::invalid_argument);
  std::vector<std::byte> wrong = saved;
  wrong[4 * 5] = std::byte{200};  // a reply off the board
  wrong[4 * 5 + 1] = wrong[4 * 5 + 2] = wrong[4 * 5 + 3] = std::byte{0};
  CHECK_THROWS_AS(fresh.load(wrong), std::invalid_argument);
  CHECK(fresh.save() == empty);
  CHECK_THROWS_AS(larger.load(saved), std::invalid_argument);
}
