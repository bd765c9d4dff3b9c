// SPDX-License-Identifier: Apache-2.0
//
// What differs between plain sockets and TLS: how to shake hands, read and write without waiting.
#pragma once

#include "ebb/transport/tls.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace ebb::transport {

enum class Went : std::uint8_t { done, wants_read, wants_write, ended, failed };

struct Progress {
  Went went = Went::done;
  std::size_t bytes = 0;
  std::string problem;
};

class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  virtual Progress handshake() = 0;
  virtual Progress read(std::span<std::byte> into) = 0;
  virtual Progress write(std::span<const std::byte> bytes) = 0;
};

enum class Side : std::uint8_t { client, server };

[[nodiscard]] std::unique_ptr<Channel> plain_channel(int descriptor);
[[nodiscard]] std::unique_ptr<Channel> tls_channel(int descriptor, const TlsContext& context,
                                                   Side side);

}  // namespace ebb::transport
