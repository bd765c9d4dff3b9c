// SPDX-License-Identifier: Apache-2.0
#include "command_line/text.hpp"
#include "replay/drawings.hpp"
#include "replay/output.hpp"

#include "ebb/counters/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace ebb::cli {
namespace {

using replay::Hour;

constexpr std::string_view kHead =
    R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{0}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.45 system-ui, sans-serif; max-width: 64em; margin: 2em auto; padding: 0 1em; }}
h2 {{ margin-top: 2em; }}
table {{ border-collapse: collapse; margin: 1em 0; }}
th, td {{ padding: .25em .8em; text-align: right; border-bottom: 1px solid #8884; }}
th:first-child, td:first-child {{ text-align: left; }}
svg {{ width: 100%; font-size: 11px; }}
svg text {{ fill: currentColor; }}
.grid {{ stroke: #8886; fill: none; }}
.awake {{ fill: #8882; }}
.note {{ opacity: .75; }}
</style></head><body>
<h1>{0}</h1>
)";

// What a rule that refused says about a network, for people who do not know its name.
struct Reason {
  std::string_view rule;
  std::string_view says;
};
constexpr std::array kReasons = {
    Reason{"core", "the link belongs to the connected core: without it hosts would be cut off"},
    Reason{"min_awake_time", "the link had been awake for too short a time"},
    Reason{"min_sleep_time", "the link had slept for too short a time"},
    Reason{"state", "the link was on its way"},
    Reason{"max_concurrent", "enough links were changing at the same time"},
    Reason{"transitions_per_hour", "the link had changed too often within an hour"},
    Reason{"all_reachable", "hosts would not have reached each other"},
    Reason{"min_next_hops", "a switch would have kept too few next hops"},
    Reason{"max_counter_age", "the load of the link or of a detour was not known"},
    Reason{"max_detour_utilisation", "a detour would have been used too much"},
};

std::string_view reason(std::string_view rule) {
  const auto* const found = std::find_if(kReasons.begin(), kReasons.end(),
                                         [&](const Reason& one) { return one.rule == rule; });
  return found == kReasons.end() ? rule : found->says;
}

std::string row(const std::vector<std::string>& cells, std::string_view tag = "td") {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return text + "</tr>\n";
}

std::string head(const std::vector<std::string>& cells) { return row(cells, "th"); }

std::string paragraph(const std::string& text) { return "<p>" + escaped(text) + "</p>\n"; }
std::string note(const std::string& text) {
  return "<p class=\"note\">" + escaped(text) + "</p>\n";
}

std::string summary(const Replayed& replayed) {
  const bool costs = !replayed.costs.empty();
  std::vector<std::string> names = {
      "policy", "time asleep", "mean W", "saved kWh", "saved", "changes", "highest use of a link"};
  if (costs) {
    names.push_back("saved " + replayed.currency);
    names.emplace_back("saved kg CO2e");
  }
  std::string text = "<table>\n" + head(names);
  for (std::size_t which = 0; which < replayed.runs.size(); ++which) {
    const replay::PolicyRun& run = replayed.runs[which];
    const Hour total = run.total();
    std::vector<std::string> cells = {run.policy.name,
                                      percent(asleep_share(total, run.links)),
                                      fmt::format("{:.1f}", mean_watts(total.used, total.time)),
                                      fmt::format("{:.3f}", to_kwh(total.all_awake - total.used)),
                                      percent(saved_share(total)),
                                      std::to_string(total.slept + total.woken),
                                      percent(total.highest)};
    if (costs) {
      const replay::Costs& one = replayed.costs[which];
      cells.push_back(fmt::format("{:.2f}", one.all_awake.money() - one.used.money()));
      cells.push_back(fmt::format("{:.3f}", one.all_awake.carbon - one.used.carbon));
    }
    text += row(cells);
  }
  return text + "</table>\n";
}

std::string embodied(const Replayed& replayed) {
  std::string text = "<table>\n" + head({kEmbodiedTitles.begin(), kEmbodiedTitles.end()});
  for (const std::vector<std::string>& cells : embodied_rows(replayed)) text += row(cells);
  return text + "</table>\n" +
         note(
             "What making the parts emitted; sleep saves nothing of it. All such numbers are "
             "estimates.");
}

// Mean, lowest and highest of whole days.
std::string spread(const replay::PolicyRun& run) {
  std::vector<double> days;
  for (const Hour& day : replay::by_day(run.hours)) {
    if (day.time == std::chrono::hours(24)) days.push_back(to_kwh(day.all_awake - day.used));
  }
  if (days.size() < 2) return "";
  const auto [least, most] = std::minmax_element(days.begin(), days.end());
  double sum = 0;
  for (const double day : days) sum += day;
  return paragraph(fmt::format(
      "{}: a day saves {:.3f} kWh in the mean of {} whole days, {:.3f} kWh at least and {:.3f} kWh "
      "at most.",
      run.policy.name, sum / static_cast<double>(days.size()), days.size(), *least, *most));
}

std::string sleep_part(const Replayed& replayed, const replay::PolicyRun& run) {
  const Shown shown = shown_rows(run);
  if (shown.slept == 0) return paragraph(run.policy.name + ": no link slept.");
  std::string text = fmt::format("<h3>{}</h3>\n", escaped(run.policy.name));
  text += sleep_drawing(replayed, run);
  if (shown.rows < shown.slept) {
    text += note(
        fmt::format("The {} links that slept longest, of {} that slept.", shown.rows, shown.slept));
  }
  return text;
}

std::string refused_table(const replay::PolicyRun& run) {
  using Refused = std::pair<std::uint64_t, std::string_view>;
  std::vector<Refused> refused;
  for (const auto* const rules : {&run.counts.refused_to_sleep, &run.counts.refused_to_wake}) {
    for (const auto& [rule, count] : *rules) {
      if (count > 0) refused.emplace_back(count, rule);
    }
  }
  if (refused.empty()) return paragraph(run.policy.name + ": nothing was refused.");
  std::stable_sort(refused.begin(), refused.end(),
                   [](const Refused& a, const Refused& b) { return a.first > b.first; });
  std::string text = "<table>\n" + head({run.policy.name + ": why not", "rule", "times"});
  for (const auto& [count, rule] : refused) {
    text += row({std::string(reason(rule)), std::string(rule),
                 with_separators(static_cast<std::int64_t>(count))});
  }
  return text + "</table>\n";
}

std::string limits(const replay::PolicyRun& run) {
  std::string text = refused_table(run);
  if (const std::uint64_t woken = run.counts.woken_by_full_detours; woken > 0) {
    text += paragraph(fmt::format("{}: links woke {} times because their detours had become full.",
                                  run.policy.name, woken));
  }
  return text;
}

std::string steps(const Replayed& replayed) {
  std::string items;
  const auto item = [&](const std::string& words) { items += "<li>" + escaped(words) + "</li>\n"; };
  for (const replay::PolicyRun& run : replayed.runs) {
    for (const std::string& night : nights_of(replayed, run)) item(run.policy.name + ": " + night);
    if (run.total().highest > 1) {
      item(
          fmt::format("{}: some link would have been used {}: lower the policy's thresholds or "
                      "safety.max_detour_utilisation, and replay again",
                      run.policy.name, percent(run.total().highest)));
    }
  }
  const counters::ChannelLoads& loads = replayed.loads;
  if (!loads.uncounted.empty()) {
    item(
        fmt::format("{} links stay awake because nobody counts them: name their interfaces with "
                    "--mapping",
                    loads.uncounted.size()));
  }
  if (!loads.disagreements.empty()) {
    item(
        fmt::format("the counters of the two ends of {} channels disagree: the mapping or a clock "
                    "is wrong",
                    loads.disagreements.size()));
  }
  item("run the policy on the switches without acting: ebb fabric run FILE --dry-run");
  return "<ul>\n" + items + "</ul>\n";
}

}  // namespace

std::string replay_page(const Replayed& replayed) {
  std::string page = fmt::format(fmt::runtime(kHead),
                                 escaped(replayed.file.name + ": links that could have slept"));
  page += "<pre>" + escaped(data_text(replayed)) + "</pre>\n";
  page += "<h2>What would have been saved</h2>\n" + summary(replayed);
  for (const replay::PolicyRun& run : replayed.runs) {
    page += spread(run);
    if (replayed.year)
      page += paragraph(run.policy.name + ": " + year_text(replay::year_of(run.hours)) + ".");
  }
  page +=
      note(account_text(replayed) + ". Base power of boxes, fans and ports of hosts is not in it.");
  if (!replayed.embodied.empty()) page += embodied(replayed);
  page += "<h2>Watts over the day (UTC)</h2>\n" + watts_drawing(replayed);
  page += note("Lines: the mean of all days. Bands: from the lowest day to the highest.");
  page += "<h2>Which links slept when</h2>\n";
  for (const replay::PolicyRun& run : replayed.runs) page += sleep_part(replayed, run);
  page += note(
      "One row for each link, the one that slept longest at the top; the darker, the "
      "longer it slept.");
  page += "<h2>What kept links awake</h2>\n";
  for (const replay::PolicyRun& run : replayed.runs) page += limits(run);
  page += note(
      "By the rule that objected first, at every decision. What a policy does not ask for "
      "is not refused.");
  page += "<h2>What to do next</h2>\n" + steps(replayed);
  return page + "</body></html>\n";
}

}  // namespace ebb::cli
