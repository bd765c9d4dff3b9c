// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace.hpp"

#include <algorithm>

namespace ebb::traffic {

void Trace::add(const Message& message) {
  if (message.at < TimePoint() || message.at >= start_.until) return;
  if (!start_.hosts.has(message.source)) return;
  messages_[message.source].push_back(
      {message.at, message.destination, static_cast<std::uint32_t>(message.size.count() / 8)});
}

void Trace::sort() {
  for (auto& of_host : messages_) {
    std::stable_sort(of_host.begin(), of_host.end(),
                     [](const Kept& a, const Kept& b) { return a.at < b.at; });
  }
}

std::optional<Message> Trace::next(std::uint32_t host) {
  if (given_[host] == messages_[host].size()) return std::nullopt;
  const Kept& kept = messages_[host][given_[host]++];
  return Message{kept.at, host, kept.destination, bytes(kept.bytes)};
}

}  // namespace ebb::traffic
