// Binds the search over Go: what a board, with or without an engine's knowledge, makes of a config and a seed.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "bind/any_search.hpp"
#include "bind/go_groups.hpp"
#include "go/game.hpp"
#include "go/knowledge.hpp"
#include "go/learning_playouts.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::AnySearch;

namespace {

void check_go(const go::Board& board, const SearchConfig& config) {
  if (config.solver && board.rules().scoring == go::Scoring::Territory)
    throw std::invalid_argument(
        "the solver proves by area; territory rules agree on dead stones instead: use area rules");
  if (config.solver && shares_nodes(config.graph) && board.rules().ko != go::KoRule::Simple)
    throw std::invalid_argument("under superko a proof holds on its path only, and a dag shares it: use graph='tree'");
}

void check_knowledge(const SearchConfig& config) {
  if (shares_nodes(config.graph) && columns_for(config).prior)
    throw std::invalid_argument(
        "the priors of Go look at the last moves, which a node with several parents does not have: use graph='tree' or "
        "'shared-values', or leave prior out");
}

template <go::Tracking Track>
std::unique_ptr<AnySearch> search_in_context(const go::Board& board, const std::shared_ptr<go::GoContext>& context,
                                             const SearchConfig& config, std::uint64_t seed) {
  check_go(board, config);
  return go::with_capacity(board.width(), board.height(), [&]<int Capacity>() -> std::unique_ptr<AnySearch> {
    using G = go::GoGame<Capacity, Track>;
    return bind::search_over(G(board, *context), config, seed, context);
  });
}

std::unique_ptr<AnySearch> search_over_go(const go::Board& board, double komi, const SearchConfig& config,
                                          std::uint64_t seed) {
  return search_in_context<go::kHashed>(board, std::make_shared<go::GoContext>(board, komi), config, seed);
}

std::unique_ptr<AnySearch> search_with_knowledge(const go::Board& board, double komi, const go::Knowledge& knowledge,
                                                 std::shared_ptr<go::PlayoutMemory> memory,
                                                 std::shared_ptr<go::LearningTables> learnt, const SearchConfig& config,
                                                 std::uint64_t seed) {
  if (memory->num_points() != static_cast<std::size_t>(board.num_points()))
    throw std::invalid_argument("the memory of playouts is that of another board");
  check_knowledge(config);
  auto context = std::make_shared<go::GoContext>(board, komi);
  context->knowledge = knowledge;
  context->memory = std::move(memory);
  std::unique_ptr<AnySearch> search = search_in_context<go::kTactical>(board, context, config, seed);
  if (learnt != nullptr)  // playouts that learn instead of the rules alone
    search->search().play_out_by(go::learning_playouts(board, std::move(learnt), knowledge.policy));
  return search;
}

// As the table of known positions names it: rotations share it.
std::pair<std::uint64_t, std::uint32_t> image_key(const go::Board& board) {
  return go::with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    const go::GoContext context(board, 0);
    const go::GoGame<Capacity> state(board, context);
    const StateKey key = typename go::GoGame<Capacity>::ImageKeys(state).key(state);
    return std::pair(key.first, key.second);
  });
}

}  // namespace

void bind_go_search(nb::module_& m) {
  m.def("make_search", &search_over_go, "board"_a, "komi"_a, "config"_a, "seed"_a,
        "A search with light playouts and without priors.");
  m.def("image_key", &image_key, "board"_a, "The two keys that the rotations of a position share.");
  m.def("make_search_with_knowledge", &search_with_knowledge, "board"_a, "komi"_a, "knowledge"_a, "memory"_a,
        "learnt"_a.none(), "config"_a, "seed"_a,
        "A search with an engine's playouts and priors; playouts learn where there are tables for it.");
}
