// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/every_message.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ebb::traffic {
namespace {

constexpr std::int64_t kMostMessages = 20'000'000;  // 1 GB, by sources and by destinations

}  // namespace

Result<std::vector<Message>> every_message(const Workload& workload, std::uint64_t seed,
                                           TimePoint until) {
  if (Errors errors = workload.refusals(until); !errors.empty()) return fail(std::move(errors));
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

}  // namespace ebb::traffic
