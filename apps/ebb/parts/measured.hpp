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

#include <cstddef>
#include <map>
#include <optional>
#include <string>
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

// What is wrong with the source of a fitted part.
[[nodiscard]] Errors source_errors(const std::string& name, const std::string& title,
                                   const std::string& date);
// Says that no part is written because of these.
[[nodiscard]] ExitCode refuse_part(const Errors& lacking);

// Of a source: a year, or a year and a month.
[[nodiscard]] std::optional<Error> date_error(const std::string& date);

}  // namespace ebb::cli
