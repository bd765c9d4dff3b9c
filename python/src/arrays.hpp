// SPDX-License-Identifier: Apache-2.0
//
// Numbers of C++ as arrays of numpy. A column is filled from values that a function forms; an array
// that has the layout of numpy already is a view, which keeps the object alive that owns the
// memory.
//
//   py::array busy = column<std::int64_t>(channels, [](const auto& c) { return c.busy.count(); });
//   py::array sent = view<std::int64_t>(series.sent, {frames, channels}, owner);
#pragma once

#include <cstddef>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace ebb::python {

namespace py = pybind11;

// One value of type T for each entry.
template <class T, class Entries, class Value>
[[nodiscard]] py::array_t<T> column(const Entries& entries, Value&& value) {
  py::array_t<T> array(static_cast<py::ssize_t>(std::size(entries)));
  T* at = array.mutable_data();
  for (const auto& entry : entries) *at++ = static_cast<T>(value(entry));
  return array;
}

// Texts, one for each entry.
template <class Entries, class Value>
[[nodiscard]] py::list texts(const Entries& entries, Value&& value) {
  py::list list;
  for (const auto& entry : entries) list.append(py::str(value(entry)));
  return list;
}

// The memory of a vector whose entries are one T each, such as durations and sizes of data. The
// array cannot be written to, and `owner` lives as long as the array.
template <class T, class Entry>
[[nodiscard]] py::array view(const std::vector<Entry>& values, std::vector<py::ssize_t> shape,
                             const py::object& owner) {
  static_assert(sizeof(Entry) == sizeof(T) && std::is_trivially_copyable_v<Entry>);
  py::array array(py::dtype::of<T>(), std::move(shape), values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace ebb::python
