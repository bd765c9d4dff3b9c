// SPDX-License-Identifier: Apache-2.0
//
// Where the messages of a run come from: a workload, or a script.
#pragma once

#include "ebb/traffic/message.hpp"
#include "ebb/traffic/message_source.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::netsim {

using traffic::MessageSource;

// Messages written down beforehand.
class Script final : public MessageSource {
 public:
  // Those of one host ascend by time.
  Script(std::span<const traffic::Message> messages, std::uint32_t hosts);

  [[nodiscard]] std::optional<traffic::Message> next(std::uint32_t host) override;

 private:
  std::vector<std::vector<traffic::Message>> messages_;  // by host, the next at the back
};

}  // namespace ebb::netsim
