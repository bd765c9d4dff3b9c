// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/check.hpp"
#include "ebb/day/day.hpp"
#include "ebb/results/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>
#include <utility>

namespace ebb::day {
namespace {

Latency latency_of(const netsim::Histogram& histogram) {
  if (histogram.count() == 0) return {};
  return {histogram.count(), histogram.mean(), histogram.quantile(Ratio(1, 2)),
          histogram.quantile(Ratio(99, 100)), histogram.quantile(Ratio(999, 1000))};
}

Sample sample_of(const results::Summary& summary) {
  const netsim::Report& report = summary.report;
  return {.offered_load = summary.offered_load,
          .accepted_load = summary.accepted_load,
          .channels = summary.channels,
          .always_on = summary.always_on,
          .ideal = summary.ideal,
          .relative_power = netsim::relative_power(report),
          .ideal_relative_power = netsim::ideal_relative_power(report),
          .messages = report.messages,
          .messages_unfinished = report.messages_unfinished,
          .message_latency = latency_of(report.message_latency),
          .packet_latency = latency_of(report.packet_latency),
          .saturated = netsim::saturated(report),
          .too_short = netsim::too_short(report),
          .steady = netsim::steady(report),
          .outside_validity = results::outside_validity(summary)};
}

double mean_watts(const netsim::Batch& batch) {
  return to_joules(batch.energy) / std::chrono::duration<double>(batch.to - batch.from).count();
}

// Of the energy of the step: the halves of the window are two samples of its power.
double standard_error(const netsim::Report& report, Duration length) {
  const double seconds = std::chrono::duration<double>(length).count();
  return seconds * std::abs(mean_watts(report.first_half) - mean_watts(report.second_half)) / 2;
}

// All windows of a day, for several threads: magnified ones first, because they take longest.
class DayRun {
 public:
  DayRun(Day day, const power::Library& library, const OnWindow& on_window)
      : file_(std::move(day.file)),
        library_(library),
        on_window_(on_window),
        report_{.simulation = std::move(day.simulation)} {
    report_.steps.reserve(day.steps.size());
    for (const config::DayStep& step : day.steps) report_.steps.push_back({.step = step});
    report_.magnified.reserve(file_.spec.day.magnified.size());
    for (const config::Magnified& moment : file_.spec.day.magnified)
      report_.magnified.push_back({.moment = moment, .step = step_at(moment.at)});
  }

  void work() {
    while (const auto next = take()) run_window(*next);
  }

  Result<DayReport> finish() {
    if (!errors_.empty()) return fail(config::placed(std::move(errors_), file_));
    double variance = 0;
    for (const StepReport& step : report_.steps)
      variance += step.standard_error_J * step.standard_error_J;
    report_.standard_error_J = std::sqrt(variance);
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return report_.magnified.size() + report_.steps.size();
  }
  [[nodiscard]] std::size_t step_at(Duration time) const {
    const auto after = std::ranges::upper_bound(report_.steps, time, {},
                                                [](const StepReport& one) { return one.step.at; });
    return static_cast<std::size_t>(after - report_.steps.begin()) - 1;
  }

  // Nothing further is begun once a window has failed.
  std::optional<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    if (next_ == count() || failed_) return std::nullopt;
    return next_++;
  }

  void run_window(std::size_t window) {
    const bool magnified = window < report_.magnified.size();
    const std::size_t number =
        magnified ? report_.magnified[window].step : window - report_.magnified.size();
    const config::DayStep step = report_.steps[number].step;
    config::SimSpec spec = config::step_spec(file_.spec, step, number);
    if (magnified) {
      spec.fidelity = netsim::Fidelity::packet;
      spec.schedule.measure = report_.magnified[window].moment.length;
    }
    const auto simulation = config::prepare(spec, library_);
    if (!simulation) return refuse(window, step, simulation.error());
    const netsim::Report run = config::run(*simulation, simulation->experiment());
    if (run.stall) return stop(window, {step, *run.stall, spec.fidelity});
    Sample sample = sample_of({*simulation, run});
    if (magnified) {
      keep_magnified(window, std::move(sample));
    } else {
      keep_step(number, run, std::move(sample));
    }
  }

  // Windows are begun in order, so the first one that fails is the same for any number of threads.
  [[nodiscard]] bool is_first_to_fail(std::size_t window) {
    if (failed_ && *failed_ < window) return false;
    failed_ = window;
    errors_.clear();
    report_.stalled.reset();
    return true;
  }

  void refuse(std::size_t window, const config::DayStep& step, Errors errors) {
    const std::lock_guard lock(mutex_);
    if (!is_first_to_fail(window)) return;
    for (Error& error : errors) {
      error.message =
          fmt::format("in the step at {}: {}", config::clock_text(step.at), error.message);
      errors_.push_back(std::move(error));
    }
  }

  void stop(std::size_t window, StalledStep stalled) {
    const std::lock_guard lock(mutex_);
    if (is_first_to_fail(window)) report_.stalled = std::move(stalled);
  }

  void keep_magnified(std::size_t window, Sample sample) {
    const std::lock_guard lock(mutex_);
    report_.magnified[window].sample = std::move(sample);
    tell();
  }

  void keep_step(std::size_t number, const netsim::Report& run, Sample sample) {
    const Duration length = report_.steps[number].step.length;
    const Duration window = run.to - run.from;
    EBB_CHECK(length % window == Duration{}, "a step is a whole number of windows");
    const auto factor = static_cast<std::uint64_t>(length / window);
    const power::Ledger account = scaled(run.ledger, factor);
    const std::lock_guard lock(mutex_);
    StepReport& step = report_.steps[number];
    step.energy = netsim::channel_energy(account);
    step.standard_error_J = standard_error(run, length);
    step.sample = std::move(sample);
    report_.always_on += run.always_on * static_cast<std::int64_t>(factor);
    report_.ideal += run.ideal * static_cast<std::int64_t>(factor);
    add(account);
    tell();
  }

  // Integers, so that the order in which steps end does not show.
  void add(const power::Ledger& account) {
    if (!std::exchange(has_account_, true)) {
      report_.ledger = account;
      return;
    }
    EBB_CHECK(report_.ledger.add_time(account).empty(), "steps of a day have the same meters");
  }

  void tell() {
    ++done_;
    if (on_window_) on_window_(done_, count());
  }

  const config::SimFile file_;
  const power::Library& library_;
  const OnWindow& on_window_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::optional<std::size_t> failed_;
  bool has_account_ = false;
  Errors errors_;
  DayReport report_;
};

}  // namespace

Result<DayReport> run_day(Day day, const power::Library& library, std::uint32_t threads,
                          const OnWindow& on_window) {
  DayRun run(std::move(day), library, on_window);
  std::vector<std::thread> workers;
  workers.reserve(threads);
  for (std::uint32_t i = 1; i < threads; ++i) workers.emplace_back([&] { run.work(); });
  run.work();
  for (std::thread& worker : workers) worker.join();
  return run.finish();
}

}  // namespace ebb::day
