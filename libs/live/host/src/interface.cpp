// SPDX-License-Identifier: Apache-2.0
#include "ebb/host/interface.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <poll.h>
#include <random>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace ebb::host {
namespace {

using Clock = std::chrono::steady_clock;

Failure failed(const std::string& what) { return fail(what + ": " + std::strerror(errno)); }

ifreq named(const std::string& name) {
  ifreq request{};
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  return request;
}

Result<void> set_address(const std::string& name, unsigned long what,
                         const std::array<std::uint8_t, 4>& address) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return failed("socket");
  ifreq request = named(name);
  sockaddr_in inet{};
  inet.sin_family = AF_INET;
  std::memcpy(&inet.sin_addr, address.data(), address.size());
  std::memcpy(&request.ifr_addr, &inet, sizeof inet);
  const int answer = ::ioctl(socket, what, &request);
  const int problem = errno;
  ::close(socket);
  errno = problem;
  if (answer < 0) return failed(name + ": the IP address was refused");
  return {};
}

}  // namespace

Result<Interface> Interface::open(const std::string& name) {
  if (name.empty() || name.size() >= IFNAMSIZ)
    return fail("'" + name.substr(0, 40) + "' is no name of an interface");
  const int socket = ::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(dmp::kEtherType));
  if (socket < 0) return failed("no raw socket (CAP_NET_RAW is needed)");
  Interface self(name, socket);
  ifreq request = named(name);
  if (::ioctl(socket, SIOCGIFINDEX, &request) < 0) return failed(name);
  self.number_ = request.ifr_ifindex;
  if (::ioctl(socket, SIOCGIFHWADDR, &request) < 0) return failed(name);
  std::memcpy(self.mac_.data(), request.ifr_hwaddr.sa_data, self.mac_.size());
  sockaddr_ll here{};
  here.sll_family = AF_PACKET;
  here.sll_protocol = htons(dmp::kEtherType);
  here.sll_ifindex = self.number_;
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&here), sizeof here) < 0)
    return failed(name);
  // The answer still goes to the address that bridges keep to themselves.
  packet_mreq group{self.number_, PACKET_MR_ALLMULTI, 0, {}};
  if (::setsockopt(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &group, sizeof group) < 0)
    return failed(name);
  return self;
}

Interface::Interface(Interface&& other) noexcept
    : name_(std::move(other.name_)),
      socket_(std::exchange(other.socket_, -1)),
      number_(other.number_),
      mac_(other.mac_) {}

Interface::~Interface() {
  if (socket_ >= 0) ::close(socket_);
}

Result<void> Interface::send(const dmp::Frame& frame) const {
  if (::send(socket_, frame.data(), frame.size(), 0) < 0) return failed(name_);
  return {};
}

std::optional<std::vector<std::uint8_t>> Interface::receive(std::chrono::milliseconds time) const {
  pollfd ready{socket_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(time.count())) <= 0) return std::nullopt;
  std::vector<std::uint8_t> frame(ETH_FRAME_LEN);
  const ssize_t length = ::recv(socket_, frame.data(), frame.size(), 0);
  if (length < 0) return std::nullopt;
  frame.resize(static_cast<std::size_t>(length));
  return frame;
}

Result<void> Interface::set_mac(const dmp::MacBytes& mac) const {
  ifreq request = named(name_);
  request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  std::memcpy(request.ifr_hwaddr.sa_data, mac.data(), mac.size());
  if (::ioctl(socket_, SIOCSIFHWADDR, &request) < 0)
    return failed(name_ + ": the address was refused");
  return {};
}

Result<void> Interface::set_ip(const std::array<std::uint8_t, 4>& ip) const {
  if (auto set = set_address(name_, SIOCSIFADDR, ip); !set) return set;
  return set_address(name_, SIOCSIFNETMASK, {255, 0, 0, 0});
}

namespace {

// Frames that answer others may come in between.
std::optional<dmp::MacBytes> wait_for_answer(const Interface& interface, std::uint64_t nonce,
                                             std::chrono::milliseconds time) {
  const auto end = Clock::now() + time;
  for (auto left = time; left.count() > 0;
       left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now())) {
    const auto frame = interface.receive(left);
    if (!frame) return std::nullopt;
    if (const auto mac = dmp::read_answer(*frame, interface.mac(), nonce)) return *mac;
  }
  return std::nullopt;
}

}  // namespace

Result<dmp::MacBytes> request_address(const Interface& interface, const Requests& requests) {
  std::random_device entropy;
  const std::uint64_t nonce = (std::uint64_t{entropy()} << 32U) | entropy();
  for (int attempt = 0; attempt < requests.tries; ++attempt) {
    if (auto sent = interface.send(dmp::request(interface.mac(), nonce)); !sent)
      return fail(sent.error());
    if (const auto mac = wait_for_answer(interface, nonce, requests.wait)) return *mac;
  }
  return fail(fmt::format("no switch answered {} requests", requests.tries));
}

}  // namespace ebb::host
