// SPDX-License-Identifier: Apache-2.0
//
// Result<T> is a value or the list of all errors of the input. C++20 has no std::expected, so this
// is tl::expected; only what both have in common is used.
#pragma once

#include "ebb/core/error.hpp"

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace ebb {

template <class T>
using Result = tl::expected<T, Errors>;

using Failure = tl::unexpected<Errors>;

[[nodiscard]] inline Failure fail(std::string message, Location where = {}) {
  return Failure(Errors{Error{std::move(message), std::move(where)}});
}

[[nodiscard]] inline Failure fail(Errors errors) { return Failure(std::move(errors)); }

}  // namespace ebb
