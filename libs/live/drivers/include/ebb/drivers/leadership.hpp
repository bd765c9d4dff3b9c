// SPDX-License-Identifier: Apache-2.0
//
// Which of several controllers a switch obeys: the one that was the last to claim it, with a
// generation that is not older than another's (OpenFlow 1.3, 6.3.6). The switch refuses what the
// others order. They may read, and hear of ports.
#pragma once

#include "ebb/openflow/connection.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace ebb::drivers {

enum class Claim : std::uint8_t {
  obeyed,      // the switch obeys us, and tells us what we need to hear
  no_roles,    // it has none: it obeys everyone
  outdated,    // it has seen a newer generation, which comes with the answer
  unanswered,  // the connection was closed, or the switch is too slow
};

using Claimed = std::function<void(Claim, std::uint64_t generation)>;

void claim(openflow::Connection& connection, std::uint64_t generation, const Claimed& claimed);

// Asks for nothing but to stay connected; the answer is the newest generation that the switch
// knows.
void stand_by(openflow::Connection& connection,
              const std::function<void(std::uint64_t generation)>& heard);

// Whether the switch still obeys us; no answer when it does not say.
void ask_who_leads(openflow::Connection& connection, const std::function<void(bool we)>& answer);

// Whether the text of a refusal says that the switch obeys another.
[[nodiscard]] bool obeys_another(const std::string& refusal);

}  // namespace ebb::drivers
