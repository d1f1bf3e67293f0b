// When a search ends, and who hears of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tesuji {

// Whatever comes first; 0 means "no such limit".
struct Budget {
  std::uint64_t simulations = 0;
  double seconds = 0;
  std::size_t nodes = 0;
  double report_s = 0.2;  // seconds between two calls of the progress function
};

// Each may be empty. Called by any thread of a run: where its part of a round begins, and where something that it threw
// is being handled.
struct RunHooks {
  std::function<void()> thread_begins, has_failed;
};

}  // namespace tesuji
