// SPDX-License-Identifier: Apache-2.0
//
// All messages of a run at once, for those who look at a workload without simulating it.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/traffic/workload.hpp"

#include <cstdint>
#include <vector>

namespace ebb::traffic {

// In the order of sources, those of a source in the order of time. Refuses more messages than
// memory takes.
[[nodiscard]] Result<std::vector<Message>> every_message(const Workload& workload,
                                                         std::uint64_t seed, TimePoint until);

// The same messages in the order of destinations, those for one in the order of births.
[[nodiscard]] std::vector<Message> by_destination(std::vector<Message> messages);

}  // namespace ebb::traffic
