#include "go/rule_playout.hpp"

namespace tesuji::go {

template void RuleMoves<Stones<9, kTactical>>::add_moves_of<Color::Black>(Origin);
template Cell RuleChoice<Stones<9, kTactical>>::choose<Color::Black>();
template void RuleMoves<Stones<9, kTactical>>::add_moves_of<Color::White>(Origin);
template Cell RuleChoice<Stones<9, kTactical>>::choose<Color::White>();
template void RuleMoves<Stones<13, kTactical>>::add_moves_of<Color::Black>(Origin);
template Cell RuleChoice<Stones<13, kTactical>>::choose<Color::Black>();
template void RuleMoves<Stones<13, kTactical>>::add_moves_of<Color::White>(Origin);
template Cell RuleChoice<Stones<13, kTactical>>::choose<Color::White>();
template void RuleMoves<Stones<19, kTactical>>::add_moves_of<Color::Black>(Origin);
template Cell RuleChoice<Stones<19, kTactical>>::choose<Color::Black>();
template void RuleMoves<Stones<19, kTactical>>::add_moves_of<Color::White>(Origin);
template Cell RuleChoice<Stones<19, kTactical>>::choose<Color::White>();
template void RuleMoves<Stones<kMaxSize, kTactical>>::add_moves_of<Color::Black>(Origin);
template Cell RuleChoice<Stones<kMaxSize, kTactical>>::choose<Color::Black>();
template void RuleMoves<Stones<kMaxSize, kTactical>>::add_moves_of<Color::White>(Origin);
template Cell RuleChoice<Stones<kMaxSize, kTactical>>::choose<Color::White>();

}  // namespace tesuji::go
