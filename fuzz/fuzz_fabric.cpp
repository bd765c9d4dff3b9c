// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a fabric file: refused, or a network that fits on a machine, with a name that is
// safe in paths and a policy that can be made. Read for a test fabric, so that a few bytes cannot
// ask for a large network.
#include "ebb/core/check.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/testbed/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto file = ebb::fabric_config::read_fabric_text(input, "fuzz.yaml",
                                                         ebb::fabric_config::Site::test_fabric);
  if (!file) return 0;
  EBB_CHECK(ebb::testbed::is_fabric_name(file->name), "a name that is safe in paths");
  EBB_CHECK(ebb::testbed::validate_graph(file->graph).empty(), "a network that fits on a machine");
  EBB_CHECK(ebb::policy::make_policy(file->policy.name, file->policy.parameters).has_value(),
            "a policy that can be made");
  EBB_CHECK(file->safety.transitions_per_hour > 0 && file->safety.max_concurrent > 0,
            "links may change");
  return 0;
}
