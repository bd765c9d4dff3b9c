// SPDX-License-Identifier: Apache-2.0
//
// A network interface of this host, by the ioctls of Linux: its addresses, and raw frames of DMP.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/dmp_frame.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace ebb::host {

class Interface {
 public:
  // Needs CAP_NET_RAW; setting addresses needs CAP_NET_ADMIN.
  [[nodiscard]] static Result<Interface> open(const std::string& name);
  Interface(Interface&& other) noexcept;
  Interface& operator=(Interface&&) = delete;
  ~Interface();

  [[nodiscard]] const dmp::MacBytes& mac() const { return mac_; }
  [[nodiscard]] Result<void> send(const dmp::Frame& frame) const;
  // The next DMP frame, or nothing when the time is over.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> receive(
      std::chrono::milliseconds time) const;
  [[nodiscard]] Result<void> set_mac(const dmp::MacBytes& mac) const;
  // With the mask of 10.0.0.0/8.
  [[nodiscard]] Result<void> set_ip(const std::array<std::uint8_t, 4>& ip) const;

 private:
  Interface(std::string name, int socket) : name_(std::move(name)), socket_(socket) {}

  std::string name_;
  int socket_ = -1;
  int number_ = 0;
  dmp::MacBytes mac_{};
};

}  // namespace ebb::host
