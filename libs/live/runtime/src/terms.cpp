// SPDX-License-Identifier: Apache-2.0
//
// Terms of a leader: waiting for the lease, leading, what one term leaves to the next, and the loop
// that runs one session after the other.
#include "ebb/runtime/description.hpp"
#include "ebb/runtime/session.hpp"
#include "ebb/runtime/switch_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <unistd.h>

namespace ebb::runtime {
namespace {

// After a term that could not begin, as when the state of links cannot be written.
constexpr auto kNextTry = std::chrono::seconds(1);

controller::WallTime wall_now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

// One session, from its start to its end.
Result<SessionEnd> serve(const RunOptions& options, const Environment& environment,
                         controller::HighAvailability& ha, SessionParts parts,
                         const drivers::PortsOn& ports, const PowerAccess& power,
                         std::optional<transport::Clock::time_point> not_before) {
  Session session(options, environment, ha, std::move(parts), ports, power);
  if (Errors closed = session.start(not_before); !closed.empty()) return fail(std::move(closed));
  const SessionEnd end = session.run();
  if (Errors left = session.unfinished(); end == SessionEnd::requested && !left.empty())
    return fail(std::move(left));
  return end;
}

// Two controllers that do not share a lease would take the switches from each other for ever. Each
// waits twice as long as before, so that one of them leads almost all the time.
constexpr int kMostDoublings = 6;
constexpr auto kForgiven = std::chrono::minutes(10);

transport::Clock::duration pause_after_term(int superseded) {
  return controller::kLeaseTimeout * (1 << std::min(superseded - 1, kMostDoublings));
}

RunEnd bad_input(Errors errors) { return {RunEnd::Kind::bad_input, std::move(errors)}; }
RunEnd failed_outside(Errors errors) { return {RunEnd::Kind::outside, std::move(errors)}; }

}  // namespace

Errors Session::lead() {
  ha_.observe_generation(live_.newest_generation());
  ha_.observe_generation(drained_.newest_generation(wall_now()));
  if (!options_.dry_run) {
    auto restored = ha_.begin_term(wall_now());
    if (!restored) return restored.error();
    drained_.add_to(*restored, wall_now());
    restore(*restored);
  }
  open_transcript();
  remove_sockets();
  open_records();
  ha_.standby_registry().leave();
  leading_ = true;
  last_member_ = transport::Clock::now();
  events_.began(file_.name, made_.name);
  live_.lead(ha_.generation(), [this](drivers::RoleReplyKind how, const std::string& why) {
    step_down(how == drivers::RoleReplyKind::stale ? SessionEnd::outdated : SessionEnd::superseded,
              why);
  });
  say(fmt::format("leads, generation {}", ha_.generation()));
  write_status();
  return {};
}

void Session::restore(const controller::RestoredState& restored) {
  for (const Error& problem : restored.problems) {
    say("what the last controller left is not believed, and links that were drained may "
        "wake: " +
        to_string(problem));
  }
  for (const auto& [name, saved] : restored.state.links) {
    if (const auto link = topology::link_named(description_.graph, name)) {
      controller_.restore(TimePoint{}, *link, saved);
      metrics_.restored(*link, controller_.link(*link).state());
    } else {
      say("the last controller knew a link that there is not: " + name);
    }
  }
  for (const auto& [name, saved] : restored.state.switches) {
    if (const auto device = switch_named(name)) {
      controller_.restore(TimePoint{}, *device, saved);
    } else {
      say("the last controller knew a switch that there is not: " + name);
    }
  }
}

void Session::save() {
  if (options_.dry_run) return;
  std::map<std::string, controller::PersistedLink> links;
  for (std::uint32_t which = 0; which < description_.graph.link_count(); ++which) {
    const topology::LinkId link{which};
    controller::PersistedLink saved = controller_.persisted(live_.now(), link);
    if (saved.state != controller::LinkState::active || saved.drained || !saved.changed.empty())
      links.emplace(topology::link_name(description_.graph, link), std::move(saved));
  }
  std::map<std::string, controller::PersistedSwitch> switches;
  for (const auto& [device, out] : controller_.switches_out())
    switches.emplace(switch_name(device), controller::PersistedSwitch{out.state, out.why, out.by});
  if (!ha_.lease().is_ours()) return;
  const auto kept = drained_.save(ha_.generation(), links, switches, wall_now());
  if (!options_.persist.empty()) note("persist", kept ? Errors{} : kept.error());
  const auto written = ha_.save(std::move(links), std::move(switches), wall_now());
  note("state", written ? Errors{} : written.error());
  saves_failed_ += kept && written ? 0 : 1;
}

void Session::save_again() {
  for (const char* record : {"persist", "state"})
    if (!problems_[record].empty()) return save();
}

void Session::say_problem(const std::string& problem) {
  if (problem != problem_ && !problem.empty()) say(problem);
  problem_ = problem;
}

void Session::step_down(SessionEnd end, const std::string& why) {
  ha_.observe_generation(live_.newest_generation());
  say("leads no longer: " + why);
  if (end == SessionEnd::superseded && ha_.lease().is_ours()) {
    say("ALARM: another controller leads that does not share the lease in " +
        options_.state.controller(file_.name) + ": controllers of one fabric need one folder");
  }
  end_ = end;
  loop_.stop();
}

void Session::try_to_lead() {
  if (environment_.stop_requested() || !folder_exists()) return loop_.stop();
  if (not_before_ && transport::Clock::now() < *not_before_) return;
  const auto taken = ha_.lease().take(transport::Clock::now());
  if (!taken) return say_problem(to_string(taken.error()));
  if (!*taken) return say_problem("stands by: " + ha_.lease().holder() + " leads");
  if (const Errors problems = lead(); !problems.empty()) {
    ha_.lease().leave();
    not_before_ = transport::Clock::now() + kNextTry;
    say_problem(to_string(problems));
  }
}

std::string default_persist(const RunOptions& options) {
  return geteuid() == 0 && options.state.path == testbed::StateFolder{}.path ? "/var/lib/ebb" : "";
}

std::string timed_line(TimePoint at, const std::string& line) {
  return fmt::format("{:8.3f} s  {}\n",
                     std::chrono::duration<double>(at.time_since_epoch()).count(), line);
}

RunEnd run_controller(const RunOptions& options, const Environment& environment) {
  if (const auto where = metrics_address(options.metrics); !options.metrics.empty() && !where)
    return bad_input(where.error());
  if (const auto where = address_of(options.remote); !options.remote.listen.empty() && !where)
    return bad_input(where.error());
  auto parts = read_session_parts(options, environment);
  if (!parts) return bad_input(parts.error());
  const auto ports =
      ports_by(options.ports, {options.state, parts->file.name, switch_names(parts->file.graph),
                               options.devices, options.modules, options.remote.insecure});
  if (!ports) return bad_input(ports.error());
  if (options.modules && options.ports != "gnmi")
    return bad_input({{"only --ports gnmi can switch the power of modules"}});
  const auto power = power_access(parts->file, options.state, options.remote.insecure);
  if (!power) return bad_input(power.error());
  const std::string folder = options.state.controller(parts->file.name);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return failed_outside({{problem.message(), {folder}}});
  controller::HighAvailability ha(folder, parts->file.name);
  std::optional<transport::Clock::time_point> not_before;
  int superseded = 0;  // in a row
  while (parts) {
    const auto began = transport::Clock::now();
    const auto end = serve(options, environment, ha, std::move(*parts), *ports, *power, not_before);
    if (!end) return failed_outside(end.error());
    if (*end == SessionEnd::requested) return {};
    if (*end == SessionEnd::superseded) {
      ha.lease().leave();
      if (!options.standby) return failed_outside({{"another controller leads this fabric", {}}});
      const auto now = transport::Clock::now();
      superseded = now - began > kForgiven ? 1 : superseded + 1;
      not_before = now + pause_after_term(superseded);
    }
    parts = read_session_parts(options, environment);
  }
  return bad_input(parts.error());
}

}  // namespace ebb::runtime
