// SPDX-License-Identifier: Apache-2.0
//
// A workload that is a list of messages: a trace, or what somebody computed. The seed changes
// nothing of it.
//
//   const MessageList workload(hosts, {{TimePoint(1us), 0, 3, bytes(4096)}});
#pragma once

#include "ebb/traffic/workload.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::traffic {

class MessageList final : public Workload {
 public:
  // In any order of time; those of a host that share a time are created in their order. Sources and
  // destinations are below `hosts`, sizes are whole bytes, below 4 GB.
  MessageList(std::uint32_t hosts, std::vector<Message> messages);

  [[nodiscard]] std::unique_ptr<MessageSource> start(const Start& start) const override;
  [[nodiscard]] Errors validate(TimePoint until) const override;
  [[nodiscard]] bool sends(std::uint32_t host) const override { return sends_[host]; }
  [[nodiscard]] std::optional<MessageSizes> sizes() const override;

 private:
  std::vector<Message> messages_;
  std::vector<bool> sends_;  // by host
};

}  // namespace ebb::traffic
