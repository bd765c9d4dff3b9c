// SPDX-License-Identifier: Apache-2.0
//
// Something to tell the operator about a switch or a cable.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ebb::drivers {

struct Notice {
  // A sentence may come alone.
  Notice(std::string what) : text(std::move(what)) {}  // NOLINT(google-explicit-constructor)
  Notice(std::string_view what_kind, std::string whose, std::string what)
      : event(what_kind), device(std::move(whose)), text(std::move(what)) {}

  std::string_view event = "trouble";  // a word for programs
  std::string device;                  // name of the switch, empty: none
  std::string text;                    // for people
};

}  // namespace ebb::drivers
