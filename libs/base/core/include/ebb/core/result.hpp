// SPDX-License-Identifier: Apache-2.0
//
// A value, or every error of the input: what went wrong with something that came from outside, a
// file, an argument, a switch. Readers collect every error of their input before they give up, so a
// user mends a file once. Bugs in ebb are not Results: see check.hpp.
//
//   Result<DataRate> rate = parse<DataRate>(text);
//   if (!rate) return fail(rate.error());
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ebb {

// Where in the user's input. Line and column count from 1; 0 means "not known".
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
  std::string path;  // position inside the document, such as "links[3].rate"

  bool operator==(const Location&) const = default;
};

struct Error {
  std::string message;
  Location where;

  bool operator==(const Error&) const = default;
};

using Errors = std::vector<Error>;

// "file:line:column: error: message (at path)", the form that editors and CI know from compilers.
[[nodiscard]] std::string to_string(const Error& error);
[[nodiscard]] std::string to_string(const Errors& errors);

// Result<T> is a value or the list of all errors of the input. C++20 has no std::expected, so this
// is tl::expected; only what both have in common is used.
template <class T>
using Result = tl::expected<T, Errors>;

using Failure = tl::unexpected<Errors>;

[[nodiscard]] inline Failure fail(std::string message, Location where = {}) {
  return Failure(Errors{Error{std::move(message), std::move(where)}});
}

[[nodiscard]] inline Failure fail(Errors errors) { return Failure(std::move(errors)); }

}  // namespace ebb
