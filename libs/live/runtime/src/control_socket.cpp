// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/control_socket.hpp"

#include "ebb/transport/stream.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

namespace ebb::runtime {
namespace {

constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kMostCallers = 32;
constexpr int kMostLines = 100;  // of a caller
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
  int answered = 0;
  bool gone = false;

  void go() {
    gone = true;
    stream->close();
  }
};

ControlSocket::ControlSocket(transport::Loop& loop, AnswerLine answer)
    : loop_(loop), answer_(std::move(answer)) {}
ControlSocket::~ControlSocket() = default;

Result<std::unique_ptr<ControlSocket>> ControlSocket::open(transport::Loop& loop,
                                                           const std::string& path,
                                                           AnswerLine answer) {
  std::filesystem::remove(path);
  std::unique_ptr<ControlSocket> made(new ControlSocket(loop, std::move(answer)));
  auto listener = transport::Listener::open(
      loop, {.kind = transport::Kind::unix_socket, .path = path},
      {.streams = {.most_queued = kMostQueued}},
      [self = made.get()](transport::Stream stream) { self->admit(std::move(stream)); });
  if (!listener) return fail(listener.error());
  made->listener_ = std::make_unique<transport::Listener>(std::move(*listener));
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
  caller->stream->on({.received = [this, to = caller.get()](
                                      std::span<const std::byte> bytes) { received(*to, bytes); },
                      .closed = [to = caller.get()](const std::string&) { to->gone = true; }});
  loop_.after(kCallLimit, [weak = std::weak_ptr(caller)] {
    if (const auto late = weak.lock(); late && !late->gone) late->go();
  });
}

void ControlSocket::received(Caller& caller, std::span<const std::byte> bytes) {
  caller.lines.feed(text_of(bytes));
  while (!caller.gone) {
    const auto line = caller.lines.next();
    if (!line || caller.answered >= kMostLines) return caller.go();
    if (!*line) return;
    ++caller.answered;
    send_line(*caller.stream, answer_(**line, caller.stream->peer_user()));
  }
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

}  // namespace ebb::runtime
