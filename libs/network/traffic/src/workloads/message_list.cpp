// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/message_list.hpp"

#include "workloads/trace.hpp"

#include "ebb/units/quantity.hpp"

#include <algorithm>
#include <utility>

namespace ebb::traffic {

MessageList::MessageList(std::uint32_t hosts, std::vector<Message> messages)
    : Workload(hosts), messages_(std::move(messages)), sends_(hosts) {
  for (const Message& message : messages_) sends_[message.source] = true;
}

std::unique_ptr<MessageSource> MessageList::start(const Start& start) const {
  auto trace = std::make_unique<Trace>(hosts(), start);
  for (const Message& message : messages_) trace->add(message);
  trace->sort();
  return trace;
}

Errors MessageList::validate(TimePoint until) const {
  return too_many_messages(static_cast<double>(messages_.size()), until);
}

// E[S^2] / (2 E[S]) over the list.
std::optional<MessageSizes> MessageList::sizes() const {
  DataSize longest;
  Int128 sum = 0;
  Int128 squares = 0;
  for (const Message& message : messages_) {
    longest = std::max(longest, message.size);
    sum += message.size.count();
    squares += static_cast<Int128>(message.size.count()) * message.size.count();
  }
  if (sum == 0) return std::nullopt;
  return MessageSizes{longest, bits(static_cast<std::int64_t>(squares / (2 * sum)))};
}

}  // namespace ebb::traffic
