// SPDX-License-Identifier: Apache-2.0
#include "sim/day_output.hpp"

#include "command_line/text.hpp"
#include "sim/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>

namespace ebb::cli {
namespace {

using day::DayReport;
using day::StepReport;

constexpr double kJoulesOfKilowattHour = 3.6e6;
constexpr std::size_t kDayLabelWidth = 18;
constexpr std::size_t kDayTextWidth = 100;
constexpr auto kRightAligned = Table::Align::right;

std::string day_line(std::string_view label, const std::string& text) {
  return fmt::format("{:<{}}{}\n", label, kDayLabelWidth, text);
}

std::string day_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string kilowatt_hours(double joules) {
  return fmt::format("{:.4g} kWh", joules / kJoulesOfKilowattHour);
}

double load_of(const StepReport& step) { return step.step.load.to_double(); }

std::string steps_line(const DayReport& report) {
  const netsim::Schedule& schedule = report.simulation.spec.schedule;
  return day_line("day", fmt::format("{} steps until {}, each simulated for {} after its warm-up",
                                     report.steps.size(), config::clock_text(report.length()),
                                     to_text(schedule.measure)));
}

std::string energy_lines(const DayReport& report) {
  const double channels = to_joules(netsim::channel_energy(report.ledger));
  const double always_on = to_joules(report.always_on);
  const double ideal = to_joules(report.ideal);
  std::string text =
      day_line("energy", fmt::format("{} of channels, +- {:.2g} kWh (standard error); {} always-on",
                                     kilowatt_hours(channels),
                                     report.standard_error_J / kJoulesOfKilowattHour,
                                     kilowatt_hours(always_on))) +
      day_line("", fmt::format("{} of always-on; {} would be ideal",
                               day_percent(channels / always_on), day_percent(ideal / always_on)));
  const double others = to_joules(report.ledger.total()) - channels;
  if (others > 0) {
    text += day_line("all else",
                     fmt::format("{}, switch cores and components", kilowatt_hours(others)));
  }
  return text;
}

std::string day_power_line(const DayReport& report) {
  const auto power = [](const StepReport& step) { return step.sample.channels; };
  const auto [least, most] = std::ranges::minmax_element(report.steps, {}, power);
  const auto at = [](const StepReport& step) {
    return fmt::format("{} at {}", short_text(step.sample.channels),
                       config::clock_text(step.step.at));
  };
  return day_line(
      "power of channels",
      fmt::format("{} mean; least {}, greatest {}",
                  short_text(mean_power(netsim::channel_energy(report.ledger), report.length())),
                  at(*least), at(*most)));
}

// Means of steps, by their lengths, and latency by the messages that they stand for.
struct Means {
  double load = 0;
  double power = 0;
  Duration latency{};
  Duration worst_p99{};
};

Means means_of(std::span<const StepReport> steps) {
  double time = 0;
  double messages = 0;
  double latency_sum = 0;
  Means means;
  for (const StepReport& step : steps) {
    const auto length = static_cast<double>(step.step.length.count());
    const day::Latency& latency = step.sample.message_latency;
    const double sent = length * static_cast<double>(latency.count);
    time += length;
    messages += sent;
    latency_sum += sent * static_cast<double>(latency.mean.count());
    means.load += length * load_of(step);
    means.power += length * step.sample.relative_power;
    means.worst_p99 = std::max(means.worst_p99, latency.p99);
  }
  means.load /= time;
  means.power /= time;
  if (messages > 0) means.latency = Duration(static_cast<std::int64_t>(latency_sum / messages));
  return means;
}

// Steps that begin in the same hour are one row.
std::string hours_table(const DayReport& report) {
  Table table({{"hour"},
               {"load", kRightAligned},
               {"power", kRightAligned},
               {"mean latency", kRightAligned},
               {"worst p99", kRightAligned}});
  for (auto first = report.steps.begin(); first != report.steps.end();) {
    const auto hour = std::chrono::floor<std::chrono::hours>(first->step.at);
    const auto last = std::find_if(first, report.steps.end(), [&](const StepReport& step) {
      return step.step.at >= hour + std::chrono::hours(1);
    });
    const Means means = means_of({first, last});
    table.add({config::clock_text(hour), day_percent(means.load), day_percent(means.power),
               short_text(means.latency), short_text(means.worst_p99)});
    first = last;
  }
  return table.text();
}

std::string magnified_table(const DayReport& report) {
  if (report.magnified.empty()) return "";
  Table table({{"magnified"},
               {"load", kRightAligned},
               {"mean", kRightAligned, "messages as flows"},
               {"p99", kRightAligned, "messages as flows"},
               {"power", kRightAligned, "messages as flows"},
               {"mean", kRightAligned, "with packets"},
               {"p99", kRightAligned, "with packets"},
               {"power", kRightAligned, "with packets"}});
  for (const day::MagnifiedReport& moment : report.magnified) {
    const StepReport& step = report.steps[moment.step];
    std::vector<std::string> cells = {config::clock_text(moment.moment.at),
                                      day_percent(load_of(step))};
    for (const day::Sample* sample : {&step.sample, &moment.sample}) {
      cells.push_back(short_text(sample->message_latency.mean));
      cells.push_back(short_text(sample->message_latency.p99));
      cells.push_back(day_percent(sample->relative_power));
    }
    table.add(std::move(cells));
  }
  return "\n" + table.text();
}

// "12 steps, the first at 09:40"; empty when there is none.
std::string steps_where(const DayReport& report,
                        const std::function<bool(const day::Sample&)>& holds) {
  const auto matches = [&](const StepReport& step) { return holds(step.sample); };
  const auto count = std::ranges::count_if(report.steps, matches);
  if (count == 0) return "";
  const auto first = std::ranges::find_if(report.steps, matches);
  return fmt::format("{} of {} steps, the first at {}", count, report.steps.size(),
                     config::clock_text(first->step.at));
}

std::string doubts(const DayReport& report) {
  std::string text;
  const auto add = [&](std::string_view label, const std::string& which, std::string_view what) {
    if (!which.empty()) text += day_line(label, fmt::format("{}: {}", which, what));
  };
  add("saturated", steps_where(report, [](const day::Sample& one) { return one.saturated; }),
      "queues grow, and latencies say nothing");
  add("too short", steps_where(report, [](const day::Sample& one) { return one.too_short; }),
      "measure longer to tell whether the network keeps up");
  add("not steady", steps_where(report, [](const day::Sample& one) { return !one.steady; }),
      "the halves of the window differ");
  const auto doubtful = [](const day::Sample& one) { return !one.outside_validity.empty(); };
  const std::string which = steps_where(report, doubtful);
  if (which.empty()) return text;
  const auto first = std::ranges::find_if(
      report.steps, [&](const StepReport& step) { return doubtful(step.sample); });
  return text +
         wrapped(fmt::format("outside of what flows are valid for (docs/models/flows.md): {}: {}",
                             which, first->sample.outside_validity.front()),
                 kDayTextWidth, "");
}

}  // namespace

std::string day_text(const DayReport& report) {
  const std::string notes = doubts(report);
  return what_ran(report.simulation) + "\n" + steps_line(report) + energy_lines(report) +
         day_power_line(report) + "\n" + hours_table(report) + magnified_table(report) + "\n" +
         notes +
         day_line("energy account",
                  "of the day balances: states add up to the time, meters to the total");
}

std::string stalled_day_text(const day::StalledStep& stalled) {
  return fmt::format("in the step at {}:\n", config::clock_text(stalled.step.at)) +
         stall_notice(stalled.stall, stalled.fidelity);
}

}  // namespace ebb::cli
