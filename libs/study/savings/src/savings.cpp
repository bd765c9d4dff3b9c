// SPDX-License-Identifier: Apache-2.0
#include "ebb/savings/savings.hpp"

#include "packet.hpp"

#include "ebb/breakeven/host_channels.hpp"
#include "ebb/breakeven/low_power.hpp"
#include "ebb/config/standalone_workload.hpp"
#include "ebb/plan/wall.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/power/model.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ebb::savings {
namespace {

using breakeven::HostChannels;
using breakeven::LowPower;
using breakeven::LowPowerState;

constexpr std::uint32_t kHosts = 64;  // of a workload without a network
constexpr DataSize kCarried = bytes(1'000'000'000);
constexpr Duration kLongest = std::chrono::hours(1);

// The rate table is needed: without one every policy leaves all links at full power.
Result<plan::LinkModel> scaled_links(const plan::Inputs& inputs, const power::Library& library) {
  const auto model = plan::link_model(inputs, library);
  if (!model) return fail(model.error());
  if (*model) return **model;
  const auto fitting = library.parts_where<power::RateTable>(
      [&](const power::RateTable& table) { return table.steps.back().rate == inputs.rate; });
  return fail(
      fmt::format("'{}' has no rate table for links of {}, so no policy can act; name one "
                  "with --rate-table{}{}",
                  inputs.parts.switch_part, ebb::to_text(inputs.rate), fitting.empty() ? "" : ": ",
                  power::names_text(fitting)));
}

Result<Parameters> parameters_of(const files::Named& policy) {
  const auto entry = policy::find_policy(policy.name);
  if (!entry) return fail(entry.error());
  return Parameters::resolve((*entry)->parameters, policy.parameters);
}

// The low-power state of `on-demand`, with its times.
Result<LowPowerState> state_of(const Parameters& parameters, const power::RateTable& rate_table) {
  const std::string wanted = parameters.choice("low_power_state");
  const LowPower kind = wanted == "sleep" ? LowPower::asleep : LowPower::slowest;
  for (const LowPowerState& state : breakeven::low_power_states(rate_table)) {
    if (state.kind == kind && state.own) return state;
  }
  return fail(
      fmt::format("the rate table has no state '{}' with the time that it takes, so the "
                  "policy cannot act",
                  wanted));
}

// What hosts send, and when their channels carry it.
struct HostTraffic {
  std::string workload;  // with every parameter
  HostChannels channels;
};

Result<HostTraffic> host_traffic(const Question& question, DataRate rate) {
  const auto made = config::named_workload(question.workload.name, question.workload.parameters,
                                           kHosts, rate, question.seed);
  if (!made) return fail(made.error());
  const Duration time =
      question.time.value_or(std::min(kLongest, serialization_time(kCarried, rate)));
  auto channels = HostChannels::of(*made->workload, rate, question.seed, TimePoint(time));
  if (!channels) return fail(channels.error());
  return HostTraffic{made->name, std::move(*channels)};
}

Result<LinkSaving> on_demand(const Parameters& parameters, const power::RateTable& rate_table,
                             const HostChannels& channels) {
  const auto state = state_of(parameters, rate_table);
  if (!state) return fail(state.error());
  if (!breakeven::long_enough(channels, *state->own)) {
    return fail(fmt::format("{} is too short to see changes of {}; look longer with --time",
                            ebb::to_text(channels.until().time_since_epoch()),
                            ebb::to_text(state->own->up)));
  }
  const auto replayed =
      breakeven::replay_on_demand(channels, parameters.duration("idle"), *state->own);
  const breakeven::RuleResult result = breakeven::result_of(channels, replayed);
  LinkSaving saving;
  saving.saved = breakeven::saving(result.low_power_share, state->power);
  saving.delay = result.delay;
  return saving;
}

Result<LinkSaving> by_breakeven(const Question& question, const plan::LinkModel& links,
                                DataRate rate) {
  const auto parameters = parameters_of(question.policy);
  if (!parameters) return fail(parameters.error());
  const auto traffic = host_traffic(question, rate);
  if (!traffic) return fail(traffic.error());
  LinkSaving saving;
  saving.delay = Duration{};
  if (question.policy.name == "on-demand") {
    auto found = on_demand(*parameters, *links.rate_table, traffic->channels);
    if (!found) return fail(found.error());
    saving = *found;
  } else if (question.policy.name == "always-slowest") {
    saving.saved = 1 - power::slowest(*links.rate_table).to_double();
    saving.delay.reset();  // slower links may carry less than is offered
  }
  saving.workload = traffic->workload;
  saving.load = breakeven::gaps_of(traffic->channels).load.to_double();
  return saving;
}

}  // namespace

std::string_view to_text(Basis basis) {
  return basis == Basis::breakeven ? "break-even" : "packet simulation";
}

bool known_to_breakeven(const files::Named& policy) {
  const auto parameters = parameters_of(policy);
  if (!parameters) return false;
  if (policy.name == "on-demand") {
    return parameters->size("queued") == bytes(1) &&
           parameters->duration("max_coalescing_delay") == Duration{};
  }
  return policy.name == "always-on" || policy.name == "always-slowest";
}

Result<LinkSaving> link_saving(const Question& question, const plan::Design& design,
                               const plan::Inputs& inputs, const power::Library& library) {
  const auto links = scaled_links(inputs, library);
  if (!links) return fail(links.error());
  if (const auto parameters = parameters_of(question.policy); !parameters)
    return fail(parameters.error());
  const bool known = known_to_breakeven(question.policy);
  const Basis basis = question.basis.value_or(known ? Basis::breakeven : Basis::packet);
  if (basis == Basis::packet) return simulated_saving(question, design, *links, inputs, library);
  if (!known) {
    return fail(
        fmt::format("break-even has no rule for '{}' with these parameters; take a packet "
                    "simulation, --basis packet",
                    question.policy.name));
  }
  if (question.threads) {
    return fail(
        "break-even simulates nothing, so --threads has no effect; take a packet simulation, "
        "--basis packet");
  }
  auto saving = by_breakeven(question, *links, inputs.rate);
  if (saving) saving->rate_table = links->rate_table_name;
  return saving;
}

Result<Year> year_of(const plan::Design& design, const plan::Inputs& inputs,
                     const power::Library& library, const LinkSaving& share) {
  const auto links = scaled_links(inputs, library);
  if (!links) return fail(links.error());
  constexpr std::chrono::hours kYear(8'760);
  Year year;
  year.links = links->links(design.parts);
  year.saved = microwatts(std::llround(static_cast<double>(year.links.count()) * share.saved));
  constexpr std::int64_t kMillion = 1'000'000;
  const auto at_wall = plan::links_save_at_wall(
      design.parts, inputs, Ratio(std::llround((1 - share.saved) * kMillion), kMillion), library);
  if (!at_wall) return fail(at_wall.error());
  year.saved_at_wall = *at_wall;
  year.energy = scale(year.saved_at_wall.value_or(year.saved), inputs.tariff.pue) * kYear;
  year.money = cost(year.energy, inputs.tariff.price);
  year.carbon = emission(year.energy, inputs.tariff.carbon);
  return year;
}

}  // namespace ebb::savings
