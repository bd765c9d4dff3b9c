// SPDX-License-Identifier: Apache-2.0
//
// Whether somebody waits to lead: a file that all who wait hold a shared lock on. A leader that
// goes wakes what sleeps, unless there is somebody to whom it can leave the fabric as it is.
#pragma once

#include "ebb/core/descriptor.hpp"
#include "ebb/core/result.hpp"

#include <memory>
#include <string>

namespace ebb::controller {

class WaitingRoom {
 public:
  explicit WaitingRoom(std::string path);
  WaitingRoom(const WaitingRoom&) = delete;
  WaitingRoom& operator=(const WaitingRoom&) = delete;
  ~WaitingRoom();

  [[nodiscard]] Result<void> enter();
  void leave();
  // Other than us.
  [[nodiscard]] bool someone_waits() const;

 private:
  std::string path_;
  std::unique_ptr<Descriptor> file_;  // while we wait
};

}  // namespace ebb::controller
