// SPDX-License-Identifier: Apache-2.0
//
// Errors of the input become the Python exception ebb.InputError, which carries every one of them.
//
//   const config::SimFile file = value_or_raise(config::read_sim(path, parts));
#pragma once

#include "ebb/core/result.hpp"

#include <pybind11/pybind11.h>
#include <string>
#include <utility>

namespace ebb::python {

// What is read in the place of a file when the caller gives a dict. Errors then have neither file
// nor line: the dict has none.
inline constexpr const char* kDictionary = "<dict>";

// Both take the GIL when the caller has released it.
[[noreturn]] void raise_input_error(const Errors& errors);
[[noreturn]] void raise_os_error(const std::string& message);

template <class T>
[[nodiscard]] T value_or_raise(Result<T> result) {
  if (!result) raise_input_error(result.error());
  return std::move(*result);
}

}  // namespace ebb::python
