// SPDX-License-Identifier: Apache-2.0
#include "sim/output.hpp"

#include "command_line/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ebb::cli {
namespace {

using netsim::Report;

constexpr std::size_t kLabelWidth = 18;
constexpr std::size_t kTextWidth = 100;
constexpr double kBarWidth = 40;

std::string count(std::uint64_t number) {
  return with_separators(static_cast<std::int64_t>(number));
}

std::string count(std::uint64_t number, std::string_view thing) {
  const std::string_view ending = number == 1 ? "" : thing.back() == 'h' ? "es" : "s";
  return fmt::format("{} {}{}", count(number), thing, ending);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string line(std::string_view label, const std::string& text) {
  return fmt::format("{:<{}}{}\n", label, kLabelWidth, text);
}

std::string named(const std::string& name, const ParameterTexts& parameters) {
  std::string text = name;
  for (const auto& [key, value] : parameters) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string named(const files::Named& kind) { return named(kind.name, kind.parameters); }

std::string program_named(const config::JobSpec& job) {
  return job.program.empty() ? named(job.application) : job.program;
}

std::string jobs_named(const std::vector<config::JobSpec>& jobs) {
  if (jobs.size() == 1) return fmt::format("{} on {} hosts", program_named(jobs[0]), jobs[0].hosts);
  return fmt::format("{} jobs", jobs.size());
}

std::string traffic_text(const config::SimSpec& spec) {
  if (!spec.jobs.jobs.empty()) return jobs_named(spec.jobs.jobs);
  if (!spec.messages.text.empty()) return "a list of messages";
  if (!spec.workload.name.empty()) return named(spec.workload);
  const std::string levels =
      spec.services > 1 ? fmt::format(", {} service levels", spec.services) : "";
  return fmt::format("{}, {}{}", named(spec.pattern), named(spec.injection), levels);
}

}  // namespace

std::string what_ran(const config::Simulation& simulation) {
  const config::SimSpec& spec = simulation.spec;
  const topology::Graph& graph = *simulation.graph;
  const topology::Origin& origin = graph.origin();
  return wrapped(
      fmt::format("{} ({}, {}), {}, {}, {}, seed {}{}", named(origin.family, origin.parameters),
                  count(graph.hosts_of_plane(), "host"), count(graph.switch_count(), "switch"),
                  spec.routing, traffic_text(spec), named(spec.policy), spec.seed,
                  spec.fidelity == netsim::Fidelity::flow ? ", messages as flows" : ""),
      kTextWidth, "");
}

namespace {

std::string notice(std::string_view text) { return "\n" + wrapped(text, kTextWidth, ""); }

std::string job_stall_notice(const netsim::Stall& stall) {
  std::string text = notice(fmt::format(
      "stalled: nothing has been sent since {}, and ranks wait for messages that nobody sends:",
      short_text(stall.since.time_since_epoch())));
  for (const std::string& step : stall.chain) text += fmt::format("  {}\n", step);
  return text;
}

}  // namespace

std::string stall_notice(const netsim::Stall& stall, netsim::Fidelity fidelity) {
  if (stall.packets == 0) return job_stall_notice(stall);
  const bool flows = fidelity == netsim::Fidelity::flow;
  std::string text = notice(fmt::format(
      "stalled: nothing has moved since {}, and {} {} in the network. {}:",
      short_text(stall.since.time_since_epoch()),
      count(stall.packets, flows ? "message" : "packet"), stall.packets == 1 ? "is" : "are",
      flows ? "What they wait for" : "What waits for what"));
  for (const std::string& step : stall.chain) text += fmt::format("  {}\n", step);
  return text;
}

namespace {

std::string too_short_notice(const Report& report) {
  if (report.to - report.from >=
      netsim::least_measure(report.longest_message, report.mean_residual)) {
    return notice(fmt::format(
        "too short to tell whether the network keeps up: less arrived than hosts could have sent, "
        "but messages that meet by chance explain up to {} of it; measure at least {} "
        "(schedule.measure)",
        percent(shortfall_by_chance(report)), to_text(least_measure(report))));
  }
  return notice(fmt::format(
      "too short to tell whether the network keeps up: the longest message takes {} on the link "
      "of its host, and of a message under way {} are left on average, but the run measured {}; "
      "measure at least {} (schedule.measure)",
      short_text(report.longest_message), short_text(report.mean_residual),
      to_text(report.to - report.from), to_text(least_measure(report))));
}

// With the numbers that it is said by: those of the whole measured time follow below.
std::string saturated_notice(const Report& report) {
  const double arrived = static_cast<double>(report.second_half.delivered.count());
  const double sendable = static_cast<double>(report.sendable_second_half.count());
  if (arrived >= netsim::kSaturatedBelow.to_double() * sendable) {
    return notice(
        "saturated: hosts have more to send than their links carry, and queues grow as long as "
        "the run lasts; latencies say nothing");
  }
  return notice(fmt::format(
      "saturated: in the second half of the measured time {} of what hosts could have sent "
      "arrived, and queues grow as long as the run lasts; latencies say nothing",
      percent(arrived / sendable)));
}

std::string notices(const Report& report, netsim::Fidelity fidelity) {
  if (report.stall) return stall_notice(*report.stall, fidelity);
  if (too_short(report)) return too_short_notice(report);
  std::string text;
  if (saturated(report)) text += saturated_notice(report);
  if (!steady(report)) {
    text += notice(
        "not steady: the halves of the measured time differ in power or throughput, or hold too "
        "few "
        "messages to tell; measure longer (schedule.measure)");
  }
  return text;
}

std::string warm_up_text(const netsim::WarmUp& warm_up) {
  const Duration time = warm_up.end.time_since_epoch();
  if (time == Duration{}) return "none";
  const std::string_view origin = !warm_up.found    ? "as given"
                                  : warm_up.settled ? "found"
                                                    : "the limit";
  return fmt::format("{}, {}: power and throughput {}", to_text(time), origin,
                     warm_up.settled ? "had settled" : "were not seen to settle");
}

std::string arrived_text(const Report& report) {
  if (report.messages_unfinished == 0) return "all arrived";
  return fmt::format("{} had not arrived when the run ended", count(report.messages_unfinished));
}

std::string deadline_line(const results::Summary& result) {
  const Report& report = result.report;
  if (!report.deadline) return "";
  return line("deadline",
              fmt::format("{}; {} missed it ({})", short_text(*report.deadline),
                          count(netsim::missed(report), "message"), percent(result.missed_share)));
}

// Of jobs there is neither a warm-up nor a load that would be offered.
std::string job_run_lines(const Report& report) {
  const bool done =
      std::ranges::all_of(report.jobs, [](const netsim::JobReport& job) { return job.done; });
  return line("measured", fmt::format("{}, {}", short_text(report.to - report.from),
                                      done ? "until all jobs were seen to be done"
                                           : "which was not enough for all jobs")) +
         line("messages", fmt::format("{}; {}", count(report.messages), arrived_text(report)));
}

std::string load_lines(const results::Summary& result) {
  const Report& report = result.report;
  if (!report.jobs.empty()) return job_run_lines(report) + "\n" + jobs_text(result);
  return line("warm-up", warm_up_text(report.warm_up)) +
         line("measured", fmt::format("{} from then on", to_text(report.to - report.from))) +
         line("offered load",
              fmt::format("{} of what the {} sending hosts' links carry",
                          percent(result.offered_load), count(result.simulation.sending_hosts))) +
         line("accepted load", percent(result.accepted_load)) +
         line("messages", fmt::format("{}; {}", count(report.messages), arrived_text(report))) +
         deadline_line(result);
}

std::vector<std::string> latency_row(const std::string& name, const netsim::Histogram& latency) {
  return {name,
          short_text(latency.mean()),
          short_text(latency.quantile(Ratio(1, 2))),
          short_text(latency.quantile(Ratio(99, 100))),
          short_text(latency.quantile(Ratio(999, 1000))),
          short_text(latency.most())};
}

// At flow fidelity there are no packets.
std::string latency_table(const Report& report) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"latency         "},
               {"mean", kRight},
               {"p50", kRight},
               {"p99", kRight},
               {"p99.9", kRight},
               {"max", kRight}});
  if (report.packet_latency.count() > 0) {
    table.add(latency_row("packets", report.packet_latency));
  }
  table.add(latency_row("messages", report.message_latency));
  if (report.lateness.count() > 0) table.add(latency_row("lateness", report.lateness));
  return table.text();
}

std::string cores_text(const results::Summary& result) {
  const config::Simulation& simulation = result.simulation;
  if (simulation.switch_groups.empty())
    return fmt::format("{}, whatever the channels do", short_text(result.cores));
  const Power awake = simulation.switch_core * std::int64_t{simulation.graph->switch_count()};
  return fmt::format("{} of {}; they sleep while all their outputs do", short_text(result.cores),
                     short_text(awake));
}

// What the cores are made of, a line for each power group.
std::string groups_text(const results::Summary& result) {
  std::string text;
  for (const results::GroupUse& use : result.groups) {
    text += line("  " + use.name, fmt::format("{}; asleep {} of the time", short_text(use.power),
                                              percent(use.asleep)));
  }
  return text;
}

// Of always-on, since what sleeps saves another share at the wall than in the switch.
std::string wall_lines(const results::Summary& result) {
  if (!result.wall) return {};
  const results::WallUse& use = *result.wall;
  const auto share = [](Power part, Power whole) {
    return percent(to_watts(part) / to_watts(whole));
  };
  return line("power of switches",
              fmt::format("{} of {}: {} of always-on", short_text(use.switches),
                          short_text(use.always_on), share(use.switches, use.always_on))) +
         line("  at the wall",
              fmt::format("{} of {}: {} of always-on", short_text(use.wall),
                          short_text(use.wall_always_on), share(use.wall, use.wall_always_on))) +
         line("",
              fmt::format("of the mean power of each switch; the mean over time differs by {} at "
                          "most",
                          short_text(use.differs_by)));
}

std::string power_lines(const results::Summary& result) {
  std::string text =
      line("power of channels",
           fmt::format("{} of always-on; {} would be ideal", percent(relative_power(result.report)),
                       percent(ideal_relative_power(result.report))));
  text += line("", fmt::format("{} of {}; {} would be ideal", short_text(result.channels),
                               short_text(result.always_on), short_text(result.ideal)));
  if (result.cores > Power{})
    text += line("switch cores", cores_text(result)) + groups_text(result);
  for (const results::ComponentUse& use : result.components) {
    text += line(use.name, short_text(use.power));
  }
  return text + wall_lines(result);
}

std::string bar(double share) {
  return std::string(static_cast<std::size_t>(std::lround(kBarWidth * share)), '#');
}

std::string state_bars(const results::Summary& result) {
  std::string text = "time of channels\n";
  for (const results::StateShare& state : result.states) {
    text += fmt::format("  {:<{}}{:>7} |{:<{}}|\n", state.state, kLabelWidth - 2,
                        percent(state.share), bar(state.share), static_cast<int>(kBarWidth));
  }
  const Report& report = result.report;
  text += line("changes of state", count(result.changes));
  if (report.outcomes_refused > 0) {
    text +=
        line("refused", fmt::format("{} of the policy's {} actions", count(report.outcomes_refused),
                                    count(report.outcomes_done + report.outcomes_refused)));
  }
  return text;
}

std::string busiest_table(const results::Summary& result) {
  Table table({{"busiest channels"},
               {"busy", Table::Align::right},
               {"carried, of full rate", Table::Align::right}});
  for (const results::BusyChannel& channel : result.busiest) {
    table.add({fmt::format("{} -> {}", channel.from, channel.to), percent(channel.busy),
               percent(channel.carried)});
  }
  return table.text();
}

}  // namespace

std::string sim_text(const results::Summary& result) {
  std::string text =
      what_ran(result.simulation) + notices(result.report, result.simulation.spec.fidelity);
  for (const std::string& reason : outside_validity(result)) {
    text += notice(
        fmt::format("outside of what flows are valid for (docs/models/flows.md): {}", reason));
  }
  text += "\n";
  if (!result.measured) return text + "nothing was measured\n";
  return text + load_lines(result) + "\n" + latency_table(result.report) + "\n" +
         power_lines(result) + "\n" + state_bars(result) + "\n" + busiest_table(result) + "\n" +
         line("energy account", "balances: states add up to the time, meters to the total");
}

}  // namespace ebb::cli
