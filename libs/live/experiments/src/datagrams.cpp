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

}  // namespace

struct Datagrams::Stream {
  int out = -1;
  int in = -1;
  sockaddr_in to{};
  std::uint64_t sent = 0;
  std::vector<bool> seen;
  std::uint64_t received = 0;

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
  void take(std::uint64_t number) {
    if (number >= seen.size()) seen.resize(2 * number + 1024);
    if (seen[number]) return;
    seen[number] = true;
    ++received;
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
  std::vector<std::byte> buffer(std::max(load_.bytes, sizeof(std::uint64_t)));
  const auto begin = Clock::now();
  const std::chrono::duration<double> gap(1.0 / load_.per_second);
  for (std::uint64_t number = 0; !stop_sending_ && (load_.most == 0 || number < load_.most);
       ++number) {
    std::this_thread::sleep_until(
        begin + std::chrono::duration_cast<Clock::duration>(gap * static_cast<double>(number)));
    std::memcpy(buffer.data(), &number, sizeof number);
    for (Stream& stream : streams_) {
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
      std::uint64_t number = 0;
      while ((waits[i].revents & POLLIN) != 0 &&
             ::recv(waits[i].fd, &number, sizeof number, MSG_DONTWAIT | MSG_TRUNC) >=
                 static_cast<ssize_t>(sizeof number))
        streams_[i].take(number);
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
  Count count;
  for (const Stream& stream : streams_) {
    count.sent += stream.sent;
    count.received += stream.received;
  }
  return count;
}

}  // namespace ebb::experiments
