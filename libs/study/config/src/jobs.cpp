// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include "job_hosts.hpp"
#include "quantities.hpp"

#include "ebb/applications/application.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/trace.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace ebb::config {
namespace {

constexpr Duration kLatestStart = std::chrono::hours(24);

void read_format(files::Section& section, JobSpec& job) {
  if (const auto name = section.find("format")) {
    job.format = name->text(section.errors()).value_or("");
    const auto known = trace::find_format(job.format);
    if (!known) name->report(section.errors(), known.error().front().message);
  }
  if (const auto value = section.find("parameters")) {
    files::Section parameters(*value, section.errors());
    job.parameters = files::parameter_texts(parameters.entries(), section.errors());
  }
  job.addresses = section.find_text("addresses").value_or("");
}

Result<std::span<const Parameter>> application_parameters(std::string_view name) {
  const auto found = applications::find_application(name);
  if (!found) return fail(found.error());
  return std::span<const Parameter>((*found)->parameters);
}

// The path of a trace, or an application with its parameters; true when it is an application.
bool read_program(files::Section& section, JobSpec& job) {
  const auto value = section.find("program");
  if (value && value->is_map()) {
    job.application = files::read_named(*value, application_parameters, section.errors())
                          .value_or(files::Named{});
    return true;
  }
  job.program =
      files::beside(section.errors().file(), section.require_text("program").value_or(""));
  return false;
}

// What says how a trace is read has no meaning for an application.
void refuse_keys_of_traces(files::Section& section) {
  for (const std::string_view key : {"format", "parameters", "addresses"}) {
    if (const auto value = section.find(key)) {
      value->report(section.errors(),
                    fmt::format("'{}' is of traces, and 'program' names an application", key));
    }
  }
}

JobSpec read_job(files::Section& section) {
  JobSpec job;
  const std::string& file = section.errors().file();
  const bool is_application = read_program(section, job);
  job.name = section.find_text("name").value_or("");
  job.hosts = section.find_text("hosts").value_or(job.hosts);
  read_quantity(section, "start", Duration{}, kLatestStart, job.start);
  if (is_application) {
    refuse_keys_of_traces(section);
  } else {
    read_format(section, job);
  }
  if (!places_by_rule(job)) job.hosts = files::beside(file, job.hosts);
  if (!job.addresses.empty()) job.addresses = files::beside(file, job.addresses);
  return job;
}

void read_costs(files::Section& traffic, JobsSpec& spec) {
  constexpr Duration kLongestOverhead = std::chrono::seconds(1);
  program::HostCosts& costs = spec.costs;
  read_quantity(traffic, "send_overhead", Duration{}, kLongestOverhead, costs.send_overhead);
  read_quantity(traffic, "receive_overhead", Duration{}, kLongestOverhead, costs.receive_overhead);
  read_quantity(traffic, "rendezvous_above", DataSize{}, bytes(std::int64_t{1} << 50),
                costs.rendezvous_above);
  read_quantity(traffic, "control_size", bytes(1), bytes(4096), costs.control_size);
  if (traffic.find("markers"))
    spec.markers = traffic.require_one_of("markers", {"accept", "refuse"}) == "accept";
  if (traffic.find("reference"))
    spec.reference = traffic.require_one_of("reference", {"always-on", "none"}) == "always-on";
}

// Both or none of them.
void read_host_power(files::Section& traffic, JobsSpec& spec) {
  constexpr Power kMost = watts(1'000'000);
  HostPower power;
  const auto idle = traffic.find("host_idle_power");
  const auto busy = traffic.find("host_busy_power");
  if (!idle && !busy) return;
  if (!idle || !busy) {
    (idle ? *idle : *busy)
        .report(traffic.errors(),
                fmt::format("needs '{}' beside it", idle ? "host_busy_power" : "host_idle_power"));
    return;
  }
  read_quantity(traffic, "host_idle_power", Power{}, kMost, power.idle);
  read_quantity(traffic, "host_busy_power", power.idle, kMost, power.busy);
  spec.host_power = power;
}

std::string host_power_yaml(const JobsSpec& spec) {
  if (!spec.host_power) return "";
  return fmt::format("\n  host_idle_power: {}\n  host_busy_power: {}",
                     ebb::to_text(spec.host_power->idle), ebb::to_text(spec.host_power->busy));
}

// Jobs without a name are called by their number.
void name_jobs(std::vector<JobSpec>& jobs, const files::Value& place, files::Diagnostics& errors) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].name.empty()) jobs[i].name = fmt::format("job{}", i);
    for (std::size_t k = 0; k < i; ++k) {
      if (jobs[k].name == jobs[i].name)
        place.report(errors, fmt::format("two jobs have the name '{}'", jobs[i].name));
    }
  }
}

std::string job_yaml(const JobSpec& job) {
  std::string text =
      fmt::format("name: {}, program: {}, hosts: {}, start: {}", quoted(job.name),
                  job.program.empty() ? to_yaml(job.application) : quoted(job.program),
                  quoted(job.hosts), ebb::to_text(job.start));
  if (!job.format.empty()) text += fmt::format(", format: {}", job.format);
  if (!job.parameters.empty()) {
    std::string pairs;
    for (const auto& [key, value] : job.parameters)
      pairs += fmt::format("{}{}: {}", pairs.empty() ? "" : ", ", key, quoted(value));
    text += fmt::format(", parameters: {{{}}}", pairs);
  }
  if (!job.addresses.empty()) text += fmt::format(", addresses: {}", quoted(job.addresses));
  return text;
}

// What the job runs, and what was repaired in it.
Result<program::Program> program_of(const JobSpec& job, std::vector<std::string>& repairs) {
  if (job.program.empty()) {
    auto made = applications::make_application(job.application.name, job.application.parameters);
    if (made) return made;
    for (Error& error : made.error())
      error.message = fmt::format("{}: {}: {}", job.name, job.application.name, error.message);
    return made;
  }
  auto trace = trace::read_trace(job.program, {job.format, job.parameters, job.addresses});
  if (!trace) return fail(trace.error());
  for (const std::string& repair : trace->repairs)
    repairs.push_back(fmt::format("{}: repaired: {}", job.program, repair));
  return std::move(trace->program);
}

}  // namespace

bool read_jobs(files::Section& traffic, JobsSpec& spec) {
  if (traffic.find("program")) {
    spec.jobs.push_back(read_job(traffic));
    if (spec.jobs.front().name.empty()) spec.jobs.front().name = "job";
  } else if (const auto list = traffic.find("jobs")) {
    const auto items = list->list(traffic.errors());
    if (items && items->empty()) list->report(traffic.errors(), "needs a job or more");
    for (const files::Value& item : items.value_or(std::vector<files::Value>{})) {
      files::Section section(item, traffic.errors());
      spec.jobs.push_back(read_job(section));
      section.finish();
    }
    name_jobs(spec.jobs, *list, traffic.errors());
  } else {
    return false;
  }
  read_costs(traffic, spec);
  read_host_power(traffic, spec);
  traffic.finish();
  return true;
}

std::string jobs_yaml(const JobsSpec& spec) {
  std::string text = "\n  jobs:\n";
  for (const JobSpec& job : spec.jobs) text += fmt::format("    - {{{}}}\n", job_yaml(job));
  return text +
         fmt::format(
             "  send_overhead: {}\n  receive_overhead: {}\n  rendezvous_above: {}\n"
             "  control_size: {}\n  markers: {}\n  reference: {}",
             ebb::to_text(spec.costs.send_overhead), ebb::to_text(spec.costs.receive_overhead),
             ebb::to_text(spec.costs.rendezvous_above), ebb::to_text(spec.costs.control_size),
             spec.markers ? "accept" : "refuse", spec.reference ? "always-on" : "none") +
         host_power_yaml(spec);
}

Result<MadeJobs> make_jobs(const JobsSpec& spec, const topology::Graph& graph, std::uint64_t seed) {
  MadeJobs made;
  Errors errors;
  const auto keep = [&](const Errors& found) {
    errors.insert(errors.end(), found.begin(), found.end());
  };
  HostPool hosts(graph, seed);
  std::vector<program::Job> jobs;
  const auto markers = spec.markers ? program::Markers::accept : program::Markers::refuse;
  for (const JobSpec& job : spec.jobs) {
    auto runs = program_of(job, made.repairs);
    if (!runs) {
      keep(runs.error());
      continue;
    }
    keep(check(*runs, markers));
    made.programs.push_back(std::make_unique<const program::Program>(std::move(*runs)));
    const program::Program& program = *made.programs.back();
    auto its_hosts = hosts.take(job, program.ranks());
    if (!its_hosts) {
      for (Error& error : its_hosts.error()) {
        if (error.where.file.empty()) error.message = job.name + ": " + error.message;
      }
      keep(its_hosts.error());
      continue;
    }
    jobs.push_back({program, std::move(*its_hosts), TimePoint(job.start), job.name});
  }
  if (errors.empty()) keep(program::Jobs::validate(graph.hosts_of_plane(), jobs));
  if (!errors.empty()) return fail(std::move(errors));
  made.jobs = std::make_unique<program::Jobs>(graph.hosts_of_plane(), std::move(jobs), spec.costs);
  return made;
}

}  // namespace ebb::config
