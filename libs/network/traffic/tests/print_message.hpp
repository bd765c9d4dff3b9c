// SPDX-License-Identifier: Apache-2.0
//
// Messages as failed tests print them.
#pragma once

#include "ebb/traffic/message.hpp"

#include <ostream>

namespace ebb::traffic {

inline void PrintTo(const Message& m, std::ostream* out) {
  *out << "{" << m.at.time_since_epoch().count() << ", " << m.source << "->" << m.destination
       << ", " << m.size.count() << "b, level " << int{m.service} << "}";
}

}  // namespace ebb::traffic
