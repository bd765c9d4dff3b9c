// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/control_socket.hpp"

#include "ebb/transport/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <grp.h>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace ebb::runtime {
namespace {

constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kMostCallers = 32;
constexpr int kMostLines = 100;  // of a caller
constexpr std::size_t kMostBytes = kMostLines * (kLongestLine + 1);
constexpr std::size_t kMostQueued = std::size_t{256} << 10U;
constexpr transport::Milliseconds kCallLimit{10'000};  // from its beginning to its end
constexpr transport::Milliseconds kAnswerTimeout{5000};

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void send_line(transport::Stream& stream, const std::string& line) {
  const std::string whole = line + "\n";
  stream.send(std::as_bytes(std::span(whole)));
}

}  // namespace

struct ControlSocket::Caller {
  std::optional<transport::Stream> stream;
  transport::LineFramer lines{kLongestLine};
  int asked = 0;
  std::size_t received = 0;  // bytes
  bool waits = false;        // for the answer to its last line
  bool gone = false;

  void go() {
    gone = true;
    stream->close();
  }
};

std::string_view to_text(Role role) {
  switch (role) {
    case Role::read:
      return "read";
    case Role::operate:
      return "operate";
    case Role::admin:
      return "control";
  }
  return "?";
}

std::string socket_path(const testbed::StateFolder& state, const std::string& fabric, Role role) {
  return fmt::format("{}/{}", state.controller(fabric), to_text(role));
}

Role role_for(const std::string& line) {
  if (line == kFabricGoes) return Role::admin;
  return line.starts_with("drain ") || line.starts_with("undrain ") ? Role::operate : Role::read;
}

Errors give_to_group(const std::string& path, const std::string& group, unsigned mode) {
  constexpr std::size_t kMostGroupBytes = std::size_t{1} << 20U;  // of the names of its members
  std::vector<char> names(kMostGroupBytes);
  ::group entry{};
  ::group* found = nullptr;
  getgrnam_r(group.c_str(), &entry, names.data(), names.size(), &found);
  if (found == nullptr) return {{"there is no group " + group}};
  constexpr auto kSameOwner = static_cast<uid_t>(-1);
  if (chown(path.c_str(), kSameOwner, found->gr_gid) == 0 && chmod(path.c_str(), mode) == 0)
    return {};
  return {{fmt::format("cannot be given to group {}: {}", group, std::strerror(errno)), {path}}};
}

ControlSocket::ControlSocket(transport::Loop& loop, Role role, AnswerLine answer)
    : loop_(loop), role_(role), answer_(std::move(answer)) {}
ControlSocket::~ControlSocket() = default;

Result<std::unique_ptr<ControlSocket>> ControlSocket::open(transport::Loop& loop,
                                                           const std::string& path, Role role,
                                                           const std::string& group,
                                                           AnswerLine answer) {
  std::error_code stays;  // then it is in the way of the new one, which says so
  std::filesystem::remove(path, stays);
  std::unique_ptr<ControlSocket> made(new ControlSocket(loop, role, std::move(answer)));
  auto listener = transport::Listener::open(
      loop, {.kind = transport::Kind::unix_socket, .path = path},
      {.streams = {.most_queued = kMostQueued}},
      [self = made.get()](transport::Stream stream) { self->admit(std::move(stream)); });
  if (!listener) return fail(listener.error());
  made->listener_ = std::make_unique<transport::Listener>(std::move(*listener));
  constexpr unsigned kOwnerAndGroup = 0660;
  if (Errors problems = group.empty() ? Errors{} : give_to_group(path, group, kOwnerAndGroup);
      !problems.empty())
    return fail(std::move(problems));
  return made;
}

void ControlSocket::make_room() {
  std::erase_if(callers_, [](const auto& caller) { return caller->gone; });
  if (callers_.size() >= kMostCallers) callers_.erase(callers_.begin());
}

void ControlSocket::admit(transport::Stream stream) {
  make_room();
  const auto caller = callers_.emplace_back(std::make_shared<Caller>());
  caller->stream = std::move(stream);
  const std::weak_ptr weak = caller;
  caller->stream->on({.received =
                          [this, weak](std::span<const std::byte> bytes) {
                            const auto from = weak.lock();
                            if (!from) return;
                            from->received += bytes.size();
                            if (from->received > kMostBytes) return from->go();
                            from->lines.feed(text_of(bytes));
                            answer_next(from);
                          },
                      .closed = [to = caller.get()](const std::string&) { to->gone = true; }});
  loop_.after(kCallLimit, [weak] {
    if (const auto late = weak.lock(); late && !late->gone) late->go();
  });
}

// Where an answer comes at once this is called again before it returns, at most kMostLines times.
void ControlSocket::answer_next(const std::shared_ptr<Caller>& caller) {
  if (caller->gone || caller->waits) return;
  const auto line = caller->lines.next();
  if (!line || caller->asked >= kMostLines) return caller->go();
  if (!*line) return;
  ++caller->asked;
  caller->waits = true;
  answer_(**line, {caller->stream->peer_user(), role_},
          [this, weak = std::weak_ptr(caller)](const std::string& answer) {
            const auto to = weak.lock();
            if (!to || to->gone) return;
            to->waits = false;
            send_line(*to->stream, answer);
            answer_next(to);
          });
}

void dismiss_controller(const std::string& path) {
  constexpr std::chrono::milliseconds kPause{20};
  if (!std::filesystem::exists(path) || !ask_controller(path, kFabricGoes)) return;
  // It takes its socket with it.
  const auto end = transport::Clock::now() + kAnswerTimeout;
  while (std::filesystem::exists(path) && transport::Clock::now() < end)
    std::this_thread::sleep_for(kPause);
}

Result<std::string> ask_controller(const std::string& path, const std::string& line) {
  transport::Loop loop;
  auto stream =
      transport::Stream::connect(loop, {.kind = transport::Kind::unix_socket, .path = path}, {});
  if (!stream) return fail(stream.error());
  std::string got;
  bool closed = false;
  stream->on({.received = [&](std::span<const std::byte> bytes) { got += text_of(bytes); },
              .closed = [&](const std::string&) { closed = true; }});
  send_line(*stream, line);
  loop.run_until([&] { return closed || got.find('\n') != std::string::npos; }, kAnswerTimeout);
  const auto end = got.find('\n');
  if (end == std::string::npos) return fail("no controller answers; ebb fabric run FILE", {path});
  return got.substr(0, end);
}

Result<std::string> ask_for_role(const testbed::StateFolder& state, const std::string& fabric,
                                 Role role, const std::string& line) {
  for (const Role one : kRoles) {
    if (one < role || one == Role::admin) continue;
    const std::string path = socket_path(state, fabric, one);
    if (!std::filesystem::exists(path)) continue;
    if (auto answer = ask_controller(path, line)) return answer;
  }
  return ask_controller(socket_path(state, fabric, Role::admin), line);
}

}  // namespace ebb::runtime
