// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a generator file: refused, or a network whose closed form agrees with what is built.
#include "ebb/core/check.hpp"
#include "ebb/files/topology_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto spec = ebb::files::read_topology_spec_text(text, "fuzz");
  if (!spec || !spec->graph.empty()) return 0;  // the fuzzer does not choose files to open
  const auto properties = ebb::topology::properties(spec->family, spec->parameters);
  EBB_CHECK(properties, "a spec that was read has been sized");
  constexpr std::int64_t kMostBuilt = 10'000;
  if (properties->links > kMostBuilt || properties->switches > kMostBuilt) return 0;
  const auto graph = ebb::files::build(*spec);
  EBB_CHECK(
      graph && graph->link_count() == properties->links && graph->host_count() == properties->hosts,
      "a network must be what its figures say");
  return 0;
}
