// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a graph file: refused, or read, written and read again as an equal graph.
#include "ebb/core/check.hpp"
#include "ebb/files/topology_file.hpp"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto graph = ebb::files::read_graph_text(text, "fuzz");
  if (!graph) return 0;
  std::ostringstream written;
  ebb::files::write_graph(*graph, written);
  const auto again = ebb::files::read_graph_text(written.str(), "written");
  EBB_CHECK(again && *again == *graph, "a graph must survive its own file");
  return 0;
}
