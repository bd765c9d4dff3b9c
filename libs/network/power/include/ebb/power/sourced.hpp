// SPDX-License-Identifier: Apache-2.0
//
// A number with the place it comes from.
#pragma once

#include <cstdint>

namespace ebb::power {

template <class T>
struct Sourced {
  T value{};
  std::uint32_t source = 0;  // index into Library::sources()

  bool operator==(const Sourced&) const = default;
};

}  // namespace ebb::power
