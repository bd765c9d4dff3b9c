// SPDX-License-Identifier: Apache-2.0
#include "replay/output.hpp"

#include "command_line/text.hpp"

#include "ebb/policy/action.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;
using replay::Hour;
using replay::LongTime;

constexpr auto kRight = Table::Align::right;

double hours_of(LongTime time) {
  return std::chrono::duration<double, std::ratio<3600>>(time).count();
}
double minutes_of(LongTime time) {
  return std::chrono::duration<double, std::ratio<60>>(time).count();
}

std::string utc(std::int64_t seconds) {
  const std::chrono::sys_seconds at{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{at - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int{date.year()},
                     unsigned{date.month()}, unsigned{date.day()}, time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

std::string day_text(std::int64_t day) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  return utc(day * kSecondsOfDay).substr(0, 10);
}

std::string policy_text(const files::Named& policy) {
  std::string text = policy.name;
  for (const auto& [key, value] : policy.parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

// ---- JSON

Json hour_json(const Hour& hour, std::uint32_t links, const std::vector<double>& levels) {
  Json above = Json::array();
  for (std::size_t which = 0; which < levels.size(); ++which)
    above.push_back({{"level", levels[which]}, {"minutes", minutes_of(hour.above[which])}});
  return {{"hours", hours_of(hour.time)},
          {"all_awake_kwh", to_kwh(hour.all_awake)},
          {"used_kwh", to_kwh(hour.used)},
          {"saved_kwh", to_kwh(hour.all_awake - hour.used)},
          {"asleep_share", asleep_share(hour, links)},
          {"slept", hour.slept},
          {"woken", hour.woken},
          {"highest_utilisation", hour.highest},
          {"above", above}};
}

Json decisions_json(const controller::DecisionCounts& counts) {
  Json actions = Json::object();
  for (const auto& [reason, count] : counts.actions)
    actions[std::string(policy::to_text(reason))] = count;
  Json to_sleep = Json::object();
  for (const auto& [rule, count] : counts.refused_to_sleep) to_sleep[std::string(rule)] = count;
  Json to_wake = Json::object();
  for (const auto& [rule, count] : counts.refused_to_wake) to_wake[std::string(rule)] = count;
  return {{"decisions", counts.decisions},
          {"actions", actions},
          {"refused_to_sleep", to_sleep},
          {"refused_to_wake", to_wake},
          {"woken_by_full_detours", counts.woken_by_full_detours}};
}

Json year_json(const replay::Year& year) {
  Json json = {{"saved_kwh", to_kwh(year.saved)}};
  if (year.lowest) json["lowest_kwh"] = to_kwh(*year.lowest);
  if (year.highest) json["highest_kwh"] = to_kwh(*year.highest);
  if (!year.periods.empty()) json[std::string(year.periods)] = year.period_count;
  return json;
}

Json cost_json(const replay::Cost& cost) {
  return {{"site_kwh", cost.kwh},
          {"energy", cost.energy},
          {"demand", cost.demand},
          {"money", cost.money()},
          {"carbon_kg", cost.carbon}};
}

Json nights_json(const Replayed& replayed, const replay::PolicyRun& run) {
  Json json = Json::array();
  if (run.hours.empty()) return json;
  const std::int64_t first = run.hours.front().number;
  for (const replay::Night& night :
       replay::nights(run.calendar, first, run.hours.back().number - first + 1)) {
    Json one = {{"from_hour", night.begin}, {"to_hour", night.end}, {"links", Json::array()}};
    for (const topology::LinkId link : night.links)
      one["links"].push_back(topology::link_name(replayed.file.graph, link));
    json.push_back(std::move(one));
  }
  return json;
}

Json run_json(const Replayed& replayed, std::size_t which) {
  const replay::PolicyRun& run = replayed.runs[which];
  Json json = {{"policy", run.policy.name}, {"parameters", Json::object()}};
  for (const auto& [key, value] : run.policy.parameters) json["parameters"][key] = value;
  json["total"] = hour_json(run.total(), run.links, replayed.levels);
  json["decisions"] = decisions_json(run.counts);
  if (replayed.year) json["year"] = year_json(replay::year_of(run.hours));
  if (!replayed.costs.empty()) {
    const replay::Costs& costs = replayed.costs[which];
    json["costs"] = {{"currency", replayed.currency},
                     {"all_awake", cost_json(costs.all_awake)},
                     {"used", cost_json(costs.used)},
                     {"hours_without_carbon", costs.hours_without_carbon},
                     {"hours_without_temperature", costs.hours_without_temperature}};
  }
  for (const Hour& day : replay::by_day(run.hours)) {
    Json one = {{"day", day_text(day.number)}};
    one.update(hour_json(day, run.links, replayed.levels));
    json["days"].push_back(std::move(one));
  }
  for (const Hour& hour : replay::by_hour_of_day(run.hours)) {
    Json one = {{"hour", hour.number}};
    one.update(hour_json(hour, run.links, replayed.levels));
    json["hours_of_day"].push_back(std::move(one));
  }
  json["nights"] = nights_json(replayed, run);
  const topology::Graph& graph = replayed.file.graph;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    if (run.asleep[link] > LongTime{}) {
      json["links"].push_back({{"link", topology::link_name(graph, topology::LinkId{link})},
                               {"asleep_hours", hours_of(run.asleep[link])}});
    }
  }
  return json;
}

std::string end_text(const topology::Graph& graph, topology::ChannelId channel) {
  return graph.name(graph.source(channel)) + " to " + graph.name(graph.target(channel));
}

Json data_json(const Replayed& replayed) {
  const counters::ChannelLoads& loads = replayed.loads;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(loads.begin()).count();
  Json json = {{"begin", utc(seconds)},
               {"step_s", std::chrono::duration<double>(loads.step).count()},
               {"steps", loads.steps},
               {"readings", replayed.readings},
               {"interfaces", replayed.interfaces},
               {"unknown_loads", loads.unknown},
               {"loads_above_the_rate", loads.too_fast},
               {"unmapped_interfaces", loads.unmapped},
               {"uncounted_links", Json::array()},
               {"disagreements", Json::array()},
               {"anomalies", Json::array()}};
  if (replayed.lldp_tables > 0) {
    json["lldp"] = {{"tables", replayed.lldp_tables},
                    {"disagreements", replayed.lldp_disagreements},
                    {"one_sided", replayed.lldp_one_sided}};
  }
  const topology::Graph& graph = replayed.file.graph;
  for (const topology::LinkId link : loads.uncounted)
    json["uncounted_links"].push_back(topology::link_name(graph, link));
  for (const counters::Disagreement& one : loads.disagreements) {
    json["disagreements"].push_back({{"channel", end_text(graph, one.channel)},
                                     {"sent_bits", one.sent},
                                     {"received_bits", one.received},
                                     {"shift_steps", one.shift}});
  }
  for (const counters::Anomaly& one : replayed.anomalies) {
    json["anomalies"].push_back({{"kind", std::string(to_text(one.kind))},
                                 {"interface", one.interface},
                                 {"times", one.times},
                                 {"file", one.first.file},
                                 {"line", one.first.line},
                                 {"path", one.first.path},
                                 {"example", one.example}});
  }
  return json;
}

// ---- text

std::string days_of(const counters::ChannelLoads& loads) {
  const double days = std::chrono::duration<double, std::ratio<86400>>(loads.step).count() *
                      static_cast<double>(loads.steps);
  return fmt::format("{:.4g} days", days);
}

// Of each kind the first, and how many interfaces there are.
std::string anomalies_text(const Replayed& replayed) {
  std::map<counters::AnomalyKind, std::vector<const counters::Anomaly*>> by_kind;
  for (const counters::Anomaly& one : replayed.anomalies) by_kind[one.kind].push_back(&one);
  std::string text;
  for (const auto& [kind, all] : by_kind) {
    std::uint64_t times = 0;
    for (const counters::Anomaly* one : all) times += one->times;
    const counters::Anomaly& first = *all.front();
    const std::string place =
        first.first.line > 0 ? fmt::format("line {}", first.first.line) : first.first.path;
    text += wrapped(
        fmt::format("{}: {} times at {} interfaces; first {} ({}, {}): {}", to_text(kind), times,
                    all.size(), first.interface, first.first.file, place, first.example),
        100, "  ");
  }
  return text;
}

template <class Range, class NameOf>
std::string first_of(const Range& range, NameOf name_of) {
  constexpr std::size_t kShown = 5;
  std::string text;
  std::size_t count = 0;
  for (const auto& one : range) {
    if (count++ == kShown) break;
    text += (text.empty() ? "" : ", ") + name_of(one);
  }
  return range.size() > kShown ? text + ", ..." : text;
}

std::string policies_text(const Replayed& replayed) {
  std::vector<Table::Column> columns = {
      {"policy"},        {"asleep", kRight},    {"W", kRight},
      {"kWh", kRight},   {"saved kWh", kRight}, {"saved", kRight},
      {"slept", kRight}, {"woken", kRight},     {"highest", kRight}};
  for (const double level : replayed.levels)
    columns.push_back({fmt::format("min > {:.3g} %", 100 * level), kRight});
  Table table(std::move(columns));
  for (const replay::PolicyRun& run : replayed.runs) {
    const Hour total = run.total();
    std::vector<std::string> cells = {run.policy.name,
                                      percent(asleep_share(total, run.links)),
                                      fmt::format("{:.1f}", mean_watts(total.used, total.time)),
                                      fmt::format("{:.3f}", to_kwh(total.used)),
                                      fmt::format("{:.3f}", to_kwh(total.all_awake - total.used)),
                                      percent(saved_share(total)),
                                      std::to_string(total.slept),
                                      std::to_string(total.woken),
                                      percent(total.highest)};
    for (const LongTime time : total.above)
      cells.push_back(fmt::format("{:.0f}", minutes_of(time)));
    table.add(cells);
  }
  return table.text();
}

std::string hours_text(const std::vector<Hour>& hours, std::uint32_t links,
                       const std::string& title, std::string (*name)(std::int64_t)) {
  Table table({{title},
               {"asleep", kRight},
               {"W", kRight},
               {"saved kWh", kRight},
               {"saved", kRight},
               {"changes", kRight},
               {"highest", kRight}});
  for (const Hour& hour : hours) {
    table.add({name(hour.number), percent(asleep_share(hour, links)),
               fmt::format("{:.1f}", mean_watts(hour.used, hour.time)),
               fmt::format("{:.3f}", to_kwh(hour.all_awake - hour.used)),
               percent(saved_share(hour)), std::to_string(hour.slept + hour.woken),
               percent(hour.highest)});
  }
  return table.text();
}

std::string refusals_text(const controller::DecisionCounts& counts) {
  std::string text;
  const auto add = [&](std::string_view what,
                       const std::map<std::string_view, std::uint64_t>& rules) {
    for (const auto& [rule, count] : rules) {
      if (count > 0) {
        text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", what, rule,
                            with_separators(static_cast<std::int64_t>(count)));
      }
    }
  };
  add("sleep:", counts.refused_to_sleep);
  add("wake:", counts.refused_to_wake);
  const auto number = [](std::uint64_t count) {
    return with_separators(static_cast<std::int64_t>(count));
  };
  const std::string woken =
      counts.woken_by_full_detours == 0
          ? ""
          : fmt::format("; woken as detours were full: {}", number(counts.woken_by_full_detours));
  return wrapped(fmt::format("{} decisions; refused: {}{}", number(counts.decisions),
                             text.empty() ? "nothing" : text, woken),
                 100, "");
}

std::string costs_text(const replay::Costs& costs, const std::string& currency) {
  Table table({{"site, with PUE"},
               {"kWh", kRight},
               {currency + " energy", kRight},
               {currency + " demand", kRight},
               {currency, kRight},
               {"kg CO2e", kRight}});
  const auto row = [&](const std::string& name, const replay::Cost& cost) {
    table.add({name, fmt::format("{:.3f}", cost.kwh), fmt::format("{:.2f}", cost.energy),
               fmt::format("{:.2f}", cost.demand), fmt::format("{:.2f}", cost.money()),
               fmt::format("{:.3f}", cost.carbon)});
  };
  row("all awake", costs.all_awake);
  row("used", costs.used);
  const replay::Cost& all = costs.all_awake;
  const replay::Cost& used = costs.used;
  row("saved", {all.kwh - used.kwh, all.energy - used.energy, all.demand - used.demand,
                all.carbon - used.carbon});
  std::string text = table.text();
  if (costs.hours_without_carbon > 0) {
    text += fmt::format("{} hours are not in the carbon series: the hour before counts\n",
                        costs.hours_without_carbon);
  }
  if (costs.hours_without_temperature > 0) {
    text += fmt::format("{} hours have no temperature: the hour before counts\n",
                        costs.hours_without_temperature);
  }
  return text;
}

// The links that slept longest.
std::string links_text(const Replayed& replayed, const replay::PolicyRun& run) {
  std::vector<std::uint32_t> links;
  for (std::uint32_t link = 0; link < run.asleep.size(); ++link) {
    if (run.asleep[link] > LongTime{}) links.push_back(link);
  }
  if (links.empty()) return "";
  std::stable_sort(links.begin(), links.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return run.asleep[a] > run.asleep[b]; });
  const double all = hours_of(run.total().time);
  return wrapped(
      fmt::format("{} links slept: {}", links.size(),
                  first_of(links,
                           [&](std::uint32_t link) {
                             return fmt::format(
                                 "{} {}",
                                 topology::link_name(replayed.file.graph, topology::LinkId{link}),
                                 percent(all > 0 ? hours_of(run.asleep[link]) / all : 0));
                           })),
      100, "");
}

std::string run_text(const Replayed& replayed, std::size_t which) {
  const replay::PolicyRun& run = replayed.runs[which];
  std::string text = "\n" + policy_text(run.policy) + "\n";
  text += refusals_text(run.counts);
  text += links_text(replayed, run);
  for (const std::string& night : nights_of(replayed, run)) text += wrapped(night, 100, "");
  if (replayed.year) text += year_text(replay::year_of(run.hours)) + "\n";
  if (!replayed.costs.empty()) text += "\n" + costs_text(replayed.costs[which], replayed.currency);
  text += "\n" + hours_text(replay::by_day(run.hours), run.links, "day (UTC)", day_text);
  text += "\n" + hours_text(replay::by_hour_of_day(run.hours), run.links, "hour (UTC)",
                            [](std::int64_t hour) { return fmt::format("{:02}:00", hour); });
  return text;
}

std::string routing_text(const forwarding::EqualCostOptions& options) {
  return options.routing == forwarding::Routing::lag
             ? fmt::format("routed by others: links of a LAG share its load, and {} stay awake",
                           options.min_next_hops)
             : fmt::format("routed by ECMP: every leaf keeps {} next hops to every other",
                           options.min_next_hops);
}

}  // namespace

double asleep_share(const Hour& hour, std::uint32_t links) {
  const double all = hours_of(hour.time) * links;
  return all > 0 ? hours_of(hour.asleep) / all : 0;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

double saved_share(const Hour& hour) {
  const double all = to_kwh(hour.all_awake);
  return all > 0 ? to_kwh(hour.all_awake - hour.used) / all : 0;
}

double mean_watts(Energy energy, LongTime time) {
  return hours_of(time) > 0 ? 1000 * to_kwh(energy) / hours_of(time) : 0;
}

std::string year_text(const replay::Year& year) {
  std::string text = fmt::format("a year like this saves {:.0f} kWh", to_kwh(year.saved));
  if (year.lowest) {
    text += fmt::format("; by the {} {} alone from {:.0f} to {:.0f} kWh", year.period_count,
                        year.periods, to_kwh(*year.lowest), to_kwh(*year.highest));
  }
  return text;
}

std::string data_text(const Replayed& replayed) {
  const counters::ChannelLoads& loads = replayed.loads;
  const topology::Graph& graph = replayed.file.graph;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(loads.begin()).count();
  std::string text = fmt::format(
      "{}: {} from {}, in steps of {}\n{} readings of {} interfaces\n", replayed.file.name,
      days_of(loads), utc(seconds), to_text(Duration(loads.step)),
      with_separators(static_cast<std::int64_t>(replayed.readings)), replayed.interfaces);
  if (replayed.equal_cost) text += routing_text(*replayed.equal_cost) + "\n";
  const std::string anomalies = anomalies_text(replayed);
  text += anomalies;
  const auto line = [&](std::string_view what, std::size_t count, const std::string& names) {
    if (count > 0) text += wrapped(fmt::format("{} {}: {}", count, what, names), 100, "  ");
  };
  const auto name = [](const std::string& one) { return one; };
  line("ends on which LLDP tables disagree", replayed.lldp_disagreements.size(),
       first_of(replayed.lldp_disagreements, name));
  line("ends are known by the LLDP table of one device alone", replayed.lldp_one_sided.size(),
       first_of(replayed.lldp_one_sided, name));
  line("interfaces are no end of a link", loads.unmapped.size(), first_of(loads.unmapped, name));
  line("links that nobody counts stay awake", loads.uncounted.size(),
       first_of(loads.uncounted,
                [&](topology::LinkId link) { return topology::link_name(graph, link); }));
  line("channels whose two ends disagree", loads.disagreements.size(),
       first_of(loads.disagreements, [&](const counters::Disagreement& one) {
         const double share = one.sent > 0 ? 100 * (one.received / one.sent - 1) : 100;
         return fmt::format("{} ({:+.1f} % received{})", end_text(graph, one.channel), share,
                            one.shift == 0 ? "" : fmt::format(", clock {:+} step", one.shift));
       }));
  if (loads.too_fast > 0) {
    text +=
        fmt::format("  {} loads above the rate of their link are not counted\n", loads.too_fast);
  }
  if (loads.unknown > 0)
    text += fmt::format("  {} loads between switches are not known\n", loads.unknown);
  return text;
}

std::vector<std::string> nights_of(const Replayed& replayed, const replay::PolicyRun& run) {
  constexpr std::size_t kShown = 3;
  if (run.hours.empty()) return {};
  const std::int64_t first = run.hours.front().number;
  std::vector<std::string> lines;
  for (const replay::Night& night :
       replay::nights(run.calendar, first, run.hours.back().number - first + 1)) {
    if (lines.size() == kShown) break;
    const std::string when =
        night.begin == night.end
            ? "all the time"
            : fmt::format("every day from {:02}:00 to {:02}:00 UTC", night.begin, night.end);
    lines.push_back(fmt::format("{} {} slept {}: {}", night.links.size(),
                                night.links.size() == 1 ? "link" : "links", when,
                                first_of(night.links, [&](topology::LinkId link) {
                                  return topology::link_name(replayed.file.graph, link);
                                })));
  }
  return lines;
}

Json replay_json(const Replayed& replayed) {
  Json json = {{"fabric", replayed.file.name},
               {"links", replayed.runs.empty() ? 0 : replayed.runs.front().links},
               {"data", data_json(replayed)},
               {"runs", Json::array()}};
  if (const auto& routed = replayed.equal_cost) {
    const bool is_lag = routed->routing == forwarding::Routing::lag;
    json["routing"] = {{"kind", is_lag ? "lag" : "ecmp"}, {"min_next_hops", routed->min_next_hops}};
  }
  if (!replayed.switch_groups.empty()) json["switch_groups"] = replayed.switch_groups;
  if (!replayed.embodied.empty()) json["embodied"] = embodied_json(replayed);
  for (std::size_t which = 0; which < replayed.runs.size(); ++which)
    json["runs"].push_back(run_json(replayed, which));
  return json;
}

std::string account_text(const Replayed& replayed) {
  const std::string groups = replayed.switch_groups.empty() ? "" : ", and power groups of switches";
  return "Ports between switches" + groups +
         "; modelled by the part of the file, nothing is measured";
}

std::string replay_text(const Replayed& replayed) {
  std::string text = data_text(replayed) + "\n";
  text += account_text(replayed) + "\n\n";
  text += policies_text(replayed);
  if (!replayed.embodied.empty()) text += "\n" + embodied_text(replayed);
  for (std::size_t which = 0; which < replayed.runs.size(); ++which)
    text += run_text(replayed, which);
  return text;
}

}  // namespace ebb::cli
