// SPDX-License-Identifier: Apache-2.0
//
// The CSV part of a graph file: a header line, then one link per line.
#pragma once

#include "graph_file_links.hpp"

#include "ebb/files/document.hpp"

#include <string_view>

namespace ebb::files {

// True when there is anything but blank lines and comments.
[[nodiscard]] bool has_csv(std::string_view text);

// `line` is the number of the last line before `text`. No string is made for a line that is right.
void read_csv_links(std::string_view text, int line, LinkReader& links, Diagnostics& errors);

}  // namespace ebb::files
