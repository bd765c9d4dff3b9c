// SPDX-License-Identifier: Apache-2.0
//
// A gNMI target: serves a box by Capabilities, Get, Set and Subscribe, in threads of its own.
//
//   const auto target = Target::open(box, {.at = *transport::parse_address("unix:/run/s0.sock")});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/gnmi/box.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/tls.hpp"

#include <cstdint>
#include <memory>

namespace ebb::gnmi {

struct TargetOptions {
  transport::Address at;          // of tls: needs `tls`
  transport::TlsFiles tls = {};   // clients show a certificate of the same authority
  bool other_machines = false;    // may connect; only by TLS
  int largest_request = 1 << 20;  // byte
};

class Target {
 public:
  // The box outlives the target.
  [[nodiscard]] static Result<std::unique_ptr<Target>> open(Box& box, const TargetOptions& options);
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  // Ends what is under way.
  ~Target();

  // The port of TCP or TLS that it listens at.
  [[nodiscard]] std::uint16_t port() const;
  // From any thread: the box has changed without being asked by us. Subscribers are told.
  void changed();

 private:
  struct Inside;
  explicit Target(std::unique_ptr<Inside> inside);

  std::unique_ptr<Inside> inside_;
};

}  // namespace ebb::gnmi
