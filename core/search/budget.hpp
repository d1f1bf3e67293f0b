// When a search ends. Whatever comes first; 0 means "no such limit".
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

struct Budget {
  std::uint64_t simulations = 0;
  double seconds = 0;
  std::size_t nodes = 0;
  double report_s = 0.2;  // seconds between two calls of the progress function
};

}  // namespace tesuji
