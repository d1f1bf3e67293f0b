// The three conditions of Basaldúa, 4.5.2, on scales of all widths; tests/learning holds the tables against a
// reference.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <utility>

#include "learning/win_loss_states.hpp"

using namespace tesuji::learning;

namespace {

template <class State>
std::map<std::pair<std::uint32_t, std::uint32_t>, State> states_of(const WinLossStates<State>& scale) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, State> found;
  for (std::size_t s = 0; s < scale.size(); ++s) {
    const Proportion p = scale.proportion(static_cast<State>(s));
    found[{p.wins, p.trials}] = static_cast<State>(s);
  }
  return found;
}

template <class State>
void check_conditions(const Scale& given) {
  const WinLossStates<State> scale(given);
  auto state = states_of(scale);
  CHECK(state.size() == num_states(given.end));
  CHECK(state[{0, 0}] == 0);
  const State lowest = state[{0, given.end}], highest = state[{given.end, given.end}];
  CHECK(lowest == 1);
  CHECK(highest == scale.size() - 1);
  for (const auto& [proportion, s] : state) {
    const auto [wins, trials] = proportion;
    if (trials > 0) {
      CHECK((s >= scale.at_threshold()) == (double(wins) / trials >= given.threshold));  // 1
      CHECK((s == highest ? scale.after_win(s) == s : scale.after_win(s) > s));          // 2
      CHECK((s == lowest ? scale.after_loss(s) == s : scale.after_loss(s) < s));
    }
    if (trials < given.end) {  // 3
      CHECK(scale.after_win(s) == state[{wins + 1, trials + 1}]);
      CHECK(scale.after_loss(s) == state[{wins, trials + 1}]);
    }
  }
}

}  // namespace

TEST_CASE("win/loss states: the three conditions hold") {
  check_conditions<std::uint8_t>({});
  check_conditions<std::uint8_t>({.end = 1});
  check_conditions<std::uint8_t>({.end = 21, .jump = 0});
  check_conditions<std::uint8_t>({.end = 21, .jump = 2});
  check_conditions<std::uint16_t>({.end = 60, .threshold = 0.625});
  check_conditions<std::uint32_t>({.end = 100, .jump = 1});
}

TEST_CASE("win/loss states: what the source fixes of the jump") {
  const WinLossStates<std::uint8_t> scale(Scale{.jump = 1});
  auto state = states_of(scale);
  CHECK(scale.proportion(scale.after_loss(state[{21, 21}])) == Proportion{10, 10});
  CHECK(scale.proportion(scale.after_win(state[{0, 21}])) == Proportion{0, 10});
}

TEST_CASE("win/loss states: without a jump a saturated state is a counter") {
  const WinLossStates<std::uint8_t> scale(Scale{.jump = 0});
  auto state = states_of(scale);
  for (std::uint32_t wins = 0; wins < 21; ++wins) {
    CHECK(scale.after_win(state[{wins, 21}]) == state[{wins + 1, 21}]);
    CHECK(scale.after_loss(state[{wins + 1, 21}]) == state[{wins, 21}]);
  }
}

TEST_CASE("win/loss states: the nearest state to a rate has the fewest trials") {
  const WinLossStates<std::uint8_t> scale;
  CHECK(scale.proportion(scale.nearest(0.625)) == Proportion{5, 8});
  CHECK(scale.nearest(0.5) == scale.at_threshold());
}

TEST_CASE("win/loss states: what does not fit is refused") {
  CHECK_THROWS_AS(WinLossStates<std::uint8_t>(Scale{.end = 22}), std::invalid_argument);
  CHECK_THROWS_AS(WinLossTables(Scale{.end = 0}), std::invalid_argument);
  CHECK_THROWS_AS(WinLossTables(Scale{.end = kLongestScale + 1}), std::invalid_argument);
  CHECK_THROWS_AS(WinLossTables(Scale{.threshold = 1}), std::invalid_argument);
  CHECK_THROWS_AS(WinLossTables(Scale{.z = 0}), std::invalid_argument);
  CHECK_THROWS_AS(WinLossTables(Scale{.jump = 3}), std::invalid_argument);
}
