// Binds core/genetics: counting, the classifier, panels as a game, and the searches for them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <optional>

#include "bind/arrays.hpp"
#include "genetics/classifier.hpp"
#include "genetics/counts.hpp"
#include "genetics/game.hpp"
#include "genetics/problem.hpp"
#include "genetics/queue.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using namespace tesuji::genetics;
using tesuji::bind::owning_array;
using tesuji::bind::to_array;

namespace {

using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Array3D = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<3>>;
using Progress = std::optional<std::function<bool()>>;

template <class A>
auto span_of(const A& array) {
  return std::span(array.data(), array.size());
}

void check_rows(const Rows& rows, std::size_t num_samples) {
  if (rows.shape(1) != bed_row_bytes(num_samples))
    throw std::invalid_argument("rows have " + std::to_string(rows.shape(1)) + " bytes; " +
                                std::to_string(num_samples) + " individuals need " +
                                std::to_string(bed_row_bytes(num_samples)));
}

Array3D count_genotypes(const GroupMasks& masks, const Rows& rows) {
  check_rows(rows, masks.num_samples());
  const std::size_t num_rows = rows.shape(0);
  std::vector<std::int32_t> counts(num_rows * masks.num_groups() * kNumCodes);
  {
    const nb::gil_scoped_release release;
    masks.count(span_of(rows), num_rows, counts);
  }
  return owning_array<Array3D>(std::move(counts), {num_rows, masks.num_groups(), kNumCodes});
}

bind::Array1D<double> correlations(const Rows& rows, std::size_t num_samples, const Indices& first,
                                   const Indices& second) {
  check_rows(rows, num_samples);
  if (first.size() != second.size()) throw std::invalid_argument("first and second differ in length");
  for (const auto& indices : {first, second})
    for (const std::uint32_t i : span_of(indices))
      if (i >= rows.shape(0)) throw std::invalid_argument("row " + std::to_string(i) + " does not exist");
  std::vector<double> r2(first.size());
  {
    const nb::gil_scoped_release release;
    squared_correlations(span_of(rows), num_samples, span_of(first), span_of(second), r2);
  }
  return to_array(std::move(r2));
}

std::shared_ptr<Classifier> make_classifier(const Rows& rows, const Labels& labels, std::size_t num_groups,
                                            const std::vector<std::pair<Indices, Indices>>& draws, double pseudocount,
                                            double unclassified, Objective objective, double temperature) {
  check_rows(rows, labels.size());
  std::vector<Draw> own;
  for (const auto& [learning, test] : draws) {
    const auto l = span_of(learning), t = span_of(test);
    own.push_back({{l.begin(), l.end()}, {t.begin(), t.end()}});
  }
  const nb::gil_scoped_release release;
  return std::make_shared<Classifier>(span_of(rows), rows.shape(0), span_of(labels), num_groups, own,
                                      ClassifierOptions{pseudocount, unclassified, objective, temperature});
}

void check_model(const Classifier& classifier, const Model& model) {
  for (const Snp snp : model)
    if (snp >= classifier.num_snps()) throw std::invalid_argument("SNP " + std::to_string(snp) + " does not exist");
}

double value_of(const Classifier& classifier, const Model& model) {
  check_model(classifier, model);
  const nb::gil_scoped_release release;
  return classifier.value(model);
}

// A model's log-likelihoods, kept so that SNPs can be added to it.
struct PartialModel {
  std::shared_ptr<Problem> problem;
  Sums sums;
};

std::function<bool()> checked(const Progress& progress) {
  return [&progress] {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !progress || (*progress)();
  };
}

using TreeSearch = Search<PanelGame>;

void run_tree(TreeSearch& search, std::uint64_t simulations, double seconds, const Progress& progress,
              double report_s) {
  const nb::gil_scoped_release release;
  search.run({simulations, seconds, 0, report_s}, checked(progress));
}

void run_queue(QueueSearch& search, std::uint64_t evaluations, double seconds, int num_threads,
               const Progress& progress, double report_s) {
  const nb::gil_scoped_release release;
  search.run(evaluations, seconds, report_s, num_threads, checked(progress));
}

void bind_data(nb::module_& m) {
  nb::class_<GroupMasks>(m, "GroupMasks", "Which individuals belong to which group; counts genotypes by group.")
      .def(
          "__init__",
          [](GroupMasks* self, const Labels& labels, std::size_t num_groups) {
            new (self) GroupMasks(span_of(labels), num_groups);
          },
          "labels"_a, "num_groups"_a, "A group for each individual, or -1.")
      .def("count", &count_genotypes, "rows"_a,
           nb::sig("def count(self, rows: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[numpy.int32]"),
           "[row, group, c]: individuals with c = 0, 1, 2 copies of A1, and (3) missing.");
  m.def("squared_correlations", &correlations, "rows"_a, "num_samples"_a, "first"_a, "second"_a,
        nb::sig("def squared_correlations(rows: numpy.typing.NDArray[numpy.uint8], num_samples: int, first: "
                "numpy.typing.NDArray[numpy.uint32], second: numpy.typing.NDArray[numpy.uint32]) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        "r^2 of pairs of rows, over the individuals for whom both are known.");
}

void bind_classifier(nb::module_& m) {
  nb::enum_<Objective>(m, "Objective")
      .value("NUM_RIGHT", Objective::NumRight)
      .value("BALANCED", Objective::Balanced)
      .value("EXPECTED", Objective::Expected)
      .value("LOG_LOSS", Objective::LogLoss);
  nb::class_<Classifier>(m, "Classifier", "How well SNPs classify, over fixed draws; see tesuji.genetics.")
      .def("value", &value_of, "model"_a, "By the objective; more is better.")
      .def(
          "values_by_draw",
          [](const Classifier& classifier, const Model& model) {
            check_model(classifier, model);
            return classifier.values_by_draw(model);
          },
          "model"_a)
      .def("use_vectors", &Classifier::use_vectors, "wanted"_a, "Off: the code that runs on any processor.")
      .def_prop_ro("uses_vectors", &Classifier::uses_vectors)
      .def_prop_ro("num_snps", &Classifier::num_snps);
  m.def("make_classifier", &make_classifier, "rows"_a, "labels"_a, "num_groups"_a, "draws"_a, "pseudocount"_a,
        "unclassified"_a, "objective"_a, "temperature"_a = 1.0,
        nb::sig("def make_classifier(rows: numpy.typing.NDArray[numpy.uint8], labels: "
                "numpy.typing.NDArray[numpy.int32], num_groups: int, draws: "
                "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.uint32], "
                "numpy.typing.NDArray[numpy.uint32]]], pseudocount: float, unclassified: float, objective: "
                "Objective, temperature: float = 1.0) -> Classifier"));
}

void bind_problem(nb::module_& m) {
  nb::class_<BestPanel>(m, "BestPanel", "A finished panel, its value, and when it was found.")
      .def_ro("value", &BestPanel::value)
      .def_ro("snps", &BestPanel::snps, "Candidates, ascending.")
      .def_ro("seconds", &BestPanel::seconds);
  nb::class_<Problem>(m, "Problem", "A panel to be found.")
      .def(
          "__init__",
          [](Problem* self, std::shared_ptr<Classifier> classifier, std::size_t panel_size, const Model& included,
             const Indices& first, const Indices& second, const std::vector<float>& priors) {
            Conflicts conflicts(classifier->num_snps(), span_of(first), span_of(second));
            new (self) Problem(std::move(classifier), panel_size, included, std::move(conflicts), priors);
          },
          "classifier"_a, "panel_size"_a, "included"_a, "first"_a, "second"_a, "priors"_a,
          "first[i] and second[i] may not be in one panel.")
      .def("narrowed", &Problem::narrowed, "included"_a, "pool"_a, "priors"_a,
           "The same with more SNPs included and fewer to choose from, the most promising first; nothing is found yet.")
      .def(
          "value", [](const Problem& problem, const Model& model) { return value_of(problem.classifier(), model); },
          "model"_a)
      .def(
          "additions",
          [](const Problem& problem, const Model& model, int num_threads) {
            std::vector<double> values;
            {
              const nb::gil_scoped_release release;
              values = problem.additions(model, std::max(1, num_threads));
            }
            return to_array(std::move(values));
          },
          "model"_a, "num_threads"_a = 1,
          nb::sig("def additions(self, model: collections.abc.Sequence[int], num_threads: int = 1) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "The value of each candidate added to a model; NaN for those that may not be added.")
      .def(
          "offer",
          [](const Problem& problem, const Model& model) {
            const double value = value_of(problem.classifier(), model);
            problem.best().count(1);
            if (model.size() == problem.panel_size()) problem.best().offer(value, model);
            return value;
          },
          "model"_a, "Judges a model, and keeps it if it is a panel among the best.")
      .def(
          "best", [](const Problem& problem) { return problem.best().all(); }, "The best panels, best first.")
      .def("improvements", [](const Problem& problem) { return problem.best().improvements(); })
      .def_prop_ro("num_evaluated", [](const Problem& problem) { return problem.best().num_evaluated(); })
      .def_prop_ro("seconds", [](const Problem& problem) { return problem.best().seconds(); });
  nb::class_<PartialModel>(m, "PartialModel", "A model's log-likelihoods, kept so that SNPs can be added.")
      .def(
          "__init__",
          [](PartialModel* self, std::shared_ptr<Problem> problem) {
            Sums sums = problem->classifier().begin();
            new (self) PartialModel{std::move(problem), std::move(sums)};
          },
          "problem"_a)
      .def(
          "add",
          [](PartialModel& self, Snp snp) {
            check_model(self.problem->classifier(), {snp});
            self.problem->classifier().add(self.sums, snp, self.sums);
          },
          "snp"_a)
      .def(
          "add_and_drop",
          [](const PartialModel& self, Snp snp, int repeats) {
            check_model(self.problem->classifier(), {snp});
            Sums sums;
            for (int i = 0; i < repeats; ++i) self.problem->classifier().add(self.sums, snp, sums);
          },
          "snp"_a, "repeats"_a, "Adds a SNP so often, and forgets it: for measurements.")
      .def(
          "value_with",
          [](const PartialModel& self, Snp snp, int repeats) {
            check_model(self.problem->classifier(), {snp});
            double value = 0;
            for (int i = 0; i < repeats; ++i) value = self.problem->classifier().value(self.sums, std::span(&snp, 1));
            return value;
          },
          "snp"_a, "repeats"_a = 1);
}

void bind_searches(nb::module_& m) {
  nb::enum_<Order>(m, "Order").value("INCREASING", Order::Increasing).value("ANY", Order::Any);
  nb::class_<TreeSearch>(m, "TreeSearch", "Monte-Carlo tree search for a panel.")
      .def(
          "__init__",
          [](TreeSearch* self, std::shared_ptr<Problem> problem, Order order, int look, const SearchConfig& config,
             std::uint64_t seed) { new (self) TreeSearch(PanelGame(std::move(problem), {order, look}), config, seed); },
          "problem"_a, "order"_a, "look"_a, "config"_a, "seed"_a)
      .def("run", &run_tree, "simulations"_a, "seconds"_a, "progress"_a = nb::none(), "report_s"_a = 0.2)
      .def("stop", &TreeSearch::stop)
      .def("found", &TreeSearch::found)
      .def("num_walks_to", &TreeSearch::num_walks_to, "depth"_a)
      .def("keep_most_visited", &TreeSearch::keep_most_visited, "depth"_a, "width"_a)
      .def("result", &TreeSearch::result);
  nb::class_<QueueSearch>(m, "QueueSearch", "Greedy queued search for a panel.")
      .def(
          "__init__",
          [](QueueSearch* self, std::shared_ptr<Problem> problem, const std::vector<double>& slopes,
             std::size_t max_models) { new (self) QueueSearch(std::move(problem), slopes, max_models); },
          "problem"_a, "slopes"_a, "max_models"_a)
      .def("run", &run_queue, "evaluations"_a, "seconds"_a, "num_threads"_a, "progress"_a = nb::none(),
           "report_s"_a = 0.2)
      .def_prop_ro("is_exhausted", &QueueSearch::is_exhausted)
      .def_prop_ro("slopes", &QueueSearch::slopes);
}

}  // namespace

void bind_genetics(nb::module_& m) {
  bind_data(m);
  bind_classifier(m);
  bind_problem(m);
  bind_searches(m);
}
