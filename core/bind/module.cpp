// The extension module tesuji._core: one submodule per folder of the core.
#include <nanobind/nanobind.h>

void bind_games(nanobind::module_& module);
void bind_compiled_games(nanobind::module_& module);
void bind_pgame(nanobind::module_& module);
void bind_pgame_search(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_one_player(nanobind::module_& module);
void bind_independent(nanobind::module_& module);
void bind_stages(nanobind::module_& module);
void bind_playouts(nanobind::module_& module);
void bind_go(nanobind::module_& module);
void bind_go_knowledge(nanobind::module_& module);
void bind_go_m_eval(nanobind::module_& module);
void bind_go_groups(nanobind::module_& module);
void bind_go_search(nanobind::module_& module);
void bind_go_reading(nanobind::module_& module);
void bind_go_opening(nanobind::module_& module);
void bind_go_masters(nanobind::module_& module);
void bind_go_contexts(nanobind::module_& module);
void bind_go_learning(nanobind::module_& module);
void bind_go_planes(nanobind::module_& module);
void bind_learning(nanobind::module_& module);
void bind_packing(nanobind::module_& module);
void bind_genetics(nanobind::module_& module);

NB_MODULE(_core, module) {
  module.doc() = "The native core of Tesuji. Use the Python packages around it; this layer may change without notice.";
  // A search holds its Python game, whose module may hold the search: a cycle that ends with the process.
  nanobind::set_leak_warnings(false);
  // The search first: games have methods that take its config and give a search.
  auto search = module.def_submodule("search", "The search, over any game.");
  bind_one_player(search);
  bind_independent(search);
  bind_search(search);
  auto games = module.def_submodule("games", "Native games.");
  bind_games(games);
  bind_compiled_games(games);
  bind_pgame(games);
  bind_pgame_search(search);
  bind_stages(search);
  bind_playouts(search);
  auto learning = module.def_submodule("learning", "Proportions of wins as small integers.");
  bind_learning(learning);
  auto go = module.def_submodule("go", "The game of Go: board, playouts, counting, life.");
  bind_go(go);
  bind_go_m_eval(go);
  bind_go_knowledge(go);
  bind_go_groups(go);
  bind_go_search(go);
  bind_go_reading(go);
  bind_go_opening(go);
  bind_go_masters(go);
  bind_go_contexts(go);
  bind_go_learning(go);
  bind_go_planes(go);
  auto packing = module.def_submodule("packing", "Packing rectangles on strips and sheets.");
  bind_packing(packing);
  auto genetics = module.def_submodule("genetics", "Panels of SNPs: counting, classifying, searching.");
  bind_genetics(genetics);
}
