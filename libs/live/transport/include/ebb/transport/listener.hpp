// SPDX-License-Identifier: Apache-2.0
//
// Waits for peers. Addresses that other machines reach are refused unless they are asked for: who
// speaks to a controller controls the network.
#pragma once

#include "ebb/transport/stream.hpp"

namespace ebb::transport {

struct ListenerOptions {
  StreamOptions streams;
  bool other_machines = false;
};

class Listener {
 public:
  using Accepted = std::function<void(Stream)>;

  // Port 0 takes a free one; `address` has it then.
  static Result<Listener> open(Loop& loop, const Address& address, const ListenerOptions& options,
                               Accepted accepted);
  Listener(Listener&&) noexcept;
  Listener& operator=(Listener&&) = delete;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  [[nodiscard]] const Address& address() const;

 private:
  struct Door;
  explicit Listener(std::shared_ptr<Door> door);
  std::shared_ptr<Door> door_;
};

}  // namespace ebb::transport
