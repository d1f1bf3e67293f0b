// Vectors leave as NumPy arrays that own them: no copy, no conversion.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

namespace tesuji::bind {

template <class T>
using Array1D = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <class T>
Array1D<T> to_array(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const std::size_t size = owned->size();
  const nanobind::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array1D<T>(data, {size}, owner);
}

}  // namespace tesuji::bind
