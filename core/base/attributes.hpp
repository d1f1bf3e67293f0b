// Hints for the few functions whose inlining decides the speed of a playout; the numbers are in docs/results/speed.md.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define TESUJI_ALWAYS_INLINE __attribute__((always_inline)) inline
#define TESUJI_NEVER_INLINE __attribute__((noinline))
#define TESUJI_INLINE_LAMBDA __attribute__((always_inline))
#elif defined(_MSC_VER)
#define TESUJI_ALWAYS_INLINE __forceinline
#define TESUJI_NEVER_INLINE __declspec(noinline)
#define TESUJI_INLINE_LAMBDA
#else
#define TESUJI_ALWAYS_INLINE inline
#define TESUJI_NEVER_INLINE
#define TESUJI_INLINE_LAMBDA
#endif
