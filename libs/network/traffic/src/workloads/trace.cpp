// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::traffic {

Errors too_many_messages(double messages, TimePoint until) {
  if (messages <= static_cast<double>(kMostTraceMessages)) return {};
  return {{fmt::format("{:.0f} million messages up to {} are too many to keep in memory, which "
                       "takes at most {} million; shorten the schedule or give a smaller load",
                       messages * 1e-6, to_text(until.time_since_epoch()),
                       kMostTraceMessages / 1'000'000),
           {}}};
}

void Trace::add(const Message& message) {
  if (message.at < TimePoint() || message.at >= start_.until) return;
  if (!start_.hosts.has(message.source)) return;
  messages_[message.source].push_back(
      {.at = message.at,
       .destination = message.destination,
       .service = message.service,
       .bytes = static_cast<std::uint32_t>(message.size.count() / 8)});
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
  return Message{kept.at, host, kept.destination, bytes(kept.bytes),
                 static_cast<std::uint8_t>(kept.service)};
}

}  // namespace ebb::traffic
