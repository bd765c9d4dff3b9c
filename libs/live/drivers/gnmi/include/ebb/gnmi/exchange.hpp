// SPDX-License-Identifier: Apache-2.0
//
// Where the answers of all targets come in: one thread that hands each to the loop. The loop
// outlives it, and it outlives the drivers that use it.
#pragma once

#include "ebb/transport/loop.hpp"

#include <memory>

namespace ebb::gnmi {

class Exchange {
 public:
  explicit Exchange(transport::Loop& loop);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  struct Inside;
  [[nodiscard]] Inside& inside() { return *inside_; }

 private:
  std::unique_ptr<Inside> inside_;
};

}  // namespace ebb::gnmi
