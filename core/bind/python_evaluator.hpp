// A Python function as an evaluator: arrays (or objects) out, arrays in. Only the call itself holds the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/python_game.hpp"
#include "games/dynamic.hpp"
#include "search/evaluate.hpp"

namespace tesuji::bind {

// Arrays of one state each, as one array with a dimension more; or a list of objects.
inline nb::object states_of(Leaves& leaves) {
  if (!leaves.shape.empty()) {
    std::vector<std::size_t> shape = leaves.shape;
    shape.insert(shape.begin(), leaves.size());
    auto owned = std::make_unique<std::vector<std::uint8_t>>(std::move(leaves.arrays));
    std::uint8_t* const data = owned->data();
    const nb::capsule owner(owned.release(),
                            [](void* p) noexcept { delete static_cast<std::vector<std::uint8_t>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data, shape.size(), shape.data(), owner));
  }
  nb::list states;
  for (const DynamicGame& state : leaves.states) {
    const auto* const game = dynamic_cast<const PythonGame*>(&state.game());
    if (game == nullptr)
      throw std::invalid_argument(
          "this game cannot be shown to an evaluator: give it array_shape() and encode() in C++");
    states.append(game->object());
  }
  return states;
}

inline std::vector<float> numbers_in(nb::handle array) {
  if (array.is_none()) return {};
  const auto numbers = nb::cast<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>(array);
  return {numbers.data(), numbers.data() + numbers.size()};
}

// `function(states, to_play, num_distinct_moves)` returns a pair of float32 arrays or None: values and priors
// (tesuji.search.evaluator checks them).
inline Evaluator python_evaluator(nb::object function, int num_distinct_moves) {
  struct Held {
    explicit Held(nb::object f) : function(std::move(f)) {}
    ~Held() {
      const nb::gil_scoped_acquire hold;
      function.reset();
    }
    nb::object function;
  };
  auto held = std::make_shared<Held>(std::move(function));
  return [held, num_distinct_moves](Leaves& leaves) -> Evaluations {
    const nb::gil_scoped_acquire hold;
    std::vector<std::int8_t> to_play = leaves.to_play;
    const nb::object states = states_of(leaves);
    const nb::object answer = held->function(states, to_array(std::move(to_play)), num_distinct_moves);
    return {numbers_in(answer[0]), numbers_in(answer[1])};
  };
}

}  // namespace tesuji::bind
