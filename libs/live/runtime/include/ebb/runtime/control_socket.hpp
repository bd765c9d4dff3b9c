// SPDX-License-Identifier: Apache-2.0
//
// What an operator asks of a running controller, over unix sockets in its folder: a line of two
// words, "drain s0-s1", "undrain s0-s1" or "explain s0-s1", answered by one line: "done", the
// explanation in JSON, or the reason why not. `ebb fabric down` says that the fabric goes. A
// program that asks has so much time, so many lines, and must read what it asked for; when too many
// ask at once the oldest goes.
//
// There is a socket for each role, and the kernel decides by its owner, group and mode who may
// connect: `read` explains, `operate` also drains, `control` (the owner's) also lets the fabric go.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/stream.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::runtime {

// A role may all that those before it may.
enum class Role : std::uint8_t { read, operate, admin };
inline constexpr std::array kRoles{Role::read, Role::operate, Role::admin};
// "read", "operate", "control": as the socket is called.
[[nodiscard]] std::string_view to_text(Role role);
[[nodiscard]] std::string socket_path(const testbed::StateFolder& state, const std::string& fabric,
                                      Role role);
// The least role that may say the line.
[[nodiscard]] Role role_for(const std::string& line);

// Whose process says a line, as the kernel reports: the number of a user; and over which socket.
struct Asker {
  std::optional<std::uint32_t> user;
  Role role = Role::admin;
};
// Called once for each line, at once or later. Lines of one program are answered one by one.
using Reply = std::function<void(const std::string& answer)>;
using AnswerLine = std::function<void(const std::string& line, Asker who, const Reply& reply)>;
inline constexpr const char* kFabricGoes = "fabric goes";

class ControlSocket {
 public:
  // An empty group: for the owner alone.
  [[nodiscard]] static Result<std::unique_ptr<ControlSocket>> open(transport::Loop& loop,
                                                                   const std::string& path,
                                                                   Role role,
                                                                   const std::string& group,
                                                                   AnswerLine answer);
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ~ControlSocket();

 private:
  struct Caller;
  ControlSocket(transport::Loop& loop, Role role, AnswerLine answer);
  void make_room();
  void admit(transport::Stream stream);
  void answer_next(const std::shared_ptr<Caller>& caller);

  transport::Loop& loop_;
  Role role_;
  AnswerLine answer_;
  std::vector<std::shared_ptr<Caller>> callers_;  // by age
  std::unique_ptr<transport::Listener> listener_;
};

// Tells the controller at that socket, if there is one, that its fabric goes, and waits until it
// has ended, within a time.
void dismiss_controller(const std::string& path);

// Asks the controller at that socket; an error when there is none.
[[nodiscard]] Result<std::string> ask_controller(const std::string& path, const std::string& line);
// The same at the socket of that role, or of one that may more where that cannot be reached.
[[nodiscard]] Result<std::string> ask_for_role(const testbed::StateFolder& state,
                                               const std::string& fabric, Role role,
                                               const std::string& line);

// Gives a file or socket to a group: an error when there is no such group, or we are not in it.
[[nodiscard]] Errors give_to_group(const std::string& path, const std::string& group,
                                   unsigned mode);

}  // namespace ebb::runtime
