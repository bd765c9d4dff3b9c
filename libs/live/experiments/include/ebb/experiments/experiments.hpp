// SPDX-License-Identifier: Apache-2.0
//
// Published results that only real switches can show, measured on a test fabric of this machine:
// software switches in network namespaces, which need root and Open vSwitch.
//
//   const auto measured = experiments::dynamic_mac_protocol(load_parts);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/runtime/run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ebb::experiments {

// Named numbers.
using Measured = std::vector<std::pair<std::string, double>>;

// Row B7. Every host of a fabric asks its switch for its address and takes it, and then sends a
// datagram to every other: `addresses` and `pairs`, in percent of those that were right and that
// arrived.
[[nodiscard]] Result<Measured> dynamic_mac_protocol(const runtime::LoadParts& load_parts);

// Row D4. Under steady traffic every link that may sleep is put to sleep and woken, and then all
// links change their speed, down and up: `slept`, `slowed` and `sped_up` count links, `lost` is the
// datagrams that did not arrive, of `sent`.
[[nodiscard]] Result<Measured> make_before_break(const runtime::LoadParts& load_parts);

}  // namespace ebb::experiments
