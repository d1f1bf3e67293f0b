// Games as C functions over a record. How Python makes them is tested in tests/games/test_compiled.py.
#include "games/compiled.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "search/search.hpp"

using namespace tesuji;

namespace {

// Nim as a record: who takes the last stone of a heap wins; a move takes one to three.
struct Record {
  std::int32_t heap, to_play;
};

const Record& at(const std::byte* record) { return *reinterpret_cast<const Record*>(record); }

CompiledRules nim() {
  CompiledRules rules;
  rules.record_bytes = sizeof(Record);
  rules.num_distinct_moves = 3;
  rules.to_play = [](const std::byte* record, std::int32_t* player) { return *player = at(record).to_play, 0; };
  rules.is_over = [](const std::byte* record, std::int32_t* over) { return *over = at(record).heap == 0, 0; };
  rules.value = [](const std::byte* record, double* value) { return *value = at(record).to_play == 1, 0; };
  rules.legal_moves = [](const std::byte* record, Move* moves, std::int32_t* count) {
    for (*count = 0; *count < std::min(3, at(record).heap); ++*count) moves[*count] = *count;
    return 0;
  };
  rules.play = [](std::byte* record, Move move) {
    auto& nim = *reinterpret_cast<Record*>(record);
    if (move >= nim.heap) return 1;
    nim.heap -= move + 1;
    nim.to_play ^= 1;
    return 0;
  };
  rules.playout = [](std::byte* record, std::uint64_t*, Move*, std::uint64_t*, std::uint64_t*, std::int32_t,
                     double* value) { return *value = at(record).heap % 2, 0; };
  rules.fail = [](const CompiledRules::Failure& failure) {
    throw std::runtime_error(std::string(failure.function) + " " + std::to_string(failure.move) + " at a heap of " +
                             std::to_string(at(failure.record.data()).heap));
  };
  return rules;
}

std::span<const std::byte> bytes_of(const Record& record) { return std::as_bytes(std::span(&record, 1)); }

}  // namespace

TEST_CASE("a compiled game plays, copies and hashes by its record") {
  const CompiledRules rules = nim();
  CompiledGame game(rules, bytes_of({5, 0}));
  const CompiledGame before = game;
  game.play(1);
  CHECK(at(game.record().data()).heap == 3);
  CHECK(at(before.record().data()).heap == 5);
  CHECK(game.to_play() == 1);
  CHECK(game.hash() != before.hash());
  CHECK(CompiledGame(rules, bytes_of({3, 1})).hash() == game.hash());
  CHECK_THROWS_WITH(CompiledGame(rules, {}), doctest::Contains("0 bytes is given"));
}

TEST_CASE("a status that is not 0 is told with the record before the call") {
  const CompiledRules rules = nim();
  CompiledGame game(rules, bytes_of({2, 0}));
  CHECK_THROWS_WITH(game.play(2), "play 2 at a heap of 2");
}

TEST_CASE("a search over a compiled game proves it") {
  const CompiledRules rules = nim();
  SearchConfig config;
  config.solver = true;
  config.num_threads = 2;
  Search<CompiledGame> search(CompiledGame(rules, bytes_of({14, 0})), config, 1);
  search.run({.simulations = 100'000}, [] { return true; });
  CHECK(search.result().proof == 3);
  CHECK(search.result().main_line.at(0) == 1);  // leaves a multiple of four
}

TEST_CASE("records larger than a state's own room live elsewhere") {
  CompiledRules rules = nim();
  rules.record_bytes = 1000;
  std::array<std::byte, 1000> record{};
  const Record nim_record{7, 0};
  std::memcpy(record.data(), &nim_record, sizeof nim_record);
  CompiledGame game(rules, record);
  CompiledGame copy = game;
  copy.play(0);
  CHECK(at(game.record().data()).heap == 7);
  CHECK(at(copy.record().data()).heap == 6);
  const CompiledGame moved = std::move(copy);
  CHECK(at(moved.record().data()).heap == 6);
}
