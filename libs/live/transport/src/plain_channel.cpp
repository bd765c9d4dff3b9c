// SPDX-License-Identifier: Apache-2.0
#include "channel.hpp"
#include "socket.hpp"

#include <cerrno>

namespace ebb::transport {
namespace {

Progress of_errno(Went when_full) {
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {when_full};
  return {Went::failed, 0, system_text(errno)};
}

class PlainChannel final : public Channel {
 public:
  explicit PlainChannel(int descriptor) : descriptor_(descriptor) {}

  Progress handshake() override { return {}; }
  Progress read(std::span<std::byte> into) override {
    const auto got = recv(descriptor_, into.data(), into.size(), 0);
    if (got < 0) return of_errno(Went::wants_read);
    if (got == 0) return {Went::ended};
    return {Went::done, static_cast<std::size_t>(got)};
  }
  Progress write(std::span<const std::byte> bytes) override {
    const auto put = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0) return of_errno(Went::wants_write);
    return {Went::done, static_cast<std::size_t>(put)};
  }

 private:
  int descriptor_;
};

}  // namespace

std::unique_ptr<Channel> plain_channel(int descriptor) {
  return std::make_unique<PlainChannel>(descriptor);
}

}  // namespace ebb::transport
