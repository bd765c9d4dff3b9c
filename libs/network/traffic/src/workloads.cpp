// SPDX-License-Identifier: Apache-2.0
#include "kinds.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/names.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/traffic/workload_kind.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ebb::traffic {

// One line per workload, so that adding one changes one line.
std::span<const WorkloadKind> workload_kinds() {
  // clang-format off
  static const std::vector<WorkloadKind> kKinds = {
      search::kind(),
      advert::kind(),
      video::kind(),
  };
  // clang-format on
  return kKinds;
}

Result<const WorkloadKind*> find_workload_kind(std::string_view name) {
  return find_named("workload", workload_kinds(), name, &WorkloadKind::name);
}

Result<std::unique_ptr<Workload>> make_workload(std::string_view name, const Shape& shape,
                                                DataRate host_rate,
                                                const ParameterTexts& parameters) {
  Errors errors = validate(shape);
  const Errors more = validate(host_rate);
  errors.insert(errors.end(), more.begin(), more.end());
  const auto kind = find_workload_kind(name);
  if (!kind) {
    errors.insert(errors.end(), kind.error().begin(), kind.error().end());
    return fail(std::move(errors));
  }
  const auto resolved = Parameters::resolve((*kind)->parameters, parameters);
  if (!resolved) errors.insert(errors.end(), resolved.error().begin(), resolved.error().end());
  if (!errors.empty()) return fail(std::move(errors));
  return (*kind)->make(shape, host_rate, *resolved);
}

namespace {

constexpr std::int64_t kMostMessages = 20'000'000;  // 1 GB, by sources and by destinations

}  // namespace

Result<std::vector<Message>> every_message(const Workload& workload, std::uint64_t seed,
                                           TimePoint until) {
  if (Errors errors = workload.validate(until); !errors.empty()) return fail(std::move(errors));
  const auto source = workload.start({.seed = seed, .until = until});
  std::vector<Message> messages;
  for (std::uint32_t host = 0; host < workload.hosts(); ++host) {
    while (const auto message = source->next(host)) {
      if (static_cast<std::int64_t>(messages.size()) == kMostMessages) {
        return fail(fmt::format("more than {} million messages up to {}: look at a shorter time",
                                kMostMessages / 1'000'000, to_text(until.time_since_epoch())));
      }
      messages.push_back(*message);
    }
  }
  return messages;
}

std::vector<Message> by_destination(std::vector<Message> messages) {
  std::stable_sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
    return std::tie(a.destination, a.at) < std::tie(b.destination, b.at);
  });
  return messages;
}

void Offered::add(const Message& message) {
  EBB_CHECK(message.source < hosts() && message.destination < hosts(),
            "a message of a host that the network does not have");
  sent_[message.source] += message.size;
  received_[message.destination] += message.size;
  total_ += message.size;
  ++messages_;
}

Offered& Offered::operator+=(const Offered& other) {
  EBB_CHECK(hosts() == other.hosts(), "parts of different networks");
  for (std::uint32_t host = 0; host < hosts(); ++host) {
    sent_[host] += other.sent_[host];
    received_[host] += other.received_[host];
  }
  total_ += other.total_;
  messages_ += other.messages_;
  return *this;
}

Offered offered(const Workload& workload, std::uint64_t seed, TimePoint until) {
  Offered sum(workload.hosts());
  const auto source = workload.start({.seed = seed, .until = until});
  for (std::uint32_t host = 0; host < workload.hosts(); ++host) {
    while (const auto message = source->next(host)) sum.add(*message);
  }
  return sum;
}

}  // namespace ebb::traffic
