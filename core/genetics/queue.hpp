// GrQS, the greedy queued search of section 5.7.2 of the source (docs/algorithms/snp-panels.md): best-first over models
// of any size, by estimated values
//
//   estimate = value of the parent + slope(SNPs of the parent) * prior of the SNP that is added    (5.45)
//
// Children of one parent come in the order of their ranks, so the queue holds a parent once, with the next child that
// it would have: the queue is as good as infinite. Given slopes are used as they are. Otherwise the slopes are fitted
// to the gains seen, and every size of model gets the same share of the evaluations.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "genetics/problem.hpp"

namespace tesuji::genetics {

class QueueSearch {
 public:
  using Progress = std::function<bool()>;

  // `slopes`: one for each number of SNPs a parent may have, or none to tune them.
  QueueSearch(std::shared_ptr<const Problem> problem, std::vector<double> slopes, std::size_t max_models);

  // Until so many models are evaluated, so many seconds have passed (0: no such limit), nothing is left, or `progress`
  // says no. May be called again.
  void run(std::uint64_t evaluations, double seconds, double report_s, int num_threads, const Progress& progress);
  bool is_exhausted() const;
  std::vector<double> slopes() const;

 private:
  struct Parent {
    double value;
    Model snps;
    Snp next;  // the place in the pool of the child that comes next
  };
  struct Entry {
    double estimate;
    std::uint64_t order;  // of equal estimates, the earlier
    std::unique_ptr<Parent> parent;
  };
  struct Depth {
    std::vector<Entry> heap;
    std::uint64_t num_evaluated = 0;
    // For the slope: sums over the children seen.
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  };
  struct Task {
    std::size_t depth = 0;
    std::unique_ptr<Parent> parent;
    Snp child = 0;
  };

  bool take(Task& task);
  void give_back(Task task, double value);
  void push(std::size_t depth, std::unique_ptr<Parent> parent);
  double slope(std::size_t depth) const;
  bool skip_to_legal(Parent& parent) const;
  std::size_t depth_to_serve() const;
  static bool is_worse(const Entry& a, const Entry& b) {
    return a.estimate != b.estimate ? a.estimate < b.estimate : a.order > b.order;
  }

  const std::shared_ptr<const Problem> problem_;
  const std::vector<double> given_slopes_;
  const std::size_t max_models_;
  mutable std::mutex lock_;
  std::vector<Depth> depths_;
  std::uint64_t next_order_ = 0;
  int in_flight_ = 0;
};

}  // namespace tesuji::genetics
