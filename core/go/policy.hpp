// How the players of a playout choose their moves: a list of rules with probabilities, and what no rule may play.
// Rules and sources: docs/algorithms/playouts.md. Named policies are made in src/tesuji/go/knowledge/playouts.py.
#pragma once

#include <cstdint>

#include "go/patterns.hpp"
#include "go/rule_list.hpp"

namespace tesuji::go {

// How rules are put together.
enum class Method : std::uint8_t {
  Ordered,   // the first rule that finds a move plays it (MoGo, Fuego)
  Weighted,  // all rules put moves into one list, large chains more often; one is drawn from it (Pividori 2015)
  Urgency,   // every legal move is weighed by captures, escapes and patterns (Bouzy)
  Skipping,  // as Ordered, but what a rule found and its draw did not play comes before random moves (Basaldúa, 4.6)
};

// Which moves are refused for leaving the own chain with one liberty (Basaldúa, 4.3.3).
enum class SelfAtari : std::uint8_t {
  Allowed,
  Never,
  Small,   // refused from three stones on
  Nakade,  // refused unless the stones have a shape that kills from inside, and no way out
};

struct PlayoutPolicy {
  Method method = Method::Ordered;
  RuleList rules;
  PatternTable patterns;
  SelfAtari self_atari = SelfAtari::Allowed;
  float self_atari_probability = 1;  // of refusing a random move for it; rules always refuse
  bool reads_ladders = false;        // Defend, Escape: do not run where the ladder catches
  bool mends_eyes = false;           // a random move with one empty neighbour goes there instead
  int fill_board_tries = 5;
  int list_limit = 5;            // Weighted: CTE
  float length_coefficient = 3;  // moves of a playout, in points of the board
  int mercy_margin = 0;          // stop when one side has so many stones more; 0: never
  float amaf_share = 10;         // AMAF hears so many moves of a playout, in empty points at its start
  float margin_weight = 0;       // of the margin in the result; the rest is won or lost
  float pattern_urgency = 10;    // Urgency: of a pattern, in stones
  float atari_first = 0.3405f;   // Skipping: the probability of atari tactics after one atari event, ...
  int atari_certain = 8;         // ... and after how many in a row it is 1; linear between (Basaldúa, 4.4.1)
  bool eye_potential = true;     // an eye with an empty diagonal is one; else only if that point is itself an eye

  bool learns_replies() const { return rules.has(Origin::LastGoodReply); }
  // pAT[t], t being the number of atari events in a row.
  float atari_probability(int events) const {
    if (events >= atari_certain) return 1;
    return atari_first + (1 - atari_first) * static_cast<float>(events - 1) / static_cast<float>(atari_certain - 1);
  }
};

}  // namespace tesuji::go
