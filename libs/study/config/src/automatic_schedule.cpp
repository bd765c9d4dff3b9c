// SPDX-License-Identifier: Apache-2.0
#include "automatic_schedule.hpp"

#include "ebb/netsim/report.hpp"

#include <algorithm>
#include <cstdint>

namespace ebb::config {
namespace {

// Of a workload that does not know its sizes: those of its first messages.
traffic::MessageSizes sampled_sizes(const traffic::Workload& workload) {
  constexpr std::int64_t kEnough = 100'000;
  const TimePoint until = netsim::Schedule{}.latest_end();
  if (!workload.validate(until).empty()) return {};
  const auto source = workload.start({.seed = 1, .until = until});
  DataSize longest;
  Int128 sum = 0;
  Int128 squares = 0;
  std::int64_t messages = 0;
  for (std::uint32_t host = 0; host < workload.hosts() && messages < kEnough; ++host) {
    for (auto one = source->next(host); one && messages < kEnough; one = source->next(host)) {
      ++messages;
      longest = std::max(longest, one->size);
      sum += one->size.count();
      squares += static_cast<Int128>(one->size.count()) * one->size.count();
    }
  }
  if (sum == 0) return {};
  return {longest, bits(static_cast<std::int64_t>(squares / (2 * sum)))};
}

}  // namespace

netsim::Schedule automatic_schedule(const SimSpec& spec, const traffic::Workload& workload,
                                    DataRate host_rate) {
  const auto known = workload.sizes();
  const Duration needed =
      std::min(kLongestAutomatic,
               netsim::least_measure(known ? *known : sampled_sizes(workload), host_rate));
  netsim::Schedule schedule = spec.schedule;
  const auto extend = [](bool automatic, Duration least, Duration& time) {
    if (automatic) time = std::max(time, least);
  };
  extend(spec.automatic.measure, needed, schedule.measure);
  extend(spec.automatic.warm_up_limit, 2 * needed, schedule.warm_up_limit);
  extend(spec.automatic.tail_limit, needed, schedule.tail_limit);
  return workload.validate(schedule.latest_end()).empty() ? schedule : spec.schedule;
}

}  // namespace ebb::config
