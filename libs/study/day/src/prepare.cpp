// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/check.hpp"
#include "ebb/day/day.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace ebb::day {
namespace {

// A policy that decides less often would decide nothing that the window shows.
constexpr int kLeastDecisions = 10;

void check_decisions(const policy::Made& policy, Duration window, const std::string& key,
                     Errors& errors) {
  const Duration period = policy.policy->sample_period();
  if (period * kLeastDecisions <= window || policy.policy->decides_once()) return;
  errors.push_back(
      {fmt::format("the policy decides every {}, which is more than a tenth of the {} "
                   "that are measured; measure at least {}, or let it decide more often",
                   to_text(period), to_text(window), to_text(period * kLeastDecisions)),
       {.path = key}});
}

void check_lengths(const Day& day, Errors& errors) {
  const Duration measure = day.file.spec.schedule.measure;
  for (const config::DayStep& step : day.steps) {
    if (step.length % measure == Duration{}) continue;
    errors.push_back(
        {fmt::format("the step at {} is {} long, which is no multiple of the {} that "
                     "are measured",
                     config::clock_text(step.at), to_text(step.length), to_text(measure)),
         {.path = "schedule.measure"}});
    return;
  }
}

void check_magnified(const Day& day, Errors& errors) {
  const config::DayStep& last = day.steps.back();
  for (const config::Magnified& moment : day.file.spec.day.magnified) {
    if (moment.at >= last.at + last.length) {
      errors.push_back(
          {fmt::format("{} is not before the end of the day, {}", config::clock_text(moment.at),
                       config::clock_text(last.at + last.length)),
           {.path = "schedule.magnify"}});
    }
    check_decisions(day.simulation.policy, moment.length, "schedule.magnify", errors);
  }
}

// A mistake of the day itself stands at its key, or in its own file.
Errors at_key(Errors errors) {
  for (Error& error : errors) {
    if (error.where.file.empty()) error.where.path = "schedule.day";
  }
  return errors;
}

}  // namespace

Result<Day> prepare_day(const config::SimFile& file, const power::Library& library) {
  EBB_CHECK(file.spec.day.given(), "the simulation has a day");
  auto steps = config::read_day(file.spec);
  if (!steps) return fail(placed(at_key(std::move(steps.error())), file));
  const config::SimSpec first = config::step_spec(file.spec, steps->front(), 0);
  auto simulation = config::prepare(config::SimFile{first, file.places}, library);
  if (!simulation) return fail(simulation.error());

  Day day{file, std::move(*simulation), std::move(*steps)};
  day.file.spec.schedule = day.simulation.spec.schedule;
  day.file.spec.automatic = day.simulation.spec.automatic;
  day.simulation.spec = day.file.spec;
  Errors errors;
  check_lengths(day, errors);
  check_decisions(day.simulation.policy, day.file.spec.schedule.measure, "schedule.measure",
                  errors);
  check_magnified(day, errors);
  if (!errors.empty()) return fail(placed(std::move(errors), file));
  return day;
}

}  // namespace ebb::day
