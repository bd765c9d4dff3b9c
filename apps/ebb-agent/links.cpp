// SPDX-License-Identifier: Apache-2.0
#include "links.hpp"

#include <libmnl/libmnl.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <sys/epoll.h>

namespace ebb::agent {
namespace {

LinkSeen link_of(const nlmsghdr& message) {
  const auto* header = static_cast<const ifinfomsg*>(mnl_nlmsg_get_payload(&message));
  const bool up = message.nlmsg_type == RTM_NEWLINK && (header->ifi_flags & IFF_UP) != 0 &&
                  (header->ifi_flags & IFF_LOWER_UP) != 0;
  LinkSeen link{header->ifi_index, {}, up};
  for_each_part(message, sizeof *header, [&](const nlattr& part) {
    if (mnl_attr_get_type(&part) == IFLA_IFNAME &&
        mnl_attr_validate(&part, MNL_TYPE_NUL_STRING) >= 0)
      link.name = mnl_attr_get_str(&part);
  });
  return link;
}

Netlink::Handle teller(const Links::Told& told) {
  return [&told](const nlmsghdr& message) {
    if (message.nlmsg_type == RTM_NEWLINK || message.nlmsg_type == RTM_DELLINK)
      told(link_of(message));
  };
}

}  // namespace

Result<std::unique_ptr<Links>> Links::open(transport::Loop& loop, Told told) {
  auto kernel = Netlink::open(RTMGRP_LINK);
  if (!kernel) return fail(kernel.error());
  return std::make_unique<Links>(loop, std::move(*kernel), std::move(told));
}

Links::Links(transport::Loop& loop, Netlink kernel, Told told)
    : loop_(loop), kernel_(std::move(kernel)), told_(std::move(told)) {
  loop_.watch(kernel_.descriptor(), EPOLLIN, [this](std::uint32_t) { hear(); });
}

Links::~Links() { loop_.forget(kernel_.descriptor()); }

// By a conversation of its own: what is heard in between must not be taken for the answer.
Result<void> Links::tell_all() {
  auto kernel = Netlink::open();
  if (!kernel) return fail(kernel.error());
  const ifinfomsg everything{};
  return kernel->dump(RTM_GETLINK, std::as_bytes(std::span(&everything, 1)), teller(told_));
}

void Links::hear() {
  // Some was lost: the whole says it too. If that fails as well, the next change is heard.
  if (!kernel_.receive(teller(told_))) static_cast<void>(tell_all());
}

}  // namespace ebb::agent
