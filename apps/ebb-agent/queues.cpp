// SPDX-License-Identifier: Apache-2.0
#include "queues.hpp"

#include <cstring>
#include <libmnl/libmnl.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <optional>

namespace ebb::agent {
namespace {

constexpr std::int64_t kBitsPerByte = 8;

// A part of a message as the structure that it is; nothing when it is too short for it.
template <class T>
std::optional<T> read_as(const nlattr& part) {
  if (mnl_attr_get_payload_len(&part) < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, mnl_attr_get_payload(&part), sizeof value);
  return value;
}

bool is_token_bucket(const nlattr& kind) {
  constexpr std::string_view kName = "tbf";
  const std::string_view name(static_cast<const char*>(mnl_attr_get_payload(&kind)),
                              mnl_attr_get_payload_len(&kind));
  return name.substr(0, name.find('\0')) == kName;
}

// Rates of 4 GB/s and more stand in a part of their own.
void take_rate(const nlattr& options, Queue& queue) {
  for_each_part(options, [&](const nlattr& part) {
    if (mnl_attr_get_type(&part) == TCA_TBF_RATE64) {
      if (const auto rate = read_as<std::uint64_t>(part))
        queue.rate = bits_per_second(kBitsPerByte * static_cast<std::int64_t>(*rate));
    } else if (mnl_attr_get_type(&part) == TCA_TBF_PARMS && queue.rate.count() == 0) {
      if (const auto all = read_as<tc_tbf_qopt>(part))
        queue.rate = bits_per_second(kBitsPerByte * std::int64_t{all->rate.rate});
    }
  });
}

void take_length(const nlattr& statistics, Queue& queue) {
  for_each_part(statistics, [&](const nlattr& part) {
    if (mnl_attr_get_type(&part) != TCA_STATS_QUEUE) return;
    if (const auto all = read_as<gnet_stats_queue>(part)) queue.waiting = bytes(all->backlog);
  });
}

std::optional<Queue> queue_of(const nlmsghdr& message) {
  const auto* header = static_cast<const tcmsg*>(mnl_nlmsg_get_payload(&message));
  if (message.nlmsg_type != RTM_NEWQDISC || header->tcm_parent != TC_H_ROOT) return std::nullopt;
  Queue queue{.interface = header->tcm_ifindex};
  bool bucket = false;
  for_each_part(message, sizeof *header, [&](const nlattr& part) {
    const auto type = mnl_attr_get_type(&part);
    if (type == TCA_KIND) bucket = is_token_bucket(part);
    if (type == TCA_OPTIONS && bucket) take_rate(part, queue);
    if (type == TCA_STATS2) take_length(part, queue);
  });
  if (!bucket || queue.rate.count() == 0) return std::nullopt;
  return queue;
}

}  // namespace

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

}  // namespace ebb::agent
