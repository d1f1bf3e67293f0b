// Rules as values. The named rule sets (Chinese, Japanese, ...) live in Python; the core knows only what they consist
// of.
#pragma once

namespace tesuji::go {

enum class Scoring { Area, Territory };
enum class KoRule { Simple, Positional, Situational };

struct Rules {
  Scoring scoring = Scoring::Area;
  KoRule ko = KoRule::Positional;
  bool suicide = false;
  bool pass_stones = false;  // a pass hands a stone to the opponent, and white passes last (AGA)
};

}  // namespace tesuji::go
