// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/study.hpp"

#include "ebb/config/standalone_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <utility>

namespace ebb::breakeven {
namespace {

using Curves = StudyInput::Curves;

// A link of 40 Gb/s takes 200 ms for it: thousands of messages of the usual workloads.
constexpr DataSize kLookedAt = bytes(1'000'000'000);
constexpr Duration kLongestLook = std::chrono::hours(1);
constexpr DataRate kBoundRate = gigabits_per_second(40);

std::vector<ChannelStudy> channels_of(const power::Part& part) {
  std::vector<ChannelStudy> channels;
  const auto* rate_table = std::get_if<power::RateTable>(&part.body);
  if (rate_table == nullptr) return channels;
  for (const LowPowerState& state : low_power_states(*rate_table))
    channels.push_back({&part, rate_table->steps.back().rate, state, {}});
  return channels;
}

// Channels and switches of the part; what it is for when it has neither.
Result<void> add_part(const power::Part& part, Study& study) {
  auto channels = channels_of(part);
  const auto setups = setups_of(part, study.library);
  if (channels.empty() && setups.empty()) {
    return fail(fmt::format("'{}' is a {} that {}", part.name, kind_of(part),
                            std::holds_alternative<power::RateTable>(part.body)
                                ? "can neither sleep nor slow down"
                                : "does not fit here: name a rate table, a chip or a box"));
  }
  std::move(channels.begin(), channels.end(), std::back_inserter(study.channels));
  for (const SwitchSetup& setup : setups) study.switches.push_back({setup, setup.rate(), {}});
  return {};
}

Result<void> choose_parts(const std::vector<std::string>& names, Study& study) {
  Errors errors;
  if (names.empty()) {
    for (const power::Part& part : study.library.parts()) (void)add_part(part, study);
  }
  for (const std::string& name : names) {
    const auto part = study.library.find(name);
    const auto added = part ? add_part(**part, study) : fail(part.error());
    if (!added) errors.insert(errors.end(), added.error().begin(), added.error().end());
  }
  if (!errors.empty()) return fail(std::move(errors));
  return {};
}

void set_rates(DataRate rate, Study& study) {
  if (study.bound) study.bound->rate = rate;
  for (ChannelStudy& channel : study.channels) channel.rate = rate;
  for (SwitchStudy& each : study.switches) each.rate = rate;
}

std::set<DataRate> rates_of(const Study& study) {
  std::set<DataRate> rates;
  if (study.bound) rates.insert(study.bound->rate);
  for (const ChannelStudy& channel : study.channels) rates.insert(channel.rate);
  for (const SwitchStudy& each : study.switches) rates.insert(each.rate);
  return rates;
}

// The curves of one workload at one rate, which parts share.
class SharedCurves {
 public:
  SharedCurves(const HostChannels& channels, Curves curves)
      : channels_(channels),
        changes_(curves == Curves::thirds_of_decades ? thirds_of_decades() : decades()) {}

  const std::vector<Point>& of(LowPower kind) {
    auto& curve = kind == LowPower::asleep ? asleep_ : slowest_;
    if (curve.empty()) curve = curve_of(channels_, kind, changes_);
    return curve;
  }

 private:
  const HostChannels& channels_;
  std::vector<Duration> changes_;
  std::vector<Point> asleep_;
  std::vector<Point> slowest_;
};

void look_at_channel(const Look& look, const HostChannels& channels, SharedCurves* curves,
                     ChannelStudy& study) {
  ChannelSeen seen{.look = look, .own = std::nullopt, .curve = {}};
  if (study.state.own) seen.own = point_of(channels, *study.state.own);
  if (curves != nullptr) seen.curve = curves->of(study.state.kind);
  study.seen.push_back(std::move(seen));
}

// Everything that has links of the rate of `look`.
void look_at(const Look& look, const HostChannels& channels, Curves wanted, Study& study) {
  SharedCurves curves(channels, wanted);
  if (study.bound && study.bound->rate == look.rate)
    look_at_channel(look, channels, &curves, *study.bound);
  for (ChannelStudy& channel : study.channels) {
    if (channel.rate == look.rate)
      look_at_channel(look, channels, wanted == Curves::overview ? nullptr : &curves, channel);
  }
  for (SwitchStudy& each : study.switches) {
    if (each.rate == look.rate)
      each.seen.push_back({look, savings(each.setup, channels, look.gaps.load)});
  }
}

Result<void> look_at_workload(const NamedWorkload& workload, const StudyInput& input,
                              Study& study) {
  for (const DataRate rate : rates_of(study)) {
    const auto made =
        config::named_workload(workload.name, workload.parameters, input.hosts, rate, input.seed);
    if (!made) return fail(made.error());
    const Duration time =
        input.time.value_or(std::min(kLongestLook, serialization_time(kLookedAt, rate)));
    const auto channels = HostChannels::of(*made->workload, rate, input.seed, TimePoint(time));
    if (!channels) return fail(channels.error());
    const Look look{made->name, rate, time, channels->transmissions() / 2, gaps_of(*channels)};
    look_at(look, *channels, input.curves, study);
  }
  return {};
}

}  // namespace

std::vector<NamedWorkload> usual_workloads() {
  return {{"uniform", "poisson", {{"load", "23%"}, {"size", "512KiB"}}},
          {"search", "search", {}},
          {"advert", "advert", {}}};
}

std::vector<NamedWorkload> workloads_of(std::span<const std::string> words) {
  std::vector<NamedWorkload> workloads;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    if (workloads.empty() || equals == std::string::npos) {
      workloads.push_back({word, word, {}});
    } else {
      workloads.back().parameters.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const auto same = std::count_if(
        workloads.begin(), workloads.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const NamedWorkload& earlier) { return earlier.name == workloads[i].name; });
    if (same > 0) workloads[i].label += fmt::format(" ({})", same + 1);
  }
  return workloads;
}

Result<Study> study(power::Library library, const StudyInput& input) {
  Study study{.library = std::move(library), .hosts = input.hosts, .seed = input.seed};
  if (auto chosen = choose_parts(input.parts, study); !chosen) return fail(chosen.error());
  if (input.curves == Curves::overview)
    study.bound = ChannelStudy{.rate = kBoundRate, .state = {LowPower::asleep, Ratio(), {}}};
  if (input.rate) set_rates(*input.rate, study);
  for (const NamedWorkload& workload : input.workloads) {
    study.workloads.push_back(workload.label);
    if (auto looked = look_at_workload(workload, input, study); !looked)
      return fail(looked.error());
  }
  return study;
}

void ShareRange::add(double share) {
  least = std::min(least, share);
  most = std::max(most, share);
}

SwitchSummary summary_of(const Study& study,
                         const std::function<bool(const power::Part&)>& included) {
  SwitchSummary summary;
  std::set<std::string> boxes;
  std::set<std::string> with_sleep;
  for (const SwitchStudy& each : study.switches) {
    const SwitchSetup& setup = each.setup;
    if (!included(*setup.part) || !setup.links_known()) continue;
    boxes.insert(setup.part->name);
    ++summary.setups;
    const SwitchPower idle = setup.power_at({});
    summary.links.add(share_of(idle.links, setup.full_load()));
    if (const auto saved = setup.saved_by_shutdown_of_a_port())
      summary.shutdown.add(std::max(0.0, share_of(*saved, idle.total())));  // below 0 is scatter
    for (const SwitchSeen& seen : each.seen) {
      const SwitchSavings& savings = seen.savings;
      if (savings.own) with_sleep.insert(setup.part->name);
      if (!savings.quick_sleep) continue;
      summary.quick_sleep.add(savings.share(*savings.quick_sleep));
      summary.beyond.add(savings.share(savings.ideal - *savings.quick_sleep));
    }
  }
  summary.boxes = boxes.size();
  summary.boxes_with_sleep = with_sleep.size();
  return summary;
}

}  // namespace ebb::breakeven
