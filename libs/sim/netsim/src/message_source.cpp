// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/message_source.hpp"

#include <algorithm>

namespace ebb::netsim {

Script::Script(std::span<const traffic::Message> messages, std::uint32_t hosts) : messages_(hosts) {
  for (const traffic::Message& message : messages) messages_[message.source].push_back(message);
  for (auto& of_host : messages_) std::reverse(of_host.begin(), of_host.end());
}

std::optional<traffic::Message> Script::next(std::uint32_t host) {
  if (messages_[host].empty()) return std::nullopt;
  const traffic::Message message = messages_[host].back();
  messages_[host].pop_back();
  return message;
}

}  // namespace ebb::netsim
