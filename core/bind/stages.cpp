// Stages of a search that users write: C functions that Numba has compiled, or plain Python functions, which hold the
// GIL while they run. tesuji.search.stages is the public face.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "bind/any_search.hpp"
#include "search/stages.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::AnySearch;

namespace {

struct Held {
  explicit Held(nb::object f) : function(std::move(f)) {}
  ~Held() {
    const nb::gil_scoped_acquire hold;
    function.reset();
  }
  nb::object function;
};

using Numbers32 = nb::ndarray<nb::numpy, const float, nb::ndim<1>>;
using Scores = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

Numbers32 array_of(const float* numbers, std::int32_t size) {
  return Numbers32(numbers, {static_cast<std::size_t>(size)}, nb::none());
}

nb::tuple arguments_of(const NodeView& view) {
  return nb::make_tuple(view.visits_at_node, view.log_visits, view.mean_at_node, array_of(view.visits, view.size),
                        array_of(view.means, view.size), array_of(view.amaf_visits, view.size),
                        array_of(view.amaf_means, view.size), array_of(view.priors, view.size),
                        array_of(view.random, view.size));
}

// What a compiled stage is: the view's numbers, then where the answer goes; 0 if all is well.
using CompiledSelection = std::int32_t (*)(std::int64_t size, float visits_at_node, float log_visits,
                                           float mean_at_node, const float* visits, const float* means,
                                           const float* amaf_visits, const float* amaf_means, const float* priors,
                                           const float* random, float* scores);
using CompiledOrder = std::int32_t (*)(std::int64_t size, const std::int32_t* moves, const float* priors, float* keys);

void require(std::int32_t status, const char* what) {
  if (status != 0)
    throw std::runtime_error(std::string("the compiled ") + what +
                             " raised an exception; give the plain function to see which");
}

// What a stage has to fill is filled with this before.
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

void require_numbers(std::span<const float> filled, const char* what, const char* of) {
  for (std::size_t i = 0; i < filled.size(); ++i)
    if (std::isnan(filled[i]))
      throw std::invalid_argument(std::string("the ") + what + " left nan as the " + of + " " + std::to_string(i + 1) +
                                  " of " + std::to_string(filled.size()) + "; fill all of them with numbers");
}

// What rounding has carried over an end of 0..1 is put back.
float checked_value(float value, const std::string& shown) {
  constexpr float kRounding = 1e-5f;
  if (!(value >= -kRounding && value <= 1 + kRounding))
    throw std::invalid_argument("the back-up rule returned " + shown +
                                "; it must return the node's value for its mover, a number in 0..1");
  return std::clamp(value, 0.0f, 1.0f);
}

SelectionFormula selection_of(const nb::object& stage) {
  if (nb::isinstance<nb::int_>(stage)) {
    const auto function = reinterpret_cast<CompiledSelection>(nb::cast<std::uintptr_t>(stage));
    return [function](const NodeView& v, float* scores) {
      std::fill_n(scores, v.size, kNothing);
      require(function(v.size, v.visits_at_node, v.log_visits, v.mean_at_node, v.visits, v.means, v.amaf_visits,
                       v.amaf_means, v.priors, v.random, scores),
              "selection formula");
      require_numbers({scores, static_cast<std::size_t>(v.size)}, "selection formula", "score");
    };
  }
  auto held = std::make_shared<Held>(stage);
  return [held](const NodeView& view, float* scores) {
    const nb::gil_scoped_acquire hold;
    std::fill_n(scores, view.size, kNothing);
    held->function(*arguments_of(view), Scores(scores, {static_cast<std::size_t>(view.size)}, nb::none()));
    require_numbers({scores, static_cast<std::size_t>(view.size)}, "selection formula", "score");
  };
}

BackUpRule back_up_of(const nb::object& stage) {
  if (nb::isinstance<nb::int_>(stage)) {
    const auto function = reinterpret_cast<CompiledSelection>(nb::cast<std::uintptr_t>(stage));
    return [function](const NodeView& v) {
      float value = 0;
      require(function(v.size, v.visits_at_node, v.log_visits, v.mean_at_node, v.visits, v.means, v.amaf_visits,
                       v.amaf_means, v.priors, v.random, &value),
              "back-up rule");
      return checked_value(value, std::to_string(value));
    };
  }
  auto held = std::make_shared<Held>(stage);
  return [held](const NodeView& view) {
    const nb::gil_scoped_acquire hold;
    const nb::object answer = held->function(*arguments_of(view));
    float value = kNothing;
    nb::try_cast<float>(answer, value);
    return checked_value(value, nb::cast<std::string>(nb::repr(answer)));
  };
}

ExpansionOrder order_of(const nb::object& stage) {
  if (nb::isinstance<nb::int_>(stage)) {
    const auto function = reinterpret_cast<CompiledOrder>(nb::cast<std::uintptr_t>(stage));
    return [function](std::span<const Move> moves, std::span<const float> priors, float* keys) {
      const std::vector<float> zeros(priors.empty() ? moves.size() : 0);
      std::fill_n(keys, moves.size(), kNothing);
      require(function(static_cast<std::int64_t>(moves.size()), moves.data(),
                       priors.empty() ? zeros.data() : priors.data(), keys),
              "expansion order");
      require_numbers({keys, moves.size()}, "expansion order", "key");
    };
  }
  auto held = std::make_shared<Held>(stage);
  return [held](std::span<const Move> moves, std::span<const float> priors, float* keys) {
    const nb::gil_scoped_acquire hold;
    const std::vector<float> zeros(priors.empty() ? moves.size() : 0);
    std::fill_n(keys, moves.size(), kNothing);
    held->function(nb::ndarray<nb::numpy, const Move, nb::ndim<1>>(moves.data(), {moves.size()}, nb::none()),
                   Numbers32(priors.empty() ? zeros.data() : priors.data(), {moves.size()}, nb::none()),
                   Scores(keys, {moves.size()}, nb::none()));
    require_numbers({keys, moves.size()}, "expansion order", "key");
  };
}

void use_stages(AnySearch& search, const nb::object& selection, const nb::object& back_up, const nb::object& order,
                bool wants_random) {
  Stages stages;
  if (!selection.is_none()) stages.selection = selection_of(selection);
  if (!back_up.is_none()) stages.back_up = back_up_of(back_up);
  if (!order.is_none()) stages.order = order_of(order);
  stages.wants_random = wants_random;
  search.search().use(std::move(stages));
}

}  // namespace

void bind_stages(nb::module_& m) {
  m.def("use_stages", &use_stages, "search"_a, "selection"_a.none(), "back_up"_a.none(), "order"_a.none(),
        "wants_random"_a, "Functions, or addresses of C functions, in place of a search's own stages.");
}
