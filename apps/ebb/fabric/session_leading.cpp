// SPDX-License-Identifier: Apache-2.0
//
// Waiting to lead, leading, and what is left to the next.
#include "command_line/interrupt.hpp"
#include "fabric/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>

namespace ebb::cli {
namespace {

controller::WallTime wall_now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace

Errors Session::lead() {
  succession_.heard(live_.newest_generation());
  if (!options_.dry_run) {
    const auto recalled = succession_.begin_term(wall_now());
    if (!recalled) return recalled.error();
    recall(*recalled);
  }
  if (Errors closed = open_control(); !closed.empty()) return closed;
  succession_.waiting_room().leave();
  leading_ = true;
  events_.began(file_.name, made_.name, options_.dry_run);
  live_.lead(succession_.generation(), [this](drivers::Claim how, const std::string& why) {
    step_back(how == drivers::Claim::outdated ? TermEnd::outdated : TermEnd::deposed, why);
  });
  say(fmt::format("leads, generation {}", succession_.generation()));
  write_status();
  return {};
}

void Session::recall(const controller::Recalled& recalled) {
  for (const Error& problem : recalled.problems) {
    say("what the last controller left is not believed, and links that were taken out may "
        "wake: " +
        to_string(problem));
  }
  for (const auto& [name, memory] : recalled.memory.links) {
    if (const auto link = link_named(name)) {
      controller_.recall(TimePoint{}, *link, memory);
    } else {
      say("the last controller knew a link that there is not: " + name);
    }
  }
}

void Session::remember() {
  if (options_.dry_run) return;
  std::map<std::string, controller::LinkMemory> links;
  for (std::uint32_t which = 0; which < description_.graph.link_count(); ++which) {
    const topology::LinkId link{which};
    controller::LinkMemory memory = controller_.memory(live_.now(), link);
    if (memory.state != controller::LinkState::active || memory.taken_out ||
        !memory.changed.empty())
      links.emplace(link_name(description_.graph, link), std::move(memory));
  }
  const auto written = succession_.remember(std::move(links), wall_now());
  complain(written ? "" : to_string(written.error()));
}

void Session::complain(const std::string& problem) {
  if (problem != problem_ && !problem.empty()) say(problem);
  problem_ = problem;
}

void Session::step_back(TermEnd end, const std::string& why) {
  succession_.heard(live_.newest_generation());
  say("leads no longer: " + why);
  end_ = end;
  loop_.stop();
}

void Session::wait_to_lead() {
  if (interrupted() || !std::filesystem::exists(options_.state.controller(file_.name)))
    return loop_.stop();
  if (not_before_ && transport::Clock::now() < *not_before_) return;
  const auto taken = succession_.lease().take(transport::Clock::now());
  if (!taken) return complain(to_string(taken.error()));
  if (!*taken) return complain("stands by: " + succession_.lease().holder() + " leads");
  if (const Errors problems = lead(); !problems.empty()) {
    succession_.lease().leave();
    complain(to_string(problems));
  }
}

}  // namespace ebb::cli
