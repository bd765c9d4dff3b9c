// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/replay.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace ebb::replay {
namespace {

constexpr std::int64_t kHoursOfWeek = 7 * kHoursOfDay;
constexpr std::int64_t kHoursOfYear = 8766;

PolicyRun run_one(const FabricSetting& setting, const counters::ChannelLoads& loads,
                  const files::Named& policy, const std::vector<double>& levels) {
  Meter meter(setting.graph, setting.port, levels, loads.begin(),
              GroupPower(setting.switch_groups, setting.graph));
  Fabric fabric(setting, policy, meter);
  std::vector<float> sent(setting.graph.channel_count(), counters::kUnknown);
  for (std::size_t step = 0; step < loads.steps; ++step) {
    for (std::size_t channel = 0; channel < sent.size(); ++channel) {
      if (!loads.loads[channel].empty()) sent[channel] = loads.loads[channel][step];
    }
    fabric.pass(sent, loads.step);
  }
  PolicyRun run{.policy = policy, .links = meter.links(), .hours = meter.hours()};
  run.asleep.reserve(setting.graph.link_count());
  run.power.reserve(setting.graph.link_count());
  run.energy.reserve(setting.graph.link_count());
  for (std::uint32_t which = 0; which < setting.graph.link_count(); ++which) {
    const topology::LinkId link{which};
    run.asleep.push_back(meter.asleep(link));
    run.power.push_back(meter.power(link));
    run.energy.push_back(meter.energy(link));
  }
  run.group_power = meter.group_power();
  run.calendar = meter.calendar();
  run.counts = fabric.decision_counts();
  return run;
}

// Energy of a year at the mean power of a time.
Energy of_a_year(Energy energy, LongTime time) {
  if (time <= LongTime{}) return {};
  constexpr std::int64_t kMicrosecondsOfHour = 3'600'000'000;
  // In 128 bits: a year of a megawatt is 3e31 aJ, and 1e38 is the end.
  const auto per_hour =
      energy.count() / std::max<std::int64_t>(time.count(), 1) * Int128{kMicrosecondsOfHour};
  return Energy::from_count(per_hour * Int128{kHoursOfYear});
}

}  // namespace

Hour PolicyRun::total() const {
  Hour sum;
  for (const Hour& hour : hours) sum.add(hour);
  return sum;
}

std::vector<Hour> by_day(const std::vector<Hour>& hours) {
  return sums_by(hours, [](std::int64_t number) { return number / kHoursOfDay; });
}

std::vector<Hour> by_hour_of_day(const std::vector<Hour>& hours) {
  return sums_by(hours, [](std::int64_t number) { return number % kHoursOfDay; });
}

Year year_of(const std::vector<Hour>& hours) {
  Year year;
  Hour total;
  for (const Hour& hour : hours) total.add(hour);
  year.saved = of_a_year(total.all_awake - total.used, total.time);
  if (hours.empty()) return year;
  const std::int64_t first = hours.front().number;
  for (const auto& [length, name] :
       {std::pair{kHoursOfWeek, std::string_view("weeks")}, {kHoursOfDay, "days"}}) {
    std::vector<Energy> whole;
    for (const Hour& one : sums_by(hours, [&, length = length](std::int64_t number) {
           return (number - first) / length;
         })) {
      if (one.time == std::chrono::hours(length))
        whole.push_back(of_a_year(one.all_awake - one.used, one.time));
    }
    if (whole.size() < 2) continue;
    year.lowest = *std::min_element(whole.begin(), whole.end());
    year.highest = *std::max_element(whole.begin(), whole.end());
    year.periods = name;
    year.period_count = whole.size();
    break;
  }
  return year;
}

std::vector<PolicyRun> replay(const FabricSetting& setting, const counters::ChannelLoads& loads,
                              std::span<const files::Named> policies,
                              const std::vector<double>& levels) {
  std::vector<PolicyRun> runs(policies.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t which = next++; which < policies.size(); which = next++)
      runs[which] = run_one(setting, loads, policies[which], levels);
  };
  const std::size_t threads =
      std::min<std::size_t>(policies.size(), std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> workers;
  for (std::size_t which = 1; which < threads; ++which) workers.emplace_back(work);
  work();
  workers.clear();  // waits for them
  return runs;
}

}  // namespace ebb::replay
