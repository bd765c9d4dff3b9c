// SPDX-License-Identifier: Apache-2.0
#include "interfaces.hpp"

#include "ebb/core/process.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <optional>
#include <span>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace ebb::testbed {
namespace {

constexpr std::int64_t kBitsPerByte = 8;

// Open vSwitch sends to all ports of a switch by one socket, whose buffer of 212,992 bytes holds 92
// full frames of 2,304 bytes with what the kernel keeps of them. A longer queue of one port would
// fill the buffer, and frames to the other ports would be lost too. A shorter one has no room for
// what a software switch sends at once after it stood still for some milliseconds.
constexpr std::int64_t kQueueBytes = 100'000;

}  // namespace

std::string port_name(const Manifest& fabric, std::size_t member, std::size_t port) {
  return member < fabric.switches ? fmt::format("p{}", port + 1) : "eth0";
}

TokenBucket token_bucket(DataRate rate) {
  constexpr std::int64_t kTwoFrames = 3'200;
  const std::int64_t bytes_in_2_ms = rate.count() / kBitsPerByte * 2 / 1000;
  return {std::max(bytes_in_2_ms, kTwoFrames), kQueueBytes};
}

Step set_port_rate(const std::string& space, const std::string& port, DataRate rate) {
  const auto [bucket, queue] = token_bucket(rate);
  return {{"tc", "qdisc", "replace", "dev", port, "root", "tbf", "rate",
           fmt::format("{}bit", rate.count()), "burst", std::to_string(bucket), "limit",
           std::to_string(queue)},
          {},
          space};
}

Result<void> set_rate_here(const std::string& port, DataRate rate) {
  return run_all({set_port_rate("", port, rate)});
}

namespace {

constexpr std::int64_t kBucketBits = 8;

// A request about the queue of an interface, with attributes behind it.
class Request {
 public:
  Request(std::uint16_t type, std::uint16_t flags, int interface) {
    nlmsghdr header{};
    header.nlmsg_type = type;
    header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
    tcmsg about{};
    about.tcm_family = AF_UNSPEC;
    about.tcm_ifindex = interface;
    about.tcm_parent = TC_H_ROOT;
    put(&header, sizeof header);
    put(&about, sizeof about);
  }
  void add(std::uint16_t type, const void* data, std::size_t size) {
    const std::size_t begin = open(type);
    put(data, size);
    close(begin);
  }
  // An attribute that holds those added until it is closed.
  [[nodiscard]] std::size_t open(std::uint16_t type) {
    const std::size_t begin = bytes_.size();
    const rtattr attribute{0, type};
    put(&attribute, sizeof attribute);
    return begin;
  }
  void close(std::size_t begin) {
    const auto length = static_cast<std::uint16_t>(bytes_.size() - begin);
    std::memcpy(&bytes_[begin], &length, sizeof length);
    bytes_.resize(NLMSG_ALIGN(bytes_.size()));
  }
  [[nodiscard]] std::span<const char> bytes() {
    const auto length = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &length, sizeof length);
    return bytes_;
  }

 private:
  void put(const void* data, std::size_t size) {
    const auto* first = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<char> bytes_;
};

// Attributes of a type, one inside the other; nothing when there is none.
std::span<const char> find(std::span<const char> attributes, std::uint16_t type) {
  while (attributes.size() >= sizeof(rtattr)) {
    rtattr head{};
    std::memcpy(&head, attributes.data(), sizeof head);
    if (head.rta_len < sizeof head || head.rta_len > attributes.size()) return {};
    if (head.rta_type == type) return attributes.subspan(sizeof head, head.rta_len - sizeof head);
    attributes =
        attributes.subspan(std::min<std::size_t>(RTA_ALIGN(head.rta_len), attributes.size()));
  }
  return {};
}

std::optional<DataRate> rate_in(std::span<const char> message) {
  constexpr std::size_t kHead = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(tcmsg));
  if (message.size() < kHead) return std::nullopt;
  const auto parameters = find(find(message.subspan(kHead), TCA_OPTIONS), TCA_TBF_PARMS);
  tc_tbf_qopt queue{};
  if (parameters.size() < sizeof queue) return std::nullopt;
  std::memcpy(&queue, parameters.data(), sizeof queue);
  return bits_per_second(std::int64_t{queue.rate.rate} * kBucketBits);
}

}  // namespace

class PortRates::Socket {
 public:
  static Result<std::unique_ptr<Socket>> open(const std::string& space) {
    const auto visit = NamespaceVisit::enter(space);
    if (!visit) return fail(visit.error());
    UniqueFd made(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    if (!made.open()) return fail(fmt::format("no netlink socket: {}", std::strerror(errno)));
    const timeval timeout{1, 0};
    setsockopt(made.number(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    return std::make_unique<Socket>(std::move(made));
  }
  explicit Socket(UniqueFd descriptor) : descriptor_(std::move(descriptor)) {}

  [[nodiscard]] Result<int> interface(const std::string& name) const {
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    if (ioctl(descriptor_.number(), SIOCGIFINDEX, &request) == 0) return request.ifr_ifindex;
    return fail(fmt::format("{}: {}", name, std::strerror(errno)));
  }

  // Messages of the kernel until it says that it has done what was asked; it does so at once.
  [[nodiscard]] Result<std::vector<char>> ask(Request request) const {
    const auto bytes = request.bytes();
    if (::send(descriptor_.number(), bytes.data(), bytes.size(), 0) < 0)
      return fail(fmt::format("netlink: {}", std::strerror(errno)));
    std::vector<char> told;
    for (;;) {
      auto message = receive();
      if (!message) return message;
      nlmsghdr header{};
      std::memcpy(&header, message->data(), sizeof header);
      if (header.nlmsg_type != NLMSG_ERROR) {
        told = std::move(*message);
        continue;
      }
      int error = 0;
      if (message->size() >= NLMSG_HDRLEN + sizeof error)
        std::memcpy(&error, &(*message)[NLMSG_HDRLEN], sizeof error);
      if (error == 0) return told;
      return fail(fmt::format("the kernel refused: {}", std::strerror(-error)));
    }
  }

 private:
  [[nodiscard]] Result<std::vector<char>> receive() const {
    std::vector<char> message(8192);
    const auto got = ::recv(descriptor_.number(), message.data(), message.size(), 0);
    if (got < static_cast<ssize_t>(NLMSG_HDRLEN))
      return fail(fmt::format("netlink: {}", std::strerror(errno)));
    message.resize(static_cast<std::size_t>(got));
    return message;
  }

  UniqueFd descriptor_;
};

PortRates::PortRates(Manifest fabric) : fabric_(std::move(fabric)) {}
PortRates::PortRates(PortRates&&) noexcept = default;
PortRates& PortRates::operator=(PortRates&&) noexcept = default;
PortRates::~PortRates() = default;

Result<PortRates::Socket*> PortRates::socket_of(std::size_t member) {
  auto& socket = sockets_[member];
  if (!socket) {
    auto made = Socket::open(fabric_.members[member].space);
    if (!made) return fail(made.error());
    socket = std::move(*made);
  }
  return socket.get();
}

Result<void> PortRates::set(std::size_t member, std::size_t port, DataRate rate) {
  const auto socket = socket_of(member);
  if (!socket) return fail(socket.error());
  const auto interface = (*socket)->interface(port_name(fabric_, member, port));
  if (!interface) return fail(interface.error());
  const auto [bucket, queue] = token_bucket(rate);
  tc_tbf_qopt options{};
  options.rate.rate = static_cast<std::uint32_t>(rate.count() / kBucketBits);
  options.rate.linklayer = TC_LINKLAYER_ETHERNET;
  options.limit = static_cast<std::uint32_t>(queue);
  const auto burst = static_cast<std::uint32_t>(bucket);
  Request request(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE, *interface);
  request.add(TCA_KIND, "tbf", sizeof "tbf");
  const std::size_t inside = request.open(TCA_OPTIONS);
  request.add(TCA_TBF_PARMS, &options, sizeof options);
  request.add(TCA_TBF_BURST, &burst, sizeof burst);
  request.close(inside);
  const auto answer = (*socket)->ask(std::move(request));
  if (!answer) return fail(answer.error());
  return {};
}

Result<DataRate> PortRates::read(std::size_t member, std::size_t port) {
  const auto socket = socket_of(member);
  if (!socket) return fail(socket.error());
  const auto interface = (*socket)->interface(port_name(fabric_, member, port));
  if (!interface) return fail(interface.error());
  const auto answer = (*socket)->ask(Request(RTM_GETQDISC, NLM_F_ECHO, *interface));
  if (!answer) return fail(answer.error());
  if (const auto rate = rate_in(*answer)) return *rate;
  return fail(fmt::format("{} has no token bucket", port_name(fabric_, member, port)));
}

}  // namespace ebb::testbed
