// SPDX-License-Identifier: Apache-2.0
//
// Where the messages of a run come from.
#pragma once

#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/message.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::netsim {

class MessageSource {
 public:
  MessageSource() = default;
  MessageSource(const MessageSource&) = delete;
  MessageSource& operator=(const MessageSource&) = delete;
  virtual ~MessageSource() = default;

  // The next message of a host, in the order of time; nothing when there are no more.
  [[nodiscard]] virtual std::optional<traffic::Message> next(std::uint32_t host) = 0;
};

// Every host sends by itself, whatever the network does.
class OpenLoop final : public MessageSource {
 public:
  OpenLoop(const traffic::Pattern& pattern, const traffic::Injection& injection,
           std::uint32_t hosts, std::uint64_t seed, TimePoint until);

  [[nodiscard]] std::optional<traffic::Message> next(std::uint32_t host) override {
    return hosts_[host].next();
  }

 private:
  std::vector<traffic::HostSource> hosts_;
};

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
