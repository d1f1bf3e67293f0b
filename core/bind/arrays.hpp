// Vectors leave as NumPy arrays that own them: no copy, no conversion.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <vector>

namespace tesuji::bind {

template <class T>
using Array1D = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <class T>
using Array2D = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>>;

template <class Array, class T>
Array owning_array(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const nanobind::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array(data, shape, owner);
}

template <class T>
Array1D<T> to_array(std::vector<T> values) {
  const std::size_t size = values.size();
  return owning_array<Array1D<T>>(std::move(values), {size});
}

// Row after row.
template <class T>
Array2D<T> to_array(std::vector<T> values, std::size_t num_rows) {
  const std::size_t size = values.size();
  return owning_array<Array2D<T>>(std::move(values), {num_rows, size / num_rows});
}

}  // namespace tesuji::bind
