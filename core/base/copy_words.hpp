// Copies numbers that other threads may be changing. Each comes over whole, old or new.
//
// Compilers do not turn atomic loads into vector code, and these copies are a fifth of a search with several threads.
// So on x86-64 the moves are written out: the processor reads every aligned word of eight bytes or less whole, whatever
// the width of the move around it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tesuji {

template <class T>
inline void copy_words(T* to, const std::atomic<T>* from, std::size_t size) {
  static_assert(sizeof(std::atomic<T>) == sizeof(T) && sizeof(T) <= 8 && std::atomic<T>::is_always_lock_free);
  std::size_t i = 0;
#if defined(__GNUC__) && defined(__x86_64__)
  constexpr std::size_t kStride = 64 / sizeof(T);
  for (; i + kStride <= size; i += kStride)
    asm volatile(
        "movdqu (%1), %%xmm0\n\tmovdqu 16(%1), %%xmm1\n\tmovdqu 32(%1), %%xmm2\n\tmovdqu 48(%1), %%xmm3\n\t"
        "movdqu %%xmm0, (%0)\n\tmovdqu %%xmm1, 16(%0)\n\tmovdqu %%xmm2, 32(%0)\n\tmovdqu %%xmm3, 48(%0)"
        :
        : "r"(to + i), "r"(from + i)
        : "memory", "xmm0", "xmm1", "xmm2", "xmm3");
#endif
  for (; i < size; ++i) to[i] = from[i].load(std::memory_order_relaxed);
}

}  // namespace tesuji
