// A search over a native game: the game is put behind the virtual interface, and what is given for its type follows it
// there. Nothing is searched here: see game_search.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "games/groups.hpp"
#include "games/native_game.hpp"
#include "search/game_search.hpp"

namespace tesuji {

// As PathGrouper, for states of one type.
template <Game G>
using NativePathGrouper =
    std::function<void(const G& state, std::span<const Move> moves, std::span<const Move> path, GroupList& groups)>;

template <Game G>
PathGrouper dynamic(NativePathGrouper<G> grouper) {
  return
      [grouper = std::move(grouper)](const DynamicGame& state, std::span<const Move> moves, std::span<const Move> path,
                                     GroupList& groups) { grouper(native<G>(state), moves, path, groups); };
}
template <Game G>
PathGrouper dynamic(Grouper<G> grouper) {
  return [grouper = std::move(grouper)](const DynamicGame& state, std::span<const Move> moves, std::span<const Move>,
                                        GroupList& groups) { grouper(native<G>(state), moves, groups); };
}

template <Game G>
class Search final : public GameSearch {
 public:
  Search(const G& root, const SearchConfig& config, std::uint64_t seed) : GameSearch(dynamic(root), config, seed) {}

  void play_out_by(std::shared_ptr<PlayoutPolicy<G>> policy) { GameSearch::play_out_by(dynamic<G>(std::move(policy))); }
  void group_with(NativePathGrouper<G> grouper, const GroupingOptions& options) {
    GameSearch::group_with(dynamic<G>(std::move(grouper)), options);
  }
  void group_with(Grouper<G> grouper, const GroupingOptions& options) {
    GameSearch::group_with(dynamic<G>(std::move(grouper)), options);
  }

  const G& root_state() const { return native<G>(GameSearch::root_state()); }
};

}  // namespace tesuji
