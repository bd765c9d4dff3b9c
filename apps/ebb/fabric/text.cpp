// SPDX-License-Identifier: Apache-2.0
#include "command_line/text.hpp"

#include "fabric/verbs.hpp"

#include "ebb/runtime/preflight.hpp"
#include "ebb/runtime/status.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;
using testbed::preflight::CheckResult;
using testbed::preflight::CheckResults;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string steps_text(std::string_view title, const Json& steps) {
  std::string text;
  for (const Json& step : steps) text += fmt::format("  {}\n", step.get<std::string>());
  return steps.empty() ? "" : fmt::format("\n{}\n{}", title, text);
}

std::string rules_text(const Json& rules) {
  Table table({{"rule"}, {"present"}, {"needed to sleep"}, {""}});
  for (const Json& rule : rules) {
    table.add({rule["rule"].get<std::string>(), rule["present"].get<std::string>(),
               rule["needed"].get<std::string>(), rule["objection"].is_null() ? "" : "objects"});
  }
  return table.text();
}

std::string pairs_text(const Json& object) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

// A line of `ebb fabric check`, and more where it is long.
std::string labelled(std::string_view label, std::string_view text) {
  const std::string indent(8, ' ');
  return fmt::format("{:<8}", label) + wrapped(text, 100, indent).substr(indent.size());
}

std::string links_text(const Json& links) {
  constexpr std::size_t kMost = 40;  // some lines: a large network has thousands
  std::string names;
  for (std::size_t which = 0; which < std::min(links.size(), kMost); ++which)
    names += (which == 0 ? "" : " ") + links[which].get<std::string>();
  if (links.size() > kMost)
    names += fmt::format(" and {} more (--json has all)", links.size() - kMost);
  return names;
}

std::string sleep_text(const Json& sleep) {
  const std::string names = links_text(sleep["may_sleep"]);
  return fmt::format(
      "sleep   {} of {} links between switches may, all at the same time; {} in theory, as {} must "
      "stay for hosts to be joined\n{}",
      sleep["may_sleep"].size(), sleep["links_between_switches"].dump(),
      sleep["could_sleep_in_theory"].dump(), sleep["must_stay"].dump(),
      names.empty() ? "" : labelled("", names));
}

std::string tables_text(const Json& tables, std::size_t links) {
  return fmt::format(
      "tables  {} rules, at most {} on a switch; {} pairs of hosts are reached\n"
      "        without any one of {} of {} links all are still reached; {} classes of service, no "
      "channel-dependency cycle\n",
      tables["rules"].dump(), tables["most_on_a_switch"].dump(), tables["pairs_reached"].dump(),
      tables["single_failures_survived"].dump(), links, tables["classes"].dump());
}

// What is so, or in a dry run what would be, in the lines above the links.
std::string summary_text(const Json& status, std::size_t asleep) {
  const Json& modelled = status["modelled"];
  const std::size_t links = status["links"].size();
  if (!status.value("dry_run", false)) {
    return fmt::format(
        "{} of {} links asleep\n"
        "links between switches: {:.1f} W of {:.1f} W modelled, {:.0f} J saved, {} ports down, "
        "nothing measured\n",
        asleep, links, modelled["now_w"].get<double>(), modelled["all_awake_w"].get<double>(),
        modelled["saved_j"].get<double>(), status["actuated"]["ports_down"].get<std::size_t>());
  }
  const Json& would = status["would"];
  return fmt::format(
      "DRY RUN: nothing is changed; {} of {} links would be asleep, {} are\n"
      "links between switches: would draw {:.1f} W of {:.1f} W modelled, would have saved {:.0f} "
      "J; "
      "nothing actuated, nothing measured\n",
      would["links_asleep"].get<std::size_t>(), links, asleep, would["now_w"].get<double>(),
      would["all_awake_w"].get<double>(), would["saved_j"].get<double>());
}

std::string shown_state(const Json& link) {
  const auto state = link["state"].get<std::string>();
  const bool would = link.value("would_sleep", false);
  return would && state != "asleep" ? state + ", would sleep" : state;
}

std::string changes_text(const Json& entries) {
  std::size_t width = 10;
  for (const Json& entry : entries)
    width = std::max(width, entry["link"].get_ref<const std::string&>().size());
  std::string text = entries.empty() ? "" : "\nlast changes\n";
  for (const Json& entry : entries) {
    text += fmt::format("{:8.1f} s  {:{}} {:9} {}\n", entry["at_s"].get<double>(),
                        entry["link"].get<std::string>(), width, entry["state"].get<std::string>(),
                        entry["why"].get<std::string>());
  }
  return text;
}

}  // namespace

std::string status_text(const Json& status) {
  Table links({{"link"},
               {"state"},
               {"for", Table::Align::right},
               {"rate", Table::Align::right},
               {"used", Table::Align::right},
               {"back", Table::Align::right},
               {"why"}});
  const double now = status["at_s"].get<double>();
  std::size_t asleep = 0;
  for (const Json& link : status["links"]) {
    const auto state = link["state"].get<std::string>();
    if (state == "asleep") ++asleep;
    const Json& kept = link["awake_because"];
    links.add({link["link"].get<std::string>(), shown_state(link),
               fmt::format("{:.0f} s", now - link["since_s"].get<double>()),
               link["rate"].get<std::string>(), percent(link["used"].get<double>()),
               percent(link["used_back"].get<double>()),
               kept.is_string() ? kept.get<std::string>() : link["why"].get<std::string>()});
  }
  std::string text;
  if (const auto late = runtime::out_of_date(status)) text += *late + "\n";
  text += fmt::format("fabric {}: {} of {} switches here, policy {}\n",
                      status["fabric"].get<std::string>(),
                      status["switches"].get<std::size_t>() - status["switches_away"].size(),
                      status["switches"].get<std::size_t>(), status["policy"].get<std::string>());
  text += summary_text(status, asleep);
  // A controller of an older version says nothing of whole switches.
  for (const Json& out : status.value("switches_out", Json::array())) {
    text += fmt::format("switch {}: {} for {:.0f} s, drained by the {}: {}\n",
                        out["switch"].get<std::string>(), out["state"].get<std::string>(),
                        now - out["since_s"].get<double>(), out.value("by", "operator"),
                        out["why"].get<std::string>());
  }
  for (const Json& cable : status["wrong_cables"])
    text += "wrong cable: " + cable.get<std::string>() + "\n";
  // A controller of an older version says nothing of them.
  const Json problems = status.value("problems", Json::object());
  for (const auto& [record, problem] : problems.items())
    text += fmt::format("cannot be opened: {}: {}\n", record, problem.get<std::string>());
  return text + "\n" + links.text() + changes_text(status["last"]);
}

namespace {

// What the switches at both ends say that they do with frames.
std::string forwarding_text(const Json& forwarding) {
  std::string text;
  for (const Json& end : forwarding) {
    const auto from = end["from"].get<std::string>();
    const auto to = end["to"].get<std::string>();
    if (end["in_use"].is_null()) {
      text += fmt::format("whether {} sends frames to {} by it is not known: {}\n", from, to,
                          end["why"].get<std::string>());
    } else {
      text += fmt::format("{} sends {} to {} by it, as its {} say\n", from,
                          end["in_use"].get<bool>() ? "frames" : "no frames", to,
                          end["by"].get<std::string>());
    }
  }
  return text;
}

std::string switch_explanation(const Json& explanation) {
  std::string text = fmt::format("switch {} is {}", explanation["switch"].get<std::string>(),
                                 explanation["state"].get<std::string>());
  if (!explanation["by"].is_null()) {
    text +=
        fmt::format(" for {:.1f} s: {}\ndrained by the {}\n", explanation["for_s"].get<double>(),
                    explanation["why"].get<std::string>(), explanation["by"].get<std::string>());
  } else {
    text += "\n";
  }
  text += fmt::format("the policy wants it {}\n", explanation["wants"].get<std::string>());
  text += steps_text("to go off, all of this", explanation["to_sleep"]);
  return text + steps_text("to come back, any of this", explanation["to_wake"]);
}

}  // namespace

std::string explain_text(const Json& explanation) {
  if (explanation.contains("switch")) return switch_explanation(explanation);
  std::string text = explanation["dry_run"].get<bool>() ? "DRY RUN: nothing is changed\n" : "";
  text += fmt::format("{} has been {} for {:.1f} s: {}\n\n", explanation["link"].get<std::string>(),
                      explanation["state"].get<std::string>(), explanation["for_s"].get<double>(),
                      explanation["why"].get<std::string>());
  for (const Json& wish : explanation["policy"]) {
    text += fmt::format("the policy wants {} to {} {}; it is used {:.1f} %\n",
                        wish["from"].get<std::string>(), wish["to"].get<std::string>(),
                        wish["wants"].get<std::string>(), 100 * wish["used"].get<double>());
  }
  // A controller of an older version says nothing of it.
  text += forwarding_text(explanation.value("forwarding", Json::array()));
  text += "\n" + rules_text(explanation["rules"]);
  text += steps_text("to sleep, all of this", explanation["to_sleep"]);
  text += steps_text("to wake, any of this", explanation["to_wake"]);
  if (!explanation["last"].empty()) text += "\nlast changes\n";
  for (const Json& entry : explanation["last"]) {
    text += fmt::format("{:8.1f} s  {:9} {}\n", entry["at_s"].get<double>(),
                        entry["state"].get<std::string>(), entry["why"].get<std::string>());
  }
  return text;
}

std::string check_text(const Json& json) {
  const Json& policy = json["policy"];
  std::string text =
      fmt::format("fabric {}: {} switches, {} hosts\n", json["fabric"].get<std::string>(),
                  json["switches"].dump(), json["hosts"].dump());
  if (!json["recognised"].is_null())
    text += fmt::format("network {}; recognised\n", json["recognised"].get<std::string>());
  text += tables_text(json["tables"], json["sleep"]["links_between_switches"].get<std::size_t>());
  text += sleep_text(json["sleep"]);
  text += fmt::format(
      "policy  {}: {}\n", policy["name"].get<std::string>(),
      policy["parameters"].empty() ? "no parameters" : pairs_text(policy["parameters"]));
  text += labelled("safety", pairs_text(json["safety"]));
  if (const Json& watts = json["modelled"]; !watts.is_null()) {
    text += fmt::format(
        "watts   {:.1f} W modelled with all links between switches awake, {:.1f} W with all "
        "asleep that may\n",
        watts["all_awake_w"].get<double>(), watts["least_w"].get<double>());
  }
  for (const Json& remark : json["remarks"]) text += "remark  " + remark.get<std::string>() + "\n";
  return text;
}

std::string regulation_text(const Json& report) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"between"}, {"amount", kRight}, {"open", kRight}, {"rate", kRight}, {""}});
  for (const Json& one : report.at("lags")) {
    table.add({one["between"].get<std::string>(), one["amount"].get<std::string>(),
               fmt::format("{} of {}", one["open"].get<int>(), one["links"].get<std::size_t>()),
               one["rate"].get<std::string>(),
               one["beyond_peak"].get<bool>() ? "more than the peak" : ""});
  }
  std::string text = fmt::format(
      "{}\n{} VLANs; {} of {} links closed, {} slow; at most {} on a link\n"
      "links between switches: {:.1f} W of {:.1f} W modelled, nothing measured\n",
      table.text(), report["vlans"].get<std::size_t>(), report["closed"].get<int>(),
      report["links"].get<int>(), report["slow"].get<int>(), report["peak"].get<std::string>(),
      report["modelled"]["now_w"].get<double>(), report["modelled"]["all_open_w"].get<double>());
  if (!report.contains("moved")) return text;
  const Json& moved = report["moved"];
  return text + fmt::format("now: {} links opened, {} closed, {} faster, {} slower\n",
                            moved["opened"].get<int>(), moved["closed"].get<int>(),
                            moved["faster"].get<int>(), moved["slower"].get<int>());
}

Json results_json(const CheckResults& results) {
  Json all = Json::array();
  for (const CheckResult& one : results) {
    all.push_back({{"subject", one.subject},
                   {"verdict", to_text(one.verdict)},
                   {"found", one.found},
                   {"remedy", one.remedy.empty() ? Json(nullptr) : Json(one.remedy)}});
  }
  return {{"findings", all}, {"healthy", !runtime::any_failed(results)}};
}

std::string results_text(const CheckResults& results) {
  std::string text;
  for (const CheckResult& one : results) {
    text += fmt::format("{:4}  {:18}  {}\n", to_text(one.verdict), one.subject, one.found);
    if (!one.remedy.empty()) text += fmt::format("{:26}-> {}\n", "", one.remedy);
  }
  return text;
}

}  // namespace ebb::cli
