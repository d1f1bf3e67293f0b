#include "search/grouped.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/hashing.hpp"

namespace tesuji {

void GroupFinder::for_each_group(const DynamicGame& state, std::span<const Move> path, const Found& function) const {
  MoveList moves;
  state.legal_moves(moves);
  GroupList found;
  grouper_(state, moves, path, found);
  std::vector<Move> num_of_kind(options_.num_kinds, 0);
  std::vector<bool> is_grouped(static_cast<std::size_t>(state.num_distinct_moves()), false);
  bool has_groups = false;
  for (const MoveGroup& group : found.groups()) {
    if (group.moves.empty()) continue;
    function(code_of(group.kind, num_of_kind, state.num_distinct_moves()), group.moves);
    for (const Move move : group.moves) is_grouped[static_cast<std::size_t>(move)] = true;
    has_groups = true;
  }
  if (!has_groups) return;
  if (!options_.overlap) std::erase_if(moves, [&](Move move) { return is_grouped[static_cast<std::size_t>(move)]; });
  if (!moves.empty()) function(static_cast<Move>(state.num_distinct_moves()), moves);
}

Move GroupFinder::code_of(std::uint16_t kind, std::vector<Move>& num_of_kind, Move num_moves) const {
  if (kind == kCatchAll || kind >= options_.num_kinds)
    throw std::invalid_argument("a grouping named kind " + std::to_string(kind) + "; its kinds are 1.." +
                                std::to_string(options_.num_kinds - 1));
  const Move ordinal = num_of_kind[kind]++;
  if (ordinal >= kMostOfAKind)
    throw std::invalid_argument("a state has more than " + std::to_string(kMostOfAKind) +
                                " groups of one kind; make fewer");
  return num_moves + kind * kMostOfAKind + ordinal;
}

StateKey Grouped::key() const {
  StateKey key = key_of(game_);
  if (is_passage()) key.first = combine(key.first, static_cast<std::uint64_t>(group_) + 1);
  return key;
}

void Grouped::legal_moves(MoveList& moves) const {
  if (finder_ == nullptr) return game_.legal_moves(moves);
  const std::size_t before = moves.size();
  finder_->for_each_group(game_, path_, [&](Move code, std::span<const Move> members) {
    if (!is_passage())
      moves.push_back(code);
    else if (code == group_)
      moves.insert(moves.end(), members.begin(), members.end());
  });
  if (moves.size() == before) game_.legal_moves(moves);
}

void Grouped::play_in_groups(Move move) {
  if (move >= game_.num_distinct_moves()) {
    group_ = move;
    return;
  }
  group_ = kNoMove;
  game_.play(move);
  if (finder_->wants_path()) path_.push_back(move);
}

void Grouped::priors(std::span<const Move> moves, std::span<float> priors, const PriorsOf& priors_of) const {
  if (finder_ == nullptr || moves.empty() || moves[0] < game_.num_distinct_moves()) return priors_of(moves, priors);
  std::vector<std::pair<Move, float>> by_code;
  std::vector<float> of_members;
  finder_->for_each_group(game_, path_, [&](Move code, std::span<const Move> members) {
    of_members.resize(members.size());
    priors_of(members, std::span<float>(of_members));
    by_code.emplace_back(code, *std::max_element(of_members.begin(), of_members.end()));
  });
  for (std::size_t i = 0; i < moves.size(); ++i)
    for (const auto& [code, prior] : by_code)
      if (code == moves[i]) priors[i] = prior;
}

}  // namespace tesuji
