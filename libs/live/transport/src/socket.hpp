// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/address.hpp"

#include <sys/socket.h>

namespace ebb::transport {

// As the system wants it.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};
[[nodiscard]] Result<SocketAddress> socket_address(const Address& address);

// "No such file or directory" of an errno.
[[nodiscard]] std::string system_text(int error);

// Closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release();

 private:
  int number_;
};

// Non-blocking, and gone in child processes.
[[nodiscard]] Descriptor new_socket(const SocketAddress& address);

}  // namespace ebb::transport
