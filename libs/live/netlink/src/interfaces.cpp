// SPDX-License-Identifier: Apache-2.0
#include "ebb/netlink/interfaces.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <libmnl/libmnl.h>
#include <linux/gen_stats.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <optional>
#include <string_view>
#include <sys/epoll.h>

// Not by <net/if.h>, which cannot be included beside <linux/if.h>.
extern "C" unsigned int if_nametoindex(const char* name);

namespace ebb::netlink {
namespace {

void read_attribute(const nlattr& attribute, Interface& interface) {
  const auto type = mnl_attr_get_type(&attribute);
  if (type == IFLA_IFNAME && mnl_attr_validate(&attribute, MNL_TYPE_NUL_STRING) >= 0) {
    interface.name = mnl_attr_get_str(&attribute);
  } else if (type == IFLA_STATS64) {
    rtnl_link_stats64 stats{};
    std::memcpy(&stats, mnl_attr_get_payload(&attribute),
                std::min<std::size_t>(sizeof stats, mnl_attr_get_payload_len(&attribute)));
    interface.received_bytes = stats.rx_bytes;
    interface.sent_bytes = stats.tx_bytes;
    interface.sent_packets = stats.tx_packets;
  }
}

Interface interface_of(const nlmsghdr& message) {
  const auto* header = static_cast<const ifinfomsg*>(mnl_nlmsg_get_payload(&message));
  const unsigned flags = message.nlmsg_type == RTM_NEWLINK ? header->ifi_flags : 0;
  Interface interface {
    .index = header->ifi_index, .loopback = (header->ifi_flags & IFF_LOOPBACK) != 0,
    .up = (flags & IFF_UP) != 0, .running = (flags & IFF_RUNNING) != 0,
    .lower_up = (flags & IFF_LOWER_UP) != 0
  };
  for_each_attribute(message, sizeof *header,
                     [&](const nlattr& attribute) { read_attribute(attribute, interface); });
  return interface;
}

Netlink::Handle handler(const InterfaceWatcher::Report& report) {
  return [&report](const nlmsghdr& message) {
    if (message.nlmsg_type == RTM_NEWLINK || message.nlmsg_type == RTM_DELLINK)
      report(interface_of(message));
  };
}

Result<void> report_interfaces(Netlink& kernel, const InterfaceWatcher::Report& report) {
  const ifinfomsg everything{};
  return kernel.dump(RTM_GETLINK, std::as_bytes(std::span(&everything, 1)), handler(report));
}

constexpr std::int64_t kBitsPerByte = 8;

// An attribute as the structure that it is; nothing when it is too short for it.
template <class T>
std::optional<T> read_as(const nlattr& attribute) {
  if (mnl_attr_get_payload_len(&attribute) < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, mnl_attr_get_payload(&attribute), sizeof value);
  return value;
}

bool is_token_bucket(const nlattr& kind) {
  constexpr std::string_view kName = "tbf";
  const std::string_view name(static_cast<const char*>(mnl_attr_get_payload(&kind)),
                              mnl_attr_get_payload_len(&kind));
  return name.substr(0, name.find('\0')) == kName;
}

// Rates of 4 GB/s and more stand in an attribute of their own.
void take_rate(const nlattr& options, Queue& queue) {
  for_each_attribute(options, [&](const nlattr& attribute) {
    if (mnl_attr_get_type(&attribute) == TCA_TBF_RATE64) {
      if (const auto rate = read_as<std::uint64_t>(attribute))
        queue.rate = bits_per_second(kBitsPerByte * static_cast<std::int64_t>(*rate));
    } else if (mnl_attr_get_type(&attribute) == TCA_TBF_PARMS && queue.rate.count() == 0) {
      if (const auto all = read_as<tc_tbf_qopt>(attribute))
        queue.rate = bits_per_second(kBitsPerByte * std::int64_t{all->rate.rate});
    }
  });
}

void take_length(const nlattr& statistics, Queue& queue) {
  for_each_attribute(statistics, [&](const nlattr& attribute) {
    if (mnl_attr_get_type(&attribute) != TCA_STATS_QUEUE) return;
    if (const auto all = read_as<gnet_stats_queue>(attribute)) queue.waiting = bytes(all->backlog);
  });
}

std::optional<Queue> queue_of(const nlmsghdr& message) {
  const auto* header = static_cast<const tcmsg*>(mnl_nlmsg_get_payload(&message));
  if (message.nlmsg_type != RTM_NEWQDISC || header->tcm_parent != TC_H_ROOT) return std::nullopt;
  Queue queue{.interface = header->tcm_ifindex};
  bool bucket = false;
  for_each_attribute(message, sizeof *header, [&](const nlattr& attribute) {
    const auto type = mnl_attr_get_type(&attribute);
    if (type == TCA_KIND) bucket = is_token_bucket(attribute);
    if (type == TCA_OPTIONS && bucket) take_rate(attribute, queue);
    if (type == TCA_STATS2) take_length(attribute, queue);
  });
  if (!bucket || queue.rate.count() == 0) return std::nullopt;
  return queue;
}

}  // namespace

Result<std::vector<Interface>> read_interfaces(Netlink& kernel) {
  std::vector<Interface> found;
  const auto done =
      report_interfaces(kernel, [&](const Interface& interface) { found.push_back(interface); });
  if (!done) return fail(done.error());
  return found;
}

Result<void> set_up(Netlink& kernel, const std::string& name, bool up) {
  const unsigned index = if_nametoindex(name.c_str());
  if (index == 0) return fail(fmt::format("{}: {}", name, std::strerror(errno)));
  ifinfomsg change{};
  change.ifi_family = AF_UNSPEC;
  change.ifi_index = static_cast<int>(index);
  change.ifi_flags = up ? IFF_UP : 0;
  change.ifi_change = IFF_UP;
  const auto done = kernel.change(RTM_NEWLINK, std::as_bytes(std::span(&change, 1)));
  if (!done) return fail(fmt::format("{}: {}", name, done.error().front().message));
  return {};
}

Result<Netlink> open_for_changes() { return Netlink::open(RTMGRP_LINK); }

Result<std::unique_ptr<InterfaceWatcher>> InterfaceWatcher::open(transport::Loop& loop,
                                                                 Report report) {
  auto kernel = open_for_changes();
  if (!kernel) return fail(kernel.error());
  return std::make_unique<InterfaceWatcher>(loop, std::move(*kernel), std::move(report));
}

InterfaceWatcher::InterfaceWatcher(transport::Loop& loop, Netlink kernel, Report report)
    : loop_(loop), kernel_(std::move(kernel)), report_(std::move(report)) {
  loop_.watch(kernel_.descriptor(), EPOLLIN, [this](std::uint32_t) { receive(); });
}

InterfaceWatcher::~InterfaceWatcher() { loop_.forget(kernel_.descriptor()); }

Result<void> InterfaceWatcher::report_all() {
  auto kernel = Netlink::open();
  if (!kernel) return fail(kernel.error());
  return report_interfaces(*kernel, report_);
}

void InterfaceWatcher::receive() {
  // Some was lost: the whole says it, too. If that fails as well, the next change is heard.
  if (!kernel_.receive(handler(report_))) static_cast<void>(report_all());
}

Result<Queues> Queues::open() {
  auto kernel = Netlink::open();
  if (!kernel) return fail(kernel.error());
  return Queues(std::move(*kernel));
}

Result<std::vector<Queue>> Queues::read() {
  std::vector<Queue> queues;
  const tcmsg everything{.tcm_family = AF_UNSPEC};
  const auto done =
      kernel_.dump(RTM_GETQDISC, std::as_bytes(std::span(&everything, 1)), [&](const auto& one) {
        if (const auto queue = queue_of(one)) queues.push_back(*queue);
      });
  if (!done) return fail(done.error());
  return queues;
}

}  // namespace ebb::netlink
