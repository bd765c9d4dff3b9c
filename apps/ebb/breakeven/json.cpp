// SPDX-License-Identifier: Apache-2.0
#include "breakeven/output.hpp"

#include <nlohmann/json.hpp>

namespace ebb::cli {
namespace {

using breakeven::Point;
using breakeven::Rest;
using breakeven::RuleSeen;
using breakeven::saving;
using Json = nlohmann::ordered_json;

Json rule_json(const std::optional<RuleSeen>& seen, const Rest& rest) {
  if (!seen) return nullptr;
  return {{"resting", seen->resting},
          {"saving", saving(seen->resting, rest.power)},
          {"delay_ps", seen->delay.count()}};
}

Json point_json(const Point& point, const Rest& rest) {
  return {{"change_ps", point.change.count()},
          {"break_even_ps", point.break_even.count()},
          {"ahead", rule_json(point.ahead, rest)},
          {"at_once", rule_json(point.at_once, rest)},
          {"timeout", rule_json(point.timeout, rest)}};
}

Json look_json(const Look& look) {
  Json decades = Json::array();
  for (const breakeven::GapDecade& decade : look.gaps.decades) {
    if (decade.gaps == 0) continue;
    decades.push_back({{"from_ps", decade.least.count()},
                       {"gaps", decade.gaps},
                       {"idle_ps", decade.idle.count()}});
  }
  return {{"workload", look.workload},
          {"rate_bit_per_s", look.rate.count()},
          {"time_ps", look.time.count()},
          {"messages", look.messages},
          {"load", look.gaps.load.to_double()},
          {"gaps", look.gaps.gaps},
          {"longest_gap_ps", look.gaps.longest.count()},
          {"gaps_by_length", decades}};
}

Json channel_json(const ChannelStudy& channel) {
  Json workloads = Json::array();
  for (const ChannelSeen& seen : channel.seen) {
    Json entry = look_json(seen.look);
    entry["own"] = seen.own ? point_json(*seen.own, channel.rest) : Json();
    entry["curve"] = Json::array();
    for (const Point& point : seen.curve) entry["curve"].push_back(point_json(point, channel.rest));
    workloads.push_back(std::move(entry));
  }
  const auto& own = channel.rest.own;
  return {{"part", channel.part},
          {"evidence", channel.evidence},
          {"rest", to_text(channel.rest.where)},
          {"relative_power", channel.rest.power.to_double()},
          {"down_ps", own ? Json(own->down.count()) : Json()},
          {"up_ps", own ? Json(own->up.count()) : Json()},
          {"break_even_ps", own ? Json(break_even(*own).count()) : Json()},
          {"workloads", workloads}};
}

Json watts_json(const std::optional<Power>& power) {
  return power ? Json(to_watts(*power)) : Json();
}

Json switch_json(const SwitchStudy& each) {
  Json workloads = Json::array();
  for (const SwitchSeen& seen : each.seen) {
    Json entry = look_json(seen.look);
    entry["drawn_w"] = to_watts(seen.banked.drawn.total());
    entry["saved_own_w"] = watts_json(seen.banked.own);
    entry["saved_quick_sleep_w"] = watts_json(seen.banked.quick_sleep);
    entry["saved_ideal_w"] = to_watts(seen.banked.ideal);
    workloads.push_back(std::move(entry));
  }
  const auto idle = each.setup.power_at({});
  const bool known = each.setup.links_known();
  return {{"part", each.setup.part->name},
          {"evidence", each.evidence},
          {"setup", each.setup.setup != nullptr ? Json(each.setup.setup->name) : Json()},
          {"ports", each.setup.ports()},
          {"chassis_w", known ? Json(to_watts(idle.chassis)) : Json()},
          {"links_w", known ? Json(to_watts(idle.links)) : Json()},
          {"full_load_w", to_watts(each.setup.power_at(Ratio(1, 1)).total())},
          {"saved_by_shutdown_of_a_port_w", watts_json(each.setup.saved_by_shutdown_of_a_port())},
          {"workloads", workloads}};
}

}  // namespace

std::string breakeven_json(const BreakevenStudy& study) {
  Json json = {{"schema_version", 1},       {"hosts", study.hosts},
               {"seed", study.seed},        {"quick_wake_ps", breakeven::kQuickWake.count()},
               {"channels", Json::array()}, {"switches", Json::array()}};
  for (const ChannelStudy& channel : study.channels)
    json["channels"].push_back(channel_json(channel));
  for (const SwitchStudy& each : study.switches) json["switches"].push_back(switch_json(each));
  return json.dump(2) + "\n";
}

}  // namespace ebb::cli
