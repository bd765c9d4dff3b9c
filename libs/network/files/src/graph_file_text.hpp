// SPDX-License-Identifier: Apache-2.0
//
// The two parts of a file that may end in CSV, and the graph that they describe.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/document.hpp"
#include "ebb/topology/graph.hpp"

#include <string_view>

namespace ebb::files {

struct FileParts {
  std::string_view yaml;
  std::string_view csv;  // what follows the line `...`
  int csv_line = 0;      // the number of that line; 0 without one
};
[[nodiscard]] FileParts split_at_document_end(std::string_view text);

// The YAML part's root, or nothing (reported).
[[nodiscard]] std::optional<Value> read_yaml_part(const FileParts& parts, Diagnostics& errors);

[[nodiscard]] Result<topology::Graph> graph_from(const Value& root, const FileParts& parts,
                                                 Diagnostics& errors);

// Large enough for the 256 million links that ebb holds.
inline constexpr std::size_t kMostGraphBytes = std::size_t{16} << 30U;

}  // namespace ebb::files
