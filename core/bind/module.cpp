// The extension module tesuji._core: one submodule per folder of the core.
#include <nanobind/nanobind.h>

void bind_go(nanobind::module_& module);

NB_MODULE(_core, module) {
  module.doc() = "The native core of Tesuji. Use the Python packages around it; this layer may change without notice.";
  auto go = module.def_submodule("go", "The game of Go: board, playouts, counting, life, a first UCT.");
  bind_go(go);
}
