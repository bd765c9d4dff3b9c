// SPDX-License-Identifier: Apache-2.0
//
// Where the meter, class or state of that index is kept.
#pragma once

#include <cstddef>

namespace ebb::power {

template <class Index>
constexpr std::size_t place(Index index) {
  return static_cast<std::size_t>(index);
}

}  // namespace ebb::power
