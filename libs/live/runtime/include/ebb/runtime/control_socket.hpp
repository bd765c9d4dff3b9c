// SPDX-License-Identifier: Apache-2.0
//
// What an operator asks of a running controller, over a unix socket in its folder: a line of two
// words, "drain s0-s1", "undrain s0-s1" or "explain s0-s1", answered by one line: "done", the
// explanation in JSON, or the reason why not. `ebb fabric down` says that the fabric goes. A
// program that asks has so much time, so many lines, and must read what it asked for; when too many
// ask at once the oldest goes.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/stream.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::runtime {

// The answer to a line, and whose process says it: the number of a user.
using Asker = std::optional<std::uint32_t>;
using AnswerLine = std::function<std::string(const std::string& line, Asker who)>;
inline constexpr const char* kFabricGoes = "fabric goes";

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
  ControlSocket(transport::Loop& loop, AnswerLine answer);
  void make_room();
  void admit(transport::Stream stream);
  void received(Caller& caller, std::span<const std::byte> bytes);

  transport::Loop& loop_;
  AnswerLine answer_;
  std::vector<std::shared_ptr<Caller>> callers_;  // by age
  std::unique_ptr<transport::Listener> listener_;
};

// Tells the controller at that socket, if there is one, that its fabric goes, and waits until it
// has ended, within a time.
void dismiss_controller(const std::string& path);

// Asks the controller at that socket; an error when there is none.
[[nodiscard]] Result<std::string> ask_controller(const std::string& path, const std::string& line);

}  // namespace ebb::runtime
