// SPDX-License-Identifier: Apache-2.0
#include "datagrams.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ebb::experiments {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint16_t kFirstPort = 23'000;

Failure failed(const std::string& what) { return fail(what + ": " + std::strerror(errno)); }

sockaddr_in address_of(const testbed::HostAddress& host, std::uint16_t port) {
  sockaddr_in made{};
  made.sin_family = AF_INET;
  made.sin_port = htons(port);
  made.sin_addr.s_addr = htonl(host.ipv4);
  return made;
}

struct Datagram {
  std::uint64_t number = 0;
  std::int64_t sent_at = 0;  // ns of the clock of both ends
};

std::int64_t nanoseconds_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

}  // namespace

struct Datagrams::Stream {
  int out = -1;
  int in = -1;
  sockaddr_in to{};
  std::uint64_t sent = 0;
  std::vector<bool> seen;
  std::uint64_t received = 0;
  std::int64_t slowest = 0;  // ns

  [[nodiscard]] Result<void> open_sender() {
    out = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return out < 0 ? Result<void>(failed("socket")) : Result<void>();
  }
  [[nodiscard]] Result<void> open_receiver() {
    constexpr int kRoom = 4 << 20;
    in = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (in < 0) return failed("socket");
    (void)::setsockopt(in, SOL_SOCKET, SO_RCVBUF, &kRoom, sizeof kRoom);
    if (::bind(in, reinterpret_cast<const sockaddr*>(&to), sizeof to) < 0) return failed("bind");
    return {};
  }
  void take(const Datagram& got) {
    if (got.number >= seen.size()) seen.resize(2 * got.number + 1024);
    if (seen[got.number]) return;
    seen[got.number] = true;
    ++received;
    slowest = std::max(slowest, nanoseconds_now() - got.sent_at);
  }
};

Datagrams::Datagrams(const Load& load) : load_(load) {}

Result<std::unique_ptr<Datagrams>> Datagrams::start(const RunningFabric& fabric,
                                                    std::span<const Pair> pairs, const Load& load) {
  std::unique_ptr<Datagrams> made(new Datagrams(load));
  made->streams_.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Stream& stream = made->streams_[i];
    stream.to = address_of(fabric.layout().addresses[pairs[i].to],
                           static_cast<std::uint16_t>(kFirstPort + i));
    auto out = in_namespace(fabric.space(pairs[i].from), [&] { return stream.open_sender(); });
    if (!out) return fail(out.error());
    auto in = in_namespace(fabric.space(pairs[i].to), [&] { return stream.open_receiver(); });
    if (!in) return fail(in.error());
  }
  made->receiver_ = std::thread([self = made.get()] { self->receive(); });
  made->sender_ = std::thread([self = made.get()] { self->send(); });
  return made;
}

Datagrams::~Datagrams() {
  stop_sending_ = stop_receiving_ = true;
  if (sender_.joinable()) sender_.join();
  if (receiver_.joinable()) receiver_.join();
  close_all();
}

void Datagrams::close_all() {
  for (Stream& stream : streams_) {
    for (int* socket : {&stream.out, &stream.in}) {
      if (*socket >= 0) ::close(*socket);
      *socket = -1;
    }
  }
}

void Datagrams::send() {
  std::vector<std::byte> buffer(std::max(load_.bytes, sizeof(Datagram)));
  const auto gap = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1.0 / load_.per_second));
  auto due = Clock::now();
  for (std::uint64_t number = 0; !stop_sending_ && (load_.most == 0 || number < load_.most);
       ++number, due += gap) {
    std::this_thread::sleep_until(due);
    const auto late = Clock::now() - due;
    latest_ = std::max<std::chrono::nanoseconds>(latest_, late);
    if (late > gap) due += late;
    for (Stream& stream : streams_) {
      const Datagram datagram{number, nanoseconds_now()};
      std::memcpy(buffer.data(), &datagram, sizeof datagram);
      // What the own interface refuses was never in the network.
      if (::sendto(stream.out, buffer.data(), buffer.size(), 0,
                   reinterpret_cast<const sockaddr*>(&stream.to), sizeof stream.to) > 0)
        ++stream.sent;
    }
  }
}

void Datagrams::receive() {
  std::vector<pollfd> waits;
  for (const Stream& stream : streams_) waits.push_back({stream.in, POLLIN, 0});
  while (!stop_receiving_) {
    if (::poll(waits.data(), waits.size(), 50) <= 0) continue;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      Datagram got;
      while ((waits[i].revents & POLLIN) != 0 &&
             ::recv(waits[i].fd, &got, sizeof got, MSG_DONTWAIT | MSG_TRUNC) >=
                 static_cast<ssize_t>(sizeof got))
        streams_[i].take(got);
    }
  }
}

// On a busy machine software switches have kept datagrams for two seconds.
Datagrams::Count Datagrams::finish() {
  if (load_.most == 0) stop_sending_ = true;
  sender_.join();
  std::this_thread::sleep_for(3s);
  stop_receiving_ = true;
  receiver_.join();
  close_all();  // others may use the ports
  Count count{.latest = latest_};
  for (const Stream& stream : streams_) {
    count.add({.sent = stream.sent,
               .received = stream.received,
               .slowest = std::chrono::nanoseconds(stream.slowest)});
  }
  return count;
}

void Datagrams::Count::add(const Count& other) {
  sent += other.sent;
  received += other.received;
  latest = std::max(latest, other.latest);
  slowest = std::max(slowest, other.slowest);
}

}  // namespace ebb::experiments
