// SPDX-License-Identifier: Apache-2.0
#include "stream_impl.hpp"

#include "ebb/transport/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ebb::transport {

struct Listener::Impl : std::enable_shared_from_this<Impl> {
  Impl(Loop& its_loop, UniqueFd its_descriptor, Address its_address, ListenerOptions its_options,
       Accepted its_accepted)
      : loop(its_loop),
        descriptor(std::move(its_descriptor)),
        address(std::move(its_address)),
        options(std::move(its_options)),
        accepted(std::move(its_accepted)) {}

  void watch() {
    watched = true;
    loop.watch(descriptor.get(), EPOLLIN,
               [self = shared_from_this()](std::uint32_t) { self->accept_some(); });
  }
  void shut() {
    if (watched) loop.forget(descriptor.get());
    watched = false;
    open = false;
    if (address.kind == Kind::unix_socket && is_ours()) unlink(address.path.c_str());
  }
  // Somebody else may have put a socket of his own in its place.
  [[nodiscard]] bool is_ours() const {
    struct stat now {};
    return stat(address.path.c_str(), &now) == 0 && now.st_ino == file.st_ino &&
           now.st_dev == file.st_dev;
  }
  // Who comes in crowds does not keep others waiting: the rest has its turn later.
  void accept_some() {
    constexpr int kAtOnce = 16;
    for (int i = 0; i < kAtOnce && open; ++i) {
      UniqueFd peer(accept4(descriptor.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (peer.get() >= 0) {
        admit(std::move(peer));
      } else if (errno == EAGAIN) {
        return;
      } else if (errno != EINTR && errno != ECONNABORTED) {
        return pause();
      }
    }
  }
  void admit(UniqueFd peer) {
    auto impl =
        make_stream_impl(loop, std::move(peer), address.kind, Side::server, options.streams);
    (*impl)->start(false);
    accepted(Stream(*std::move(impl)));
  }
  // Out of descriptors: the peer stays in the system's queue, and asking at once would only spin.
  void pause() {
    loop.forget(descriptor.get());
    watched = false;
    loop.after(Milliseconds{100}, [weak = weak_from_this()] {
      if (const auto self = weak.lock(); self && self->open) self->watch();
    });
  }

  Loop& loop;
  UniqueFd descriptor;
  Address address;
  ListenerOptions options;
  Accepted accepted;
  struct stat file {};  // of a unix socket, as it was made
  bool watched = false;
  bool open = true;
};

namespace {

// Port 0 was replaced by the system.
void take_real_port(int descriptor, Address& address) {
  if (address.kind == Kind::unix_socket) return;
  SocketAddress real;
  real.size = sizeof real.storage;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&real.storage), &real.size);
  // The port is at the same place for IPv4 and IPv6.
  address.port = ntohs(reinterpret_cast<const sockaddr_in&>(real.storage).sin_port);
}

}  // namespace

Result<Listener> Listener::open(Loop& loop, const Address& address, const ListenerOptions& options,
                                Accepted accepted) {
  if (!is_local(address) && !options.other_machines) {
    return fail(to_text(address) + ": other machines reach this address, which was not asked for");
  }
  if (address.kind == Kind::tls && !options.streams.tls)
    return fail("TLS: no certificate was given");
  const auto where = socket_address(address);
  if (!where) return fail(where.error());
  UniqueFd descriptor = new_socket(*where);
  const int on = 1;
  setsockopt(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // What it is bound to gets this mode: whoever may write to it could command switches.
  if (address.kind == Kind::unix_socket) fchmod(descriptor.get(), S_IRUSR | S_IWUSR);
  if (bind(descriptor.get(), where->get(), where->size) != 0 ||
      listen(descriptor.get(), SOMAXCONN) != 0) {
    return fail(fmt::format("{}: {}", to_text(address), system_text(errno)));
  }
  Address real = address;
  take_real_port(descriptor.get(), real);
  auto impl =
      std::make_shared<Impl>(loop, std::move(descriptor), real, options, std::move(accepted));
  if (real.kind == Kind::unix_socket) static_cast<void>(stat(real.path.c_str(), &impl->file));
  impl->watch();
  return Listener(std::move(impl));
}

Listener::Listener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Listener::Listener(Listener&&) noexcept = default;
Listener::~Listener() {
  if (impl_) impl_->shut();
}
const Address& Listener::address() const { return impl_->address; }

Milliseconds pause_after(const BackOff& back_off, int failures) {
  Milliseconds pause = back_off.first;
  for (int i = 1; i < failures && pause < back_off.longest; ++i) pause *= 2;
  return std::min(pause, back_off.longest);
}

Connector::Connector(Loop& loop, Where where, StreamOptions options, BackOff back_off,
                     Connected connected)
    : loop_(loop),
      where_(std::move(where)),
      options_(std::move(options)),
      back_off_(back_off),
      connected_(std::move(connected)) {}

Connector::Connector(Loop& loop, Address address, StreamOptions options, BackOff back_off,
                     Connected connected)
    : Connector(
          loop, [address = std::move(address)] { return address; }, std::move(options), back_off,
          std::move(connected)) {}

Connector::~Connector() {
  if (timer_) loop_.cancel(*timer_);
}

// Never from inside the caller: who loses a connection may be in the middle of saying so.
void Connector::start() {
  if (timer_ || stream_) return;
  const auto pause = failures_ == 0 ? Milliseconds{0} : pause_after(back_off_, failures_);
  timer_ = loop_.after(pause, [this] { attempt(); });
}

void Connector::attempt() {
  timer_.reset();
  auto stream = Stream::connect(loop_, where_(), options_);
  if (!stream) return failed(stream.error().front().message);
  stream_ = *std::move(stream);
  stream_->on({.opened =
                   [this] {
                     failures_ = 0;
                     Stream connected = *std::move(stream_);
                     stream_.reset();
                     connected.on({});
                     connected_(std::move(connected));
                   },
               .closed = [this](const std::string& reason) { failed(reason); }});
}

void Connector::failed(const std::string& reason) {
  problem_ = reason;
  stream_.reset();
  ++failures_;
  start();
}

}  // namespace ebb::transport
