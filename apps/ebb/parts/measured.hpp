// SPDX-License-Identifier: Apache-2.0
//
// The verbs below `ebb parts` that make boxes of measured power: `import` reads what others have
// published, `fit` fits the model of a box to series of its power and its counters, `fit-supply`
// the efficiency of a power supply.
//
//   add_import_command(parts, code);
//
// Results go to standard output as a part file. What lacks for a box goes to standard error, all at
// once, and the exit code is then that of a requirement that is not met.
#pragma once

#include "command_line/command.hpp"

#include "ebb/core/result.hpp"
#include "ebb/measurements/fit.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace ebb::cli {

void add_import_command(CLI::App& parts, ExitCode& code);
void add_fit_command(CLI::App& parts, ExitCode& code);
void add_fit_supply_command(CLI::App& parts, ExitCode& code);

inline constexpr std::size_t kLargestSeries = std::size_t{1} << 30;  // of a file, bytes

// MODULE=electrical or optical, by module.
[[nodiscard]] std::map<std::string, std::string> media_of(const std::vector<std::string>& texts,
                                                          Errors& errors);

// What `fit` prints for programs.
[[nodiscard]] std::string fit_json(const measurements::Fit& fit,
                                   const measurements::Series& series);

// What reports of fits end with: how far neighbouring residuals go together, and a line for each
// reason why some of `what` were left out.
[[nodiscard]] std::string neighbours_text(const measurements::Residuals& residuals);
template <class Reason, std::size_t Reasons>
[[nodiscard]] std::string left_out_text(const std::array<std::size_t, Reasons>& counts,
                                        std::string_view what) {
  std::string text;
  for (std::size_t which = 0; which < Reasons; ++which) {
    if (counts.at(which) == 0) continue;
    text += fmt::format("Left out: {} {}, {}\n", counts.at(which), what,
                        to_text(static_cast<Reason>(which)));
  }
  return text;
}

// What is wrong with the source of a fitted part.
[[nodiscard]] Errors source_errors(const std::string& name, const std::string& title,
                                   const std::string& date);
// Says that no part is written because of these.
[[nodiscard]] ExitCode refuse_part(const Errors& lacking);

// Of a source: a year, or a year and a month.
[[nodiscard]] std::optional<Error> date_error(const std::string& date);

}  // namespace ebb::cli
