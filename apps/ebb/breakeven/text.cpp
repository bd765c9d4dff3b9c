// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/text.hpp"

#include "breakeven/output.hpp"
#include "command_line/short_text.hpp"
#include "command_line/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::cli {
namespace {

using breakeven::Point;
using breakeven::Rest;
using breakeven::RuleSeen;
using breakeven::saving;

constexpr std::size_t kTextWidth = 100;
constexpr auto kRight = Table::Align::right;

std::string saved(const std::optional<RuleSeen>& seen, const Rest& rest) {
  return seen ? fmt::format("{:.1f}", 100 * saving(seen->resting, rest.power)) : "-";
}

std::string delay(const std::optional<RuleSeen>& seen) {
  return seen ? short_text(seen->delay) : "-";
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// The name of a workload above columns, where there are several.
std::string group_of(const BreakevenStudy& study, std::size_t workload) {
  return study.workloads.size() > 1 ? study.workloads[workload] : "";
}

const ChannelStudy& any_channel(const BreakevenStudy& study) {
  return study.bound ? *study.bound : study.channels.front();
}

std::string workloads_text(const BreakevenStudy& study) {
  std::string text = fmt::format("{} hosts, seed {}; both directions of their links\n",
                                 with_separators(study.hosts), study.seed);
  for (std::size_t i = 0; i < study.workloads.size(); ++i) {
    const Look& look = study.channels.empty() && !study.bound ? study.switches.front().seen[i].look
                                                              : any_channel(study).seen[i].look;
    text += wrapped(fmt::format("{}: {}", study.workloads[i], look.workload), kTextWidth, "  ");
  }
  return text;
}

std::string bound_text(const BreakevenStudy& study) {
  const ChannelStudy& bound = *study.bound;
  std::vector<Table::Column> columns = {{"wake", kRight}};
  for (std::size_t i = 0; i < study.workloads.size(); ++i) {
    for (const char* title : {"ahead", "at once", "delay"})
      columns.push_back({title, kRight, group_of(study, i)});
  }
  Table table(std::move(columns));
  for (std::size_t row = 0; row < bound.seen.front().curve.size(); ++row) {
    std::vector<std::string> cells = {to_text(bound.seen.front().curve[row].change)};
    for (const ChannelSeen& seen : bound.seen) {
      const Point& point = seen.curve[row];
      cells.insert(cells.end(), {saved(point.ahead, bound.rest), saved(point.at_once, bound.rest),
                                 delay(point.at_once)});
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
      channel.part, std::string(to_text(channel.rest.where)),
      fmt::format("{:.3g} %", 100 * channel.rest.power.to_double()),
      channel.rest.own ? to_text(break_even(*channel.rest.own)) : "-"};
  for (const ChannelSeen& seen : channel.seen) {
    cells.push_back(seen.own ? saved(seen.own->ahead, channel.rest) : "-");
    cells.push_back(seen.own ? saved(seen.own->timeout, channel.rest) : "-");
  }
  return cells;
}

std::string overview_text(const BreakevenStudy& study) {
  std::vector<Table::Column> columns = {{"part"}, {"rest"}, {"draws", kRight}, {"gap", kRight}};
  for (std::size_t i = 0; i < study.workloads.size(); ++i) {
    columns.push_back({"ahead", kRight, group_of(study, i)});
    columns.push_back({"timeout", kRight, group_of(study, i)});
  }
  Table table(std::move(columns));
  for (const ChannelStudy& channel : study.channels) table.add(overview_row(channel));
  return "Channels by their own figures: shortest gap worth resting, saving in % of their "
         "energy\n\n" +
         table.text();
}

std::string gaps_text(const Look& look) {
  Table table({{"gaps from", kRight}, {"of the gaps", kRight}, {"of the idle time", kRight}});
  for (const breakeven::GapDecade& decade : look.gaps.decades) {
    if (decade.gaps == 0) continue;
    table.add({to_text(decade.least),
               percent(static_cast<double>(decade.gaps) / static_cast<double>(look.gaps.gaps)),
               percent(static_cast<double>(decade.idle.count()) /
                       static_cast<double>(look.gaps.idle.count()))});
  }
  return table.text();
}

std::vector<std::string> curve_row(const Point& point, const Rest& rest, const char* mark) {
  return {mark + to_text(point.change), to_text(point.break_even), saved(point.ahead, rest),
          saved(point.at_once, rest),   delay(point.at_once),      saved(point.timeout, rest),
          delay(point.timeout)};
}

// The part's own time stands among the others, with a star.
std::string curve_text(const ChannelSeen& seen, const Rest& rest) {
  Table table({{"change", kRight},
               {"gap", kRight},
               {"ahead %", kRight},
               {"at once %", kRight},
               {"delay", kRight},
               {"timeout %", kRight},
               {"delay", kRight}});
  bool own_left = seen.own.has_value();
  const auto add_own = [&] {
    table.add(curve_row(*seen.own, rest, "* "));
    own_left = false;
  };
  for (const Point& point : seen.curve) {
    if (own_left && seen.own->change <= point.change) add_own();
    if (!seen.own || seen.own->change != point.change) table.add(curve_row(point, rest, ""));
  }
  if (own_left) add_own();
  return table.text();
}

std::string own_times_text(const Rest& rest) {
  if (!rest.own) return "how long a change takes is not published";
  return fmt::format("{} {}; the shortest gap worth it is {}",
                     rest.where == breakeven::Where::asleep ? "wakes in" : "down and up each take",
                     to_text(rest.own->up), to_text(break_even(*rest.own)));
}

std::string seen_text(const std::string& workload, const ChannelSeen& seen, const Rest& rest) {
  const Look& look = seen.look;
  return wrapped(fmt::format("{} at {} for {}: {} busy, {} messages, {} gaps, the longest {}",
                             workload, to_text(look.rate), to_text(look.time),
                             percent(look.gaps.load.to_double()), with_separators(look.messages),
                             with_separators(look.gaps.gaps), short_text(look.gaps.longest)),
                 kTextWidth, "") +
         "\n" + gaps_text(look) + "\n" + curve_text(seen, rest);
}

std::string details_text(const BreakevenStudy& study, const ChannelStudy& channel) {
  std::string text =
      wrapped(fmt::format("{} ({}), {} at {:.3g} % of full power: {}", channel.part,
                          channel.evidence, to_text(channel.rest.where),
                          100 * channel.rest.power.to_double(), own_times_text(channel.rest)),
              kTextWidth, "");
  for (std::size_t i = 0; i < channel.seen.size(); ++i)
    text += "\n" + seen_text(study.workloads[i], channel.seen[i], channel.rest);
  return text;
}

std::string rules_text() {
  return wrapped(
      "ahead: rests in each gap longer than the shortest, knowing the future, and delays nothing. "
      "at once: rests in every gap; messages wait until the channel is back. timeout: the same "
      "after one shortest gap of idleness. delay: added to a message on average. -: not "
      "published, or not to be seen in the time looked at. *: the part's own time",
      kTextWidth, "");
}

}  // namespace

std::string breakeven_text(const BreakevenStudy& study) {
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
