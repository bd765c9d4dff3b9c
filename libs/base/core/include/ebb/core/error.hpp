// SPDX-License-Identifier: Apache-2.0
//
// What went wrong with something that came from outside: a file, an argument, a switch.
// Readers collect every error of their input before they give up, so a user mends a file once.
#pragma once

#include <string>
#include <string_view>
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

}  // namespace ebb
