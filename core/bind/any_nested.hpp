// A nested search over whatever game of one player, as Python holds it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "search/nested.hpp"

namespace tesuji::bind {

class AnyNested {
 public:
  virtual ~AnyNested() = default;
  virtual void run(const Budget& budget, const std::function<bool()>& progress) = 0;
  virtual void stop() = 0;
  virtual Found found() const = 0;
};

template <Game G, class Keep = std::nullptr_t>
class NestedOver final : public AnyNested {
 public:
  // `keep` is whatever the states point to and must outlive them.
  NestedOver(std::shared_ptr<Keep> keep, const G& root, int level, int num_threads, std::uint64_t seed)
      : keep_(std::move(keep)), search_(root, level, num_threads, seed) {}
  void run(const Budget& budget, const std::function<bool()>& progress) override { search_.run(budget, progress); }
  void stop() override { search_.stop(); }
  Found found() const override { return search_.found(); }

 private:
  std::shared_ptr<Keep> keep_;
  NestedSearch<G> search_;
};

template <Game G>
std::unique_ptr<AnyNested> nested_over(const G& root, int level, int num_threads, std::uint64_t seed) {
  return std::make_unique<NestedOver<G>>(nullptr, root, level, num_threads, seed);
}

// A native game of one player has this as its method make_nested(level, num_threads, seed).
inline constexpr const char* kMakeNestedDoc = "A nested search from this state; tesuji.search.solve asks for it.";

}  // namespace tesuji::bind
