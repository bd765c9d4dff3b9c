// SPDX-License-Identifier: Apache-2.0
//
// When a certificate is valid, seen from now.
#pragma once

#include "ebb/core/result.hpp"

#include <chrono>
#include <string>

namespace ebb::transport {

struct Validity {
  std::chrono::seconds begins_in;  // negative: it has begun
  std::chrono::seconds ends_in;    // negative: it has ended
};

// Of the first certificate in a PEM file.
[[nodiscard]] Result<Validity> validity(const std::string& file);

}  // namespace ebb::transport
