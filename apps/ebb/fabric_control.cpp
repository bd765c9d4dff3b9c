// SPDX-License-Identifier: Apache-2.0
#include "fabric_control.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace ebb::cli {
namespace {

constexpr std::size_t kLongestLine = 200;
constexpr transport::Milliseconds kPatience{5000};

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
  std::string line;
  bool gone = false;
};

ControlSocket::ControlSocket(AnswerLine answer) : answer_(std::move(answer)) {}
ControlSocket::~ControlSocket() = default;

Result<std::unique_ptr<ControlSocket>> ControlSocket::open(transport::Loop& loop,
                                                           const std::string& path,
                                                           AnswerLine answer) {
  std::filesystem::remove(path);
  std::unique_ptr<ControlSocket> made(new ControlSocket(std::move(answer)));
  auto listener = transport::Listener::open(
      loop, {.kind = transport::Kind::unix_socket, .path = path}, {},
      [self = made.get()](transport::Stream stream) { self->admit(std::move(stream)); });
  if (!listener) return fail(listener.error());
  made->listener_ = std::make_unique<transport::Listener>(std::move(*listener));
  return made;
}

void ControlSocket::admit(transport::Stream stream) {
  std::erase_if(callers_, [](const auto& caller) { return caller->gone; });
  Caller& caller = *callers_.emplace_back(std::make_unique<Caller>());
  caller.stream = std::move(stream);
  caller.stream->on({.received =
                         [this, &caller](std::span<const std::byte> bytes) {
                           caller.line += text_of(bytes);
                           const auto end = caller.line.find('\n');
                           if (end != std::string::npos) {
                             send_line(*caller.stream, answer_(caller.line.substr(0, end)));
                             caller.line.erase(0, end + 1);
                           } else if (caller.line.size() > kLongestLine) {
                             caller.gone = true;
                             caller.stream->close();
                           }
                         },
                     .closed = [&caller](const std::string&) { caller.gone = true; }});
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
  loop.run_until([&] { return closed || got.find('\n') != std::string::npos; }, kPatience);
  const auto end = got.find('\n');
  if (end == std::string::npos) return fail("no controller answers; ebb fabric run FILE", {path});
  return got.substr(0, end);
}

}  // namespace ebb::cli
