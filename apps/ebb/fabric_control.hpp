// SPDX-License-Identifier: Apache-2.0
//
// What an operator asks of a running controller, over a unix socket in its folder: a line of two
// words each way, "take-out s0-s1" or "put-back s0-s1", answered by "done" or the reason why not.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/listener.hpp"
#include "ebb/transport/loop.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {

// The answer to a line.
using AnswerLine = std::function<std::string(const std::string& line)>;

class ControlSocket {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ControlSocket>> open(transport::Loop& loop,
                                                                   const std::string& path,
                                                                   AnswerLine answer);
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ~ControlSocket();

 private:
  struct Caller;
  explicit ControlSocket(AnswerLine answer);
  void admit(transport::Stream stream);

  AnswerLine answer_;
  std::vector<std::unique_ptr<Caller>> callers_;
  std::unique_ptr<transport::Listener> listener_;
};

// Asks the controller at that socket; an error when there is none.
[[nodiscard]] Result<std::string> ask_controller(const std::string& path, const std::string& line);

}  // namespace ebb::cli
