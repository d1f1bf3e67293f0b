// Hints for the few functions whose inlining decides the speed of a playout; the numbers are in docs/results/speed.md.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define TESUJI_ALWAYS_INLINE __attribute__((always_inline)) inline
#define TESUJI_NEVER_INLINE __attribute__((noinline))
#define TESUJI_INLINE_LAMBDA __attribute__((always_inline))
#define TESUJI_FLATTEN __attribute__((flatten))  // whatever it calls is inlined, however many others call it
#define TESUJI_RESTRICT __restrict__
#elif defined(_MSC_VER)
#define TESUJI_ALWAYS_INLINE __forceinline
#define TESUJI_NEVER_INLINE __declspec(noinline)
#define TESUJI_INLINE_LAMBDA
#define TESUJI_FLATTEN
#define TESUJI_RESTRICT __restrict
#else
#define TESUJI_ALWAYS_INLINE inline
#define TESUJI_NEVER_INLINE
#define TESUJI_INLINE_LAMBDA
#define TESUJI_FLATTEN
#define TESUJI_RESTRICT
#endif

// A function compiled twice, for any x86-64 processor and for those with AVX2; the loader takes the right one. Results
// are the same to the last bit, because floating point is never contracted.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) && !defined(__AVX2__)
#define TESUJI_CLONED __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define TESUJI_CLONED
#endif
