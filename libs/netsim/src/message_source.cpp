// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/message_source.hpp"

#include <algorithm>

namespace ebb::netsim {

OpenLoop::OpenLoop(const traffic::Pattern& pattern, const traffic::Injection& injection,
                   std::uint32_t hosts, std::uint64_t seed, TimePoint until) {
  hosts_.reserve(hosts);
  for (std::uint32_t h = 0; h < hosts; ++h) hosts_.emplace_back(pattern, injection, h, seed, until);
}

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
