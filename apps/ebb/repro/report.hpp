// SPDX-License-Identifier: Apache-2.0
//
// `ebb repro report`: measures rows and writes the reproduction table with its figures.
#pragma once

#include "command_line/exit_code.hpp"

#include "ebb/repro/row.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

// Into a folder: README.md, values.csv, and an SVG and a CSV for each figure. Without a folder: the
// table alone, on standard output.
[[nodiscard]] ExitCode write_repro_report(const std::vector<repro::Row>& rows,
                                          const std::string& folder);

}  // namespace ebb::cli
