// SPDX-License-Identifier: Apache-2.0
//
// A line of `snmpwalk`, whatever the options that say how it names objects:
//
//   IF-MIB::ifHCInOctets.1 = Counter64: 123456
//   .1.3.6.1.2.1.31.1.1.1.6.1 = Counter64: 123456
//   iso.3.6.1.2.1.31.1.1.1.6.1 = Counter64: 123456
//
// Readers of IF-MIB and of LLDP-MIB share it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::counters {

struct WalkLine {
  std::string object;      // with its index: by name, or by number from "1." on
  std::string_view value;  // "TYPE: VALUE"
};

// Nothing: "No Such Object available ...", or a line of a text that has several.
[[nodiscard]] std::optional<WalkLine> walk_line(std::string_view line);
// The index, where the line is of the object with that name and number.
[[nodiscard]] std::optional<std::string> index_of(const WalkLine& line, std::string_view name,
                                                  std::string_view number);
// Without its type and without quotes; empty where there is none.
[[nodiscard]] std::string_view text_of(std::string_view value);

}  // namespace ebb::counters
