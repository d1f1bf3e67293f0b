// tesuji-bench-board: plays light playouts from the empty board and prints one line of JSON.
// Run under callgrind with N and with 2N playouts, the difference is the cost of N: start-up cancels out.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/rng.hpp"
#include "go/contexts.hpp"
#include "go/playout.hpp"

#ifndef TESUJI_BENCH_FLAGS
#define TESUJI_BENCH_FLAGS "unknown"
#endif
#if defined(__clang__)
#define TESUJI_COMPILER "clang++ " __clang_version__
#elif defined(__GNUC__)
#define TESUJI_COMPILER "g++ " __VERSION__
#else
#define TESUJI_COMPILER "unknown"
#endif

namespace {

using namespace tesuji;
using namespace tesuji::go;

struct Options {
  int size = 9;
  std::string variant = "light";
  long playouts = 20000;
  unsigned long long seed = 1;
};

struct Totals {
  double moves = 0;
  long black_wins = 0;
};

template <int Size, Tracking Track>
Totals run(const Options& options) {
  const Stones<Size, Track> empty(Size, Size);
  Rng rng(options.seed);
  Totals totals;
  for (long playout = 0; playout < options.playouts; ++playout) {
    Stones<Size, Track> stones = empty;
    totals.moves += play_out(stones, Color::Black, 0, standard_limits(Size * Size), rng);
    totals.black_wins += area_margin_at_end(stones) > 0;
  }
  return totals;
}

// Light playouts that keep the contexts of all points.
template <int Size>
Totals run_with_contexts(const Options& options) {
  const Stones<Size, kLight> empty(Size, Size);
  const ContextKeys keys(kMaxNeighbours);
  const Contexts<Size> contexts_of_empty(keys, Size, Size);
  Rng rng(options.seed);
  Totals totals;
  std::uint32_t seen = 0;
  for (long playout = 0; playout < options.playouts; ++playout) {
    Stones<Size, kLight> stones = empty;
    Contexts<Size> contexts = contexts_of_empty;
    totals.moves += play_out(stones, Color::Black, 0, standard_limits(Size * Size), rng, AnyMove{},
                             [&](Cell cell, Color color) TESUJI_INLINE_LAMBDA {
                               if (cell == kPass) return;
                               if (color == Color::Black)
                                 contexts.template follow<Color::Black>(stones, cell);
                               else
                                 contexts.template follow<Color::White>(stones, cell);
                             });
    totals.black_wins += area_margin_at_end(stones) > 0;
    seen ^= contexts.of(stones.empty(0));
  }
  if (seen == 1) std::fputc(' ', stdout);  // they are used
  return totals;
}

template <int Size>
Totals run_variant(const Options& options) {
  if (options.variant == "light") return run<Size, kLight>(options);
  if (options.variant == "hashed") return run<Size, kHashed>(options);
  if (options.variant == "tactical") return run<Size, kTactical>(options);
  if (options.variant == "contexts") return run_with_contexts<Size>(options);
  std::fprintf(stderr, "unknown variant '%s': choose light, hashed, tactical or contexts\n", options.variant.c_str());
  std::exit(2);
}

Totals run_size(const Options& options) {
  if (options.size == 9) return run_variant<9>(options);
  if (options.size == 13) return run_variant<13>(options);
  if (options.size == 19) return run_variant<19>(options);
  std::fprintf(stderr, "unknown size %d: choose 9, 13 or 19\n", options.size);
  std::exit(2);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 >= argc) {
      std::fprintf(stderr, "%s needs a value\n", argv[i]);
      std::exit(2);
    }
    if (name == "--size")
      options.size = std::atoi(argv[i + 1]);
    else if (name == "--variant")
      options.variant = argv[i + 1];
    else if (name == "--playouts")
      options.playouts = std::atol(argv[i + 1]);
    else if (name == "--seed")
      options.seed = std::strtoull(argv[i + 1], nullptr, 10);
    else {
      std::fprintf(stderr,
                   "unknown option %s: --size N --variant light|hashed|tactical|contexts --playouts N --seed N\n",
                   argv[i]);
      std::exit(2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const auto start = std::chrono::steady_clock::now();
  const Totals totals = run_size(options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double n = static_cast<double>(options.playouts);
  std::printf(
      "{\"size\": %d, \"variant\": \"%s\", \"playouts\": %ld, \"seconds\": %.6f, \"moves\": %.3f, "
      "\"black_wins\": %.4f, \"compiler\": \"%s\", \"flags\": \"%s\"}\n",
      options.size, options.variant.c_str(), options.playouts, seconds, totals.moves / n,
      static_cast<double>(totals.black_wins) / n, TESUJI_COMPILER, TESUJI_BENCH_FLAGS);
}
