// SPDX-License-Identifier: Apache-2.0
//
// The host's side of the Dynamic MAC Protocol: a host asks its switch for the address that says
// where it is, and takes it.
//
//   const auto interface = Interface::open("eth0");
//   const auto mac = request_address(*interface, {});
//   if (mac) interface->set_mac(*mac);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/dmp_frame.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::host {

// A network interface of this host, by the ioctls of Linux: its addresses, and raw frames of DMP.
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

struct Requests {
  int tries = 50;
  std::chrono::milliseconds wait{200};  // for an answer to each
};

// The address that the switch answers, or that it did not.
[[nodiscard]] Result<dmp::MacBytes> request_address(const Interface& interface,
                                                    const Requests& requests);

}  // namespace ebb::host
