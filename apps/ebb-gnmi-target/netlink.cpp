// SPDX-License-Identifier: Apache-2.0
#include "netlink.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace ebb::target {
namespace {

struct LinkRequest {
  nlmsghdr header;
  ifinfomsg link;
};

LinkRequest request(std::uint16_t type, std::uint16_t flags, std::uint32_t sequence) {
  LinkRequest made{};
  made.header.nlmsg_len = sizeof made;
  made.header.nlmsg_type = type;
  made.header.nlmsg_flags = NLM_F_REQUEST | flags;
  made.header.nlmsg_seq = sequence;
  made.link.ifi_family = AF_UNSPEC;
  return made;
}

Failure failure(const std::string& what, int error) {
  return fail(fmt::format("{}: {}", what, std::strerror(error)));
}

void read_attribute(const rtattr& attribute, Link& link) {
  const void* data = RTA_DATA(&attribute);
  if (attribute.rta_type == IFLA_IFNAME) {
    link.name = static_cast<const char*>(data);
  } else if (attribute.rta_type == IFLA_STATS64) {
    rtnl_link_stats64 stats{};
    std::memcpy(&stats, data, std::min<std::size_t>(sizeof stats, RTA_PAYLOAD(&attribute)));
    link.received_bytes = stats.rx_bytes;
    link.sent_bytes = stats.tx_bytes;
    link.sent_packets = stats.tx_packets;
  }
}

Link read_link(const nlmsghdr& header) {
  const auto& message = *static_cast<const ifinfomsg*>(NLMSG_DATA(&header));
  Link link{.index = message.ifi_index,
            .loopback = (message.ifi_flags & IFF_LOOPBACK) != 0,
            .up = (message.ifi_flags & IFF_UP) != 0,
            .running = (message.ifi_flags & IFF_RUNNING) != 0};
  auto left = IFLA_PAYLOAD(&header);
  for (const rtattr* one = IFLA_RTA(&message); RTA_OK(one, left); one = RTA_NEXT(one, left))
    read_attribute(*one, link);
  return link;
}

int error_in(const nlmsghdr& header) {
  return -static_cast<const nlmsgerr*>(NLMSG_DATA(&header))->error;
}

}  // namespace

Result<Netlink> Netlink::open(bool hears_changes) {
  Netlink made(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = hears_changes ? RTMGRP_LINK : 0;
  if (made.socket_ < 0 ||
      bind(made.socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return failure("no netlink socket", errno);
  return made;
}

Netlink::Netlink(Netlink&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), buffer_(std::move(other.buffer_)) {}

Netlink::~Netlink() {
  if (socket_ >= 0) close(socket_);
}

Result<void> Netlink::send(const void* message, std::size_t bytes) const {
  if (::send(socket_, message, bytes, 0) == static_cast<ssize_t>(bytes)) return {};
  return failure("the kernel was not asked", errno);
}

Result<std::size_t> Netlink::receive() {
  const auto bytes = recv(socket_, buffer_.data(), buffer_.size(), 0);
  if (bytes < 0) return failure("the kernel did not answer", errno);
  return static_cast<std::size_t>(bytes);
}

Result<std::vector<Link>> Netlink::links() {
  const LinkRequest all = request(RTM_GETLINK, NLM_F_DUMP, ++sequence_);
  if (auto sent = send(&all, sizeof all); !sent) return fail(sent.error());
  std::vector<Link> found;
  for (;;) {
    const auto bytes = receive();
    if (!bytes) return fail(bytes.error());
    auto left = *bytes;
    for (const auto* one = reinterpret_cast<const nlmsghdr*>(buffer_.data()); NLMSG_OK(one, left);
         one = NLMSG_NEXT(one, left)) {
      if (one->nlmsg_seq != sequence_) continue;  // of a question that was given up
      if (one->nlmsg_type == NLMSG_DONE) return found;
      if (one->nlmsg_type == NLMSG_ERROR) return failure("no list of interfaces", error_in(*one));
      if (one->nlmsg_type == RTM_NEWLINK) found.push_back(read_link(*one));
    }
  }
}

Result<void> Netlink::set_up(const std::string& name, bool up) {
  LinkRequest change = request(RTM_NEWLINK, NLM_F_ACK, ++sequence_);
  change.link.ifi_index = static_cast<int>(if_nametoindex(name.c_str()));
  change.link.ifi_flags = up ? IFF_UP : 0;
  change.link.ifi_change = IFF_UP;
  if (change.link.ifi_index == 0) return failure(name, errno);
  if (auto sent = send(&change, sizeof change); !sent) return sent;
  for (;;) {
    const auto bytes = receive();
    if (!bytes) return fail(bytes.error());
    const auto* answer = reinterpret_cast<const nlmsghdr*>(buffer_.data());
    if (*bytes < sizeof(nlmsghdr) || answer->nlmsg_seq != sequence_) continue;
    if (answer->nlmsg_type != NLMSG_ERROR) continue;
    if (const int error = error_in(*answer); error != 0) return failure(name, error);
    return {};
  }
}

bool Netlink::wait_for_change() {
  // What was missed has changed as well.
  return recv(socket_, buffer_.data(), buffer_.size(), 0) >= 0 || errno == ENOBUFS ||
         errno == EINTR;
}

}  // namespace ebb::target
