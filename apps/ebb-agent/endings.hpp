// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/transport/loop.hpp"

#include <functional>

namespace ebb::agent {

// SIGTERM and SIGINT, in the loop.
class Endings {
 public:
  Endings(transport::Loop& loop, std::function<void()> asked);
  Endings(const Endings&) = delete;
  Endings& operator=(const Endings&) = delete;
  ~Endings();

 private:
  transport::Loop& loop_;
  int descriptor_;
};

}  // namespace ebb::agent
