// SPDX-License-Identifier: Apache-2.0
//
// The interfaces of this network namespace and whether they are up, told whenever that changes.
#pragma once

#include "netlink.hpp"

#include "ebb/transport/loop.hpp"

#include <string>

namespace ebb::agent {

struct LinkSeen {
  int interface = 0;  // as the kernel numbers them
  std::string name;
  bool up = false;  // set up, and the other end is too
};

class Links {
 public:
  using Told = std::function<void(const LinkSeen& link)>;

  // The loop outlives it.
  [[nodiscard]] static Result<std::unique_ptr<Links>> open(transport::Loop& loop, Told told);
  Links(transport::Loop& loop, Netlink kernel, Told told);
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;
  ~Links();

  // All of them, now.
  [[nodiscard]] Result<void> tell_all();

 private:
  void hear();

  transport::Loop& loop_;
  Netlink kernel_;
  Told told_;
};

}  // namespace ebb::agent
