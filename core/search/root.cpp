#include "search/root.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "search/replay.hpp"

namespace tesuji {

Root::Root(DynamicGame game) : state_(std::move(game)), forbids_(state_.game().game().forbids()) {
  if (this->game().goal() != Goal::TwoPlayers && state_.to_play() != 0)
    throw std::invalid_argument("a game for one player has to_play() 0");
}

void Root::check_it_has_moves() const {
  if (state_.is_over()) throw std::invalid_argument("the game is over at the root: there is nothing to search");
  if (MoveList moves; state_.legal_moves(moves), moves.empty())
    throw std::invalid_argument("the root has no legal move, yet its game is not over");
}

void Root::group_by(PathGrouper grouper, const GroupingOptions& options) {
  finder_ = std::make_unique<GroupFinder>(std::move(grouper), options);
  state_.group_by(finder_.get());
}

void Root::play_out_by(std::shared_ptr<Policy> policy) {
  policy_ = std::move(policy);
  policy_->new_root(game());
}

void Root::play(Move move) {
  if (state_.is_over()) throw std::invalid_argument("the game is over: there is no move to advance by");
  if (!is_legal_move(game(), move))
    throw std::invalid_argument("move " + std::to_string(move) + " is not legal at the root");
  state_.play(move);
  if (policy_) policy_->new_root(game());
}

void Root::save_memory(SearchSnapshot& saved) const {
  if (policy_) saved.policy_memory = policy_->save();
  saved.game_memory = game().game().save_memory();
}

void Root::load_memory(const SearchSnapshot& saved) {
  if (!saved.policy_memory.empty()) {
    if (!policy_) throw std::invalid_argument("its playouts have learnt something; give the playouts it was made with");
    policy_->load(saved.policy_memory);
  }
  if (!saved.game_memory.empty()) state_.game().game().load_memory(saved.game_memory);
}

std::vector<StateKey> Root::replay(const GraphSnapshot& snapshot, bool shares_nodes) const {
  return tesuji::replay(state_, snapshot, shares_nodes);
}

}  // namespace tesuji
