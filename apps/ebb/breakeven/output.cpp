// SPDX-License-Identifier: Apache-2.0
#include "breakeven/output.hpp"

#include "command_line/text.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::cli {
namespace {

using breakeven::ChannelSeen;
using breakeven::ChannelStudy;
using breakeven::GapDecade;
using breakeven::kQuickWake;
using breakeven::Look;
using breakeven::LowPower;
using breakeven::LowPowerState;
using breakeven::Point;
using breakeven::RuleResult;
using breakeven::saving;
using breakeven::ShareRange;
using breakeven::Study;
using breakeven::SwitchPower;
using breakeven::SwitchSavings;
using breakeven::SwitchSeen;
using breakeven::SwitchStudy;

constexpr std::size_t kTextWidth = 100;
constexpr auto kRight = Table::Align::right;

std::string saved(const std::optional<RuleResult>& seen, const LowPowerState& state) {
  return seen ? fmt::format("{:.1f}", 100 * saving(seen->low_power_share, state.power)) : "-";
}

std::string delay(const std::optional<RuleResult>& seen) {
  return seen ? short_text(seen->delay) : "-";
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// The name of a workload above columns, where there are several.
std::string group_of(const Study& study, std::size_t workload) {
  return study.workloads.size() > 1 ? study.workloads[workload] : "";
}

const ChannelStudy& any_channel(const Study& study) {
  return study.bound ? *study.bound : study.channels.front();
}

std::string workloads_text(const Study& study) {
  std::string text = fmt::format("{} hosts, seed {}; both directions of their links\n",
                                 with_separators(study.hosts), study.seed);
  for (std::size_t i = 0; i < study.workloads.size(); ++i) {
    const Look& look = study.channels.empty() && !study.bound ? study.switches.front().seen[i].look
                                                              : any_channel(study).seen[i].look;
    text += wrapped(fmt::format("{}: {}", study.workloads[i], look.workload), kTextWidth, "  ");
  }
  return text;
}

std::string bound_text(const Study& study) {
  const ChannelStudy& bound = *study.bound;
  std::vector<Table::Column> columns = {{"wake", kRight}};
  for (std::size_t i = 0; i < study.workloads.size(); ++i) {
    for (const char* title : {"oracle", "immediate", "delay"})
      columns.push_back({title, kRight, group_of(study, i)});
  }
  Table table(std::move(columns));
  for (std::size_t row = 0; row < bound.seen.front().curve.size(); ++row) {
    std::vector<std::string> cells = {to_text(bound.seen.front().curve[row].change)};
    for (const ChannelSeen& seen : bound.seen) {
      const Point& point = seen.curve[row];
      cells.insert(cells.end(), {saved(point.oracle, bound.state),
                                 saved(point.immediate, bound.state), delay(point.immediate)});
    }
    table.add(std::move(cells));
  }
  return wrapped(fmt::format("What a channel of {} that draws nothing asleep saves by its wake "
                             "time, % of its energy",
                             to_text(bound.rate)),
                 kTextWidth, "") +
         "\n" + table.text();
}

std::vector<std::string> overview_row(const ChannelStudy& channel) {
  std::vector<std::string> cells = {
      channel.part->name, std::string(to_text(channel.state.kind)),
      fmt::format("{:.3g} %", 100 * channel.state.power.to_double()),
      channel.state.own ? to_text(break_even(*channel.state.own)) : "-"};
  for (const ChannelSeen& seen : channel.seen) {
    cells.push_back(seen.own ? saved(seen.own->oracle, channel.state) : "-");
    cells.push_back(seen.own ? saved(seen.own->timeout, channel.state) : "-");
  }
  return cells;
}

std::string overview_text(const Study& study) {
  std::vector<Table::Column> columns = {{"part"}, {"state"}, {"draws", kRight}, {"gap", kRight}};
  for (std::size_t i = 0; i < study.workloads.size(); ++i) {
    columns.push_back({"oracle", kRight, group_of(study, i)});
    columns.push_back({"timeout", kRight, group_of(study, i)});
  }
  Table table(std::move(columns));
  for (const ChannelStudy& channel : study.channels) table.add(overview_row(channel));
  return "Channels by their own figures: shortest gap worth a low-power state, saving in % of "
         "their "
         "energy\n\n" +
         table.text();
}

std::string gaps_text(const Look& look) {
  Table table({{"gaps from", kRight}, {"of the gaps", kRight}, {"of the idle time", kRight}});
  for (const GapDecade& decade : look.gaps.decades) {
    if (decade.gaps == 0) continue;
    table.add({to_text(decade.least),
               percent(static_cast<double>(decade.gaps) / static_cast<double>(look.gaps.gaps)),
               percent(static_cast<double>(decade.idle.count()) /
                       static_cast<double>(look.gaps.idle.count()))});
  }
  return table.text();
}

std::vector<std::string> curve_row(const Point& point, const LowPowerState& state,
                                   const char* mark) {
  return {mark + to_text(point.change),  to_text(point.break_even), saved(point.oracle, state),
          saved(point.immediate, state), delay(point.immediate),    saved(point.timeout, state),
          delay(point.timeout)};
}

// The part's own time stands among the others, with a star.
std::string curve_text(const ChannelSeen& seen, const LowPowerState& state) {
  Table table({{"change", kRight},
               {"gap", kRight},
               {"oracle %", kRight},
               {"immediate %", kRight},
               {"delay", kRight},
               {"timeout %", kRight},
               {"delay", kRight}});
  bool own_left = seen.own.has_value();
  const auto add_own = [&] {
    table.add(curve_row(*seen.own, state, "* "));
    own_left = false;
  };
  for (const Point& point : seen.curve) {
    if (own_left && seen.own->change <= point.change) add_own();
    if (!seen.own || seen.own->change != point.change) table.add(curve_row(point, state, ""));
  }
  if (own_left) add_own();
  return table.text();
}

std::string own_times_text(const LowPowerState& state) {
  if (!state.own) return "how long a change takes is not published";
  return fmt::format("{} {}; the shortest gap worth it is {}",
                     state.kind == LowPower::asleep ? "wakes in" : "down and up each take",
                     to_text(state.own->up), to_text(break_even(*state.own)));
}

std::string seen_text(const std::string& workload, const ChannelSeen& seen,
                      const LowPowerState& state) {
  const Look& look = seen.look;
  return wrapped(fmt::format("{} at {} for {}: {} busy, {} messages, {} gaps, the longest {}",
                             workload, to_text(look.rate), to_text(look.time),
                             percent(look.gaps.load.to_double()), with_separators(look.messages),
                             with_separators(look.gaps.gaps), short_text(look.gaps.longest)),
                 kTextWidth, "") +
         "\n" + gaps_text(look) + "\n" + curve_text(seen, state);
}

std::string details_text(const Study& study, const ChannelStudy& channel) {
  std::string text =
      wrapped(fmt::format("{} ({}), {} at {:.3g} % of full power: {}", channel.part->name,
                          evidence_text(*channel.part, study.library), to_text(channel.state.kind),
                          100 * channel.state.power.to_double(), own_times_text(channel.state)),
              kTextWidth, "");
  for (std::size_t i = 0; i < channel.seen.size(); ++i)
    text += "\n" + seen_text(study.workloads[i], channel.seen[i], channel.state);
  return text;
}

std::string rules_text() {
  return wrapped(
      "oracle: enters the low-power state in each gap longer than the shortest, knowing the "
      "future, "
      "and delays nothing. immediate: in every gap; messages wait until the channel is awake. "
      "timeout: the same after one shortest gap of idleness. delay: added to a message on average. "
      "-: not published, or not to be seen in the time looked at. *: the part's own time",
      kTextWidth, "");
}

std::string whole_percent(const std::optional<Power>& saved, const SwitchSavings& savings) {
  return saved ? fmt::format("{:.0f}", 100 * savings.share(*saved)) : "-";
}

std::string ports_of(const SwitchStudy& each) {
  const auto& setup = each.setup;
  return fmt::format("{} x {}", setup.ports(),
                     setup.setup != nullptr ? setup.setup->name : to_text(setup.rate()));
}

// Whole watts; of the smallest switches also hundredths.
std::string watts_text(Power power) {
  const double watts = to_watts(power);
  return watts < 1 ? fmt::format("{:.2f}", watts) : fmt::format("{:.0f}", watts);
}

std::string links_share(const SwitchStudy& each) {
  if (!each.setup.links_known()) return "?";
  return fmt::format(
      "{:.0f} %", 100 * breakeven::share_of(each.setup.power_at({}).links, each.setup.full_load()));
}

std::vector<std::string> table_row(const SwitchStudy& each) {
  std::vector<std::string> cells = {"  " + ports_of(each), watts_text(each.setup.full_load()),
                                    links_share(each)};
  for (const SwitchSeen& seen : each.seen) {
    cells.insert(cells.end(), {whole_percent(seen.savings.own, seen.savings),
                               whole_percent(seen.savings.quick_sleep, seen.savings),
                               whole_percent(seen.savings.ideal, seen.savings)});
  }
  return cells;
}

std::string table_text(const Study& study) {
  std::vector<Table::Column> columns = {{"switch"}, {"W", kRight}, {"links", kRight}};
  for (const std::string& workload : study.workloads) {
    const std::string group = study.workloads.size() > 1 ? workload : "";
    columns.push_back({"own", kRight, group});
    columns.push_back({to_text(kQuickWake), kRight, group});
    columns.push_back({"ideal", kRight, group});
  }
  Table table(std::move(columns));
  const power::Part* before = nullptr;
  for (const SwitchStudy& each : study.switches) {
    if (each.setup.part != before) {
      table.add({fmt::format("{} ({})", each.setup.part->name,
                             evidence_text(*each.setup.part, study.library))});
    }
    before = each.setup.part;
    table.add(table_row(each));
  }
  return table.text();
}

std::string legend_text() {
  return wrapped(
      fmt::format(
          "W: all ports in use at full load. links: share of it in ports and modules "
          "without traffic; ?: not published. own: by the sleep and the rates that the part "
          "has in the library; -: none published. {}: were there ports that wake so fast "
          "from 0 W. ideal: were the power in proportion to the traffic; what is beyond "
          "{} needs a chassis that scales",
          to_text(kQuickWake), to_text(kQuickWake)),
      kTextWidth, "");
}

std::string percent_and_watts(Power saved, const SwitchSavings& savings) {
  return fmt::format("{:.1f} % ({})", 100 * savings.share(saved), short_text(saved));
}

std::string verdict(const std::string& workload, const SwitchSavings& savings) {
  const std::string today = savings.own
                                ? percent_and_watts(*savings.own, savings) + " by its own figures"
                                : "nothing, no sleep state published";
  const std::string begin =
      fmt::format("{} ({:.1f} % load, draws {}): today: {}; ", workload,
                  100 * savings.load.to_double(), short_text(savings.drawn.total()), today);
  if (!savings.quick_sleep) {
    return begin + fmt::format("what its ports draw is not published; an ideal switch: {}",
                               percent_and_watts(savings.ideal, savings));
  }
  const Power beyond = std::max(Power(), savings.ideal - *savings.quick_sleep);
  return begin + fmt::format(
                     "with ports that sleep and wake in {}: {}; needs a chassis that "
                     "scales: {} more",
                     to_text(kQuickWake), percent_and_watts(*savings.quick_sleep, savings),
                     percent_and_watts(beyond, savings));
}

std::string split_text(const SwitchStudy& each) {
  const SwitchPower idle = each.setup.power_at({});
  const Power full = each.setup.full_load();
  if (!each.setup.links_known())
    return fmt::format("one figure for all of it, {}", short_text(idle.total()));
  return fmt::format("chassis {}, links {}, traffic at full load {}", short_text(idle.chassis),
                     short_text(idle.links), short_text(full - idle.total()));
}

std::string shutdown_text(const SwitchStudy& each) {
  const auto saved = each.setup.saved_by_shutdown_of_a_port();
  if (!saved) return "";
  return wrapped(
      fmt::format("a port shut down for good saves {}, {:.1f} % of the idle box; how long "
                  "it takes to come back is not in the library",
                  short_text(*saved),
                  100 * breakeven::share_of(*saved, each.setup.power_at({}).total())),
      kTextWidth, "  ");
}

std::string words(const Study& study, const SwitchStudy& each) {
  std::string text =
      wrapped(fmt::format("{}, {} ({}): {}", each.setup.part->name, ports_of(each),
                          evidence_text(*each.setup.part, study.library), split_text(each)),
              kTextWidth, "");
  text += shutdown_text(each);
  for (std::size_t i = 0; i < each.seen.size(); ++i)
    text += wrapped(verdict(study.workloads[i], each.seen[i].savings), kTextWidth, "  ");
  return text;
}

std::string range_text(const ShareRange& range, int decimals = 0) {
  return fmt::format("{:.{}f} to {:.{}f} %", 100 * range.least, decimals, 100 * range.most,
                     decimals);
}

std::string summary_text(const Study& study) {
  const breakeven::SwitchSummary all = summary_of(study, [&](const power::Part& part) {
    return evidence_text(part, study.library) == to_text(power::Evidence::measured);
  });
  if (all.boxes == 0) return "";
  const std::string with_sleep =
      all.boxes_with_sleep == 0 ? "none has" : fmt::format("{} have", all.boxes_with_sleep);
  return wrapped(fmt::format("Today: of {} measured boxes ({} setups) {} a published sleep state; "
                             "what can be saved is ports shut down for good, {} of the box each.",
                             all.boxes, all.setups, with_sleep, range_text(all.shutdown, 1)),
                 kTextWidth, "") +
         wrapped(
             fmt::format("With ports that sleep and wake in {}: {} of the box on these "
                         "workloads; their links draw {} of the power at full load.",
                         to_text(kQuickWake), range_text(all.quick_sleep), range_text(all.links)),
             kTextWidth, "") +
         wrapped(fmt::format("Needs a chassis that scales: {} more.", range_text(all.beyond)),
                 kTextWidth, "");
}

std::string switches_text(const Study& study) {
  std::string text = "Switches: where the power is, and what they would save, % of the switch\n\n" +
                     table_text(study) + "\n" + legend_text();
  if (study.bound) return text + "\n" + summary_text(study);
  for (const SwitchStudy& each : study.switches) text += "\n" + words(study, each);
  return text;
}

}  // namespace

std::string breakeven_text(const Study& study) {
  std::string text = workloads_text(study);
  if (study.bound) text += "\n" + bound_text(study);
  if (study.bound && !study.channels.empty()) text += "\n" + overview_text(study);
  if (!study.bound) {
    for (const ChannelStudy& channel : study.channels) text += "\n" + details_text(study, channel);
  }
  if (!study.channels.empty()) text += "\n" + rules_text();
  if (!study.switches.empty()) text += "\n" + switches_text(study);
  return text;
}

}  // namespace ebb::cli
