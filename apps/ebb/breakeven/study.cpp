// SPDX-License-Identifier: Apache-2.0
#include "breakeven/study.hpp"

#include "command_line/data_folder.hpp"
#include "command_line/name_and_parameters.hpp"
#include "parts/part_text.hpp"
#include "traffic/subject.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace ebb::cli {
namespace {

using breakeven::HostChannels;
using breakeven::Where;

// A link of 40 Gb/s takes 200 ms for it: thousands of messages of the usual workloads.
constexpr DataSize kLookedAt = bytes(1'000'000'000);
constexpr Duration kLongestLook = std::chrono::hours(1);
constexpr DataRate kBoundRate = gigabits_per_second(40);

struct NamedWorkload {
  std::string label;
  std::vector<std::string> what;  // NAME key=value ...
};

// That of the ISCA 2010 evaluation, and its two services.
std::vector<NamedWorkload> usual_workloads() {
  return {{"uniform", {"poisson", "load=23%", "size=512KiB"}},
          {"search", {"search"}},
          {"advert", {"advert"}}};
}

std::vector<NamedWorkload> workloads_of(const std::vector<std::string>& words) {
  if (words.empty()) return usual_workloads();
  std::vector<NamedWorkload> workloads;
  for (const std::string& word : words) {
    if (workloads.empty() || word.find('=') == std::string::npos) workloads.push_back({word, {}});
    workloads.back().what.push_back(word);
  }
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const auto same = std::count_if(
        workloads.begin(), workloads.begin() + static_cast<long>(i),
        [&](const NamedWorkload& earlier) { return earlier.what[0] == workloads[i].what[0]; });
    if (same > 0) workloads[i].label += fmt::format(" ({})", same + 1);
  }
  return workloads;
}

std::vector<ChannelStudy> channels_of(const power::Part& part, const power::Library& library) {
  std::vector<ChannelStudy> channels;
  const auto* ladder = std::get_if<power::Ladder>(&part.body);
  if (ladder == nullptr) return channels;
  for (const breakeven::Rest& rest : breakeven::rests_of(*ladder)) {
    channels.push_back(
        {part.name, evidence_text(part, library), ladder->steps.back().rate, rest, {}});
  }
  return channels;
}

// Channels and switches of the part; what it is for when it has neither.
Result<void> add_part(const power::Part& part, BreakevenStudy& study) {
  auto channels = channels_of(part, study.library);
  const auto setups = breakeven::setups_of(part, study.library);
  if (channels.empty() && setups.empty()) {
    return fail(fmt::format("'{}' is a {} that {}", part.name, kind_of(part),
                            kind_of(part) == "ladder" ? "can neither sleep nor slow down"
                                                      : "does not fit here: name a ladder, a chip "
                                                        "or a box"));
  }
  std::move(channels.begin(), channels.end(), std::back_inserter(study.channels));
  for (const breakeven::SwitchSetup& setup : setups)
    study.switches.push_back({setup, evidence_text(part, study.library), setup.rate(), {}});
  return {};
}

Result<void> choose_parts(const std::vector<std::string>& names, BreakevenStudy& study) {
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

void set_rates(DataRate rate, BreakevenStudy& study) {
  if (study.bound) study.bound->rate = rate;
  for (ChannelStudy& channel : study.channels) channel.rate = rate;
  for (SwitchStudy& each : study.switches) each.rate = rate;
}

std::set<DataRate> rates_of(const BreakevenStudy& study) {
  std::set<DataRate> rates;
  if (study.bound) rates.insert(study.bound->rate);
  for (const ChannelStudy& channel : study.channels) rates.insert(channel.rate);
  for (const SwitchStudy& each : study.switches) rates.insert(each.rate);
  return rates;
}

// Curves of 28 points for machines, of 10 for people.
std::vector<Duration> changes_of(const BreakevenOptions& options) {
  return options.json || options.csv ? breakeven::thirds_of_decades() : breakeven::decades();
}

// The curves of one workload at one rate; parts share them.
class Curves {
 public:
  Curves(const HostChannels& channels, std::vector<Duration> changes)
      : channels_(channels), changes_(std::move(changes)) {}

  const std::vector<breakeven::Point>& of(Where where) {
    auto& curve = where == Where::asleep ? asleep_ : slowest_;
    if (curve.empty()) curve = curve_of(channels_, where, changes_);
    return curve;
  }

 private:
  const HostChannels& channels_;
  std::vector<Duration> changes_;
  std::vector<breakeven::Point> asleep_;
  std::vector<breakeven::Point> slowest_;
};

void look_at_channel(const Look& look, const HostChannels& channels, Curves* curves,
                     ChannelStudy& study) {
  ChannelSeen seen{.look = look, .own = std::nullopt, .curve = {}};
  if (study.rest.own) seen.own = point_of(channels, *study.rest.own);
  if (curves != nullptr) seen.curve = curves->of(study.rest.where);
  study.seen.push_back(std::move(seen));
}

// Everything that has links of the rate of `look`. People who named no part get one curve, that of
// the bound.
void look_at(const Look& look, const HostChannels& channels, const BreakevenOptions& options,
             BreakevenStudy& study) {
  Curves curves(channels, changes_of(options));
  const bool overview = options.parts.empty() && !options.json && !options.csv;
  if (study.bound && study.bound->rate == look.rate)
    look_at_channel(look, channels, &curves, *study.bound);
  for (ChannelStudy& channel : study.channels) {
    if (channel.rate == look.rate)
      look_at_channel(look, channels, overview ? nullptr : &curves, channel);
  }
  for (SwitchStudy& each : study.switches) {
    if (each.rate == look.rate)
      each.seen.push_back({look, banked(each.setup, channels, look.gaps.load)});
  }
}

TrafficOptions traffic_of(const NamedWorkload& workload, DataRate rate,
                          const BreakevenOptions& options) {
  TrafficOptions traffic;
  traffic.what = workload.what;
  traffic.hosts = options.hosts;
  traffic.rate = to_text(rate);
  traffic.seed = options.seed;
  traffic.time = options.time;
  if (options.time.empty())
    traffic.time = to_text(std::min(kLongestLook, serialization_time(kLookedAt, rate)));
  return traffic;
}

Result<void> look_at_workload(const NamedWorkload& workload, const BreakevenOptions& options,
                              BreakevenStudy& study) {
  if (names_a_file(workload.what))
    return fail(fmt::format("--workload takes names of `ebb list`, not '{}'", workload.label));
  for (const DataRate rate : rates_of(study)) {
    const auto subject = load_subject(traffic_of(workload, rate, options));
    if (!subject) return fail(subject.error());
    const auto channels = HostChannels::of(*subject->workload, rate, subject->seed, subject->until);
    if (!channels) return fail(channels.error());
    study.hosts = subject->hosts;
    study.seed = subject->seed;
    const Look look{subject->name, rate, subject->until.time_since_epoch(),
                    channels->sendings() / 2, gaps_of(*channels)};
    look_at(look, *channels, options, study);
  }
  return {};
}

Result<std::optional<DataRate>> rate_of(const std::string& text) {
  if (text.empty()) return std::optional<DataRate>();
  const auto rate = parse<DataRate>(text);
  if (!rate) return fail("--rate: " + rate.error().front().message);
  if (*rate <= DataRate()) return fail("--rate: must be above 0b/s");
  return std::optional(*rate);
}

}  // namespace

Result<BreakevenStudy> study(const BreakevenOptions& options) {
  auto library = load_parts(options.part_files);
  if (!library) return fail(library.error());
  BreakevenStudy study{.library = std::move(*library)};
  if (auto chosen = choose_parts(options.parts, study); !chosen) return fail(chosen.error());
  const auto rate = rate_of(options.rate);
  if (!rate) return fail(rate.error());
  if (options.parts.empty() && !options.json && !options.csv)
    study.bound = ChannelStudy{.rate = kBoundRate, .rest = {Where::asleep, Ratio(), {}}};
  if (*rate) set_rates(**rate, study);
  for (const NamedWorkload& workload : workloads_of(options.workloads)) {
    study.workloads.push_back(workload.label);
    auto looked = look_at_workload(workload, options, study);
    if (!looked) return fail(looked.error());
  }
  return study;
}

}  // namespace ebb::cli
