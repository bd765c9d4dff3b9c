// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include "job_hosts.hpp"

#include "ebb/files/sections.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/trace.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::config {
namespace {

constexpr Duration kLatestStart = std::chrono::hours(24);

template <class T>
void read_quantity(files::Section& section, std::string_view key, T least, T most, T& target) {
  const auto value = section.find(key);
  const auto given = value ? value->quantity<T>(section.errors()) : std::nullopt;
  if (!given) return;
  if (*given < least || *given > most) {
    value->report(section.errors(), fmt::format("must be between {} and {}", ebb::to_text(least),
                                                ebb::to_text(most)));
    return;
  }
  target = *given;
}

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

JobSpec read_job(files::Section& section) {
  JobSpec job;
  const std::string& file = section.errors().file();
  job.program = files::beside(file, section.require_text("program").value_or(""));
  job.name = section.find_text("name").value_or("");
  job.hosts = section.find_text("hosts").value_or(job.hosts);
  read_quantity(section, "start", Duration{}, kLatestStart, job.start);
  read_format(section, job);
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
  std::string text = fmt::format("name: {}, program: {}, hosts: {}, start: {}", quoted(job.name),
                                 quoted(job.program), quoted(job.hosts), ebb::to_text(job.start));
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
             spec.markers ? "accept" : "refuse", spec.reference ? "always-on" : "none");
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
    auto trace = trace::read_trace(job.program, {job.format, job.parameters, job.addresses});
    if (!trace) {
      keep(trace.error());
      continue;
    }
    for (const std::string& repair : trace->repairs)
      made.repairs.push_back(fmt::format("{}: repaired: {}", job.program, repair));
    keep(check(trace->program, markers));
    made.programs.push_back(std::make_unique<const program::Program>(std::move(trace->program)));
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
  if (errors.empty()) keep(program::Jobs::validate(graph.host_count(), jobs));
  if (!errors.empty()) return fail(std::move(errors));
  made.jobs = std::make_unique<program::Jobs>(graph.host_count(), std::move(jobs), spec.costs);
  return made;
}

}  // namespace ebb::config
