// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a devices file: refused, or an address for each switch and one way to be known.
#include "ebb/core/check.hpp"
#include "ebb/fabric_config/fabric_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto file = ebb::fabric_config::read_devices_text(
      input, "fuzz.yaml", std::array<std::string, 2>{"leaf", "spine"});
  if (!file) return 0;
  EBB_CHECK(file->addresses.size() == 2, "an address for each switch");
  EBB_CHECK(std::none_of(file->addresses.begin(), file->addresses.end(),
                         [](const auto& address) { return address.empty(); }),
            "that is not empty");
  if (file->snmp)
    EBB_CHECK(file->snmp->community_file.empty() || file->snmp->user.empty(), "one way");
  return 0;
}
