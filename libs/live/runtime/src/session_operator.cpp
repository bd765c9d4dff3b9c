// SPDX-License-Identifier: Apache-2.0
//
// What operators and programs see of a session, and what they may ask of it.
#include "ends_in_use.hpp"
#include "json_values.hpp"

#include "ebb/runtime/description.hpp"
#include "ebb/runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>

namespace ebb::runtime {
namespace {

using transport::Milliseconds;

constexpr std::size_t kLastEntries = 20;
constexpr Milliseconds kStatusEvery{1000};
constexpr Milliseconds kAfterTheAnswer{50};

Json problems_json(const std::map<std::string, std::string>& problems) {
  Json found = Json::object();
  for (const auto& [record, problem] : problems)
    if (!problem.empty()) found[record] = problem;
  return found;
}

}  // namespace

FabricView Session::view() const {
  return {file_.name,   made_.name,
          description_, controller_,
          live_,        sleepable_,
          watts_,       would_,
          last_,        metrics_.ports_down(description_.graph, live_)};
}

void Session::say(const std::string& line) {
  environment_.say(live_.now(), options_.dry_run ? "dry run: " + line : line);
}

void Session::answer(const std::string& line, Asker who, const Reply& reply) {
  constexpr std::string_view kExplain = "explain ";
  if (line.starts_with(kExplain)) return explain(line.substr(kExplain.size()), reply);
  reply(answer_now(line, who));
}

std::string Session::answer_now(const std::string& line, Asker who) {
  if (const Role needed = role_for(line); needed > who.role) {
    std::string refusal =
        fmt::format("this socket may only explain{}; {} needs '{}'",
                    who.role == Role::operate ? ", drain and undrain" : "",
                    needed == Role::admin ? line : line.substr(0, line.find(' ')), to_text(needed));
    events_.asked(line, who, refusal);
    return refusal;
  }
  if (line == kFabricGoes) {
    events_.asked(line, who, "done");
    taken_down_ = true;
    loop_.after(kAfterTheAnswer, [this] { abandon(); });
    return "done";
  }
  std::string answer = carry_out(line);
  events_.asked(line, who, answer);
  live_.give_orders();
  save();
  return answer;
}

void Session::explain(const std::string& name, const Reply& reply) {
  if (const auto device = switch_named(name))
    return reply(explain_json(description_.graph, controller_, live_.now(), *device).dump());
  const auto link = topology::link_named(description_.graph, name);
  if (!link) return reply("there is no such link; ebb fabric status lists them");
  if (!description_.graph.connects_switches(*link))
    return reply("it is the link of a host, which never sleeps");
  look_at_ends(loop_, live_, *link,
               [this, link = *link, reply](const std::array<EndInUse, 2>& ends) {
                 auto explanation = explain_json(description_.graph, controller_,
                                                 metrics_.history(link), live_.now(), link);
                 explanation["forwarding"] = forwarding_json(description_.graph, ends);
                 reply(explanation.dump());
               });
}

std::string Session::switch_name(std::uint32_t device) const {
  return description_.graph.name(description_.graph.switch_node(device));
}

std::optional<std::uint32_t> Session::switch_named(const std::string& name) const {
  for (std::uint32_t device = 0; device < description_.graph.switch_count(); ++device) {
    if (switch_name(device) == name) return device;
  }
  return std::nullopt;
}

// Names of switches, of which several may be drained at once; or of one link.
std::string Session::carry_out(const std::string& line) {
  const auto space = line.find(' ');
  const std::string verb = line.substr(0, space);
  std::set<std::uint32_t> devices;
  std::istringstream names(space == std::string::npos ? "" : line.substr(space + 1));
  bool all = true;
  for (std::string name; names >> name;) {
    const auto device = switch_named(name);
    all = all && device.has_value();
    if (device) devices.insert(*device);
  }
  if (all && !devices.empty() && (verb == "drain" || verb == "undrain")) {
    const auto objection = verb == "drain" ? controller_.drain_switches(live_.now(), devices)
                                           : controller_.undrain_switches(live_.now(), devices);
    return objection.value_or("done");
  }
  if (!devices.empty()) return "one of these is no switch; ebb fabric status lists links";
  const auto link = space == std::string::npos
                        ? std::nullopt
                        : topology::link_named(description_.graph, line.substr(space + 1));
  if (!link) return "there is no such link; ebb fabric status lists them";
  const auto objection = verb == "drain" ? controller_.drain(live_.now(), *link)
                         : verb == "undrain"
                             ? controller_.undrain(live_.now(), *link)
                             : std::optional<std::string>("drain, undrain or explain?");
  return objection.value_or("done");
}

void Session::switch_power() {
  for (const controller::PowerOrder& order : controller_.take_power_orders()) {
    if (!power_ || !ha_.lease().is_ours()) continue;
    events_.power(order);
    power_->set_power(order.device, order.on, [this, order](bool ok, const std::string& why) {
      controller_.power_answered(live_.now(), order, ok, why);
    });
  }
}

void Session::record_switch(const controller::SwitchEntry& entry) {
  const bool lost = entry.state == controller::SwitchState::lost;
  const std::string text = fmt::format("{}switch {} {}: {}", lost ? "ALARM: " : "",
                                       switch_name(entry.device), to_text(entry.state), entry.why);
  say(text);
  events_.operator_event({lost ? "switch_lost" : "switch_state", switch_name(entry.device), text});
  events_.switch_state(entry);
}

bool Session::record_changes() {
  const std::vector<controller::SwitchEntry> switches = controller_.take_switch_journal();
  for (const controller::SwitchEntry& entry : switches) record_switch(entry);
  const std::vector<controller::Entry> entries = controller_.take_journal();
  for (const controller::Entry& entry : entries) {
    say(fmt::format("{} {}: {}", topology::link_name(description_.graph, entry.link),
                    to_text(entry.state), entry.why));
    events_.link(entry);
    metrics_.changed(entry);
    last_.push_front(entry);
  }
  if (last_.size() > kLastEntries) last_.resize(kLastEntries);
  return !entries.empty() || !switches.empty();
}

void Session::say_when_whole() {
  const bool whole = live_.is_whole();
  if (whole && !whole_) {
    say(options_.dry_run ? "all switches are here; cables are not probed in a dry run"
                         : "all switches are here, and cables run as described");
  }
  whole_ = whole;
}

void Session::say_when_policy_fails() {
  const auto& failure = controller_.policy_failure();
  if (!failure || !problems_["policy"].empty()) return;
  problems_["policy"] = *failure;
  const std::string text = fmt::format(
      "ALARM: the policy has failed, and every link is woken and stays awake until the controller "
      "is started again: {}",
      *failure);
  say(text);
  events_.operator_event({"policy_failed", "", text});
}

void Session::say_what_would_be_saved() {
  if (!options_.dry_run || sleeping() == would_sleep_) return;
  would_sleep_ = sleeping();
  say(fmt::format("{} links would sleep: {:.1f} W of {:.1f} W modelled would be saved",
                  would_sleep_, in_watts(would_.saved()), in_watts(would_.all_awake())));
}

void Session::write_status() {
  const TimePoint began = live_.now();
  write_status_now();
  save_again();
  events_.sync();
  if (history_) {
    history_->add({live_.now(), sleeping(), highest_use()}, options_.dry_run ? would_ : watts_);
  }
  const auto took = std::chrono::duration_cast<Milliseconds>(live_.now() - began);
  status_every_ = std::max(kStatusEvery, 19 * took);
  loop_.after(status_every_, [this] { write_status(); });
}

void Session::write_status_now(bool ends) {
  const std::string path = options_.state.controller(file_.name) + "/status.json";
  {
    std::ofstream file(path + ".new");
    if (!file && !folder_exists()) return ends ? void() : abandon();
    auto status = status_json(view());
    status["problems"] = problems_json(problems_);
    status["generation"] = ha_.generation();
    status["standby"] = ha_.standby_registry().has_standby();
    status["next_within_s"] = std::chrono::duration<double>(status_every_).count();
    status["ended"] = ends;
    status["audit_head"] = events_.audit_head();
    file << status.dump(2) << '\n' << std::flush;
    note("status", file ? Errors{} : Errors{{"cannot be written", {path}}});
    if (!file) return;
  }
  constexpr unsigned kReaders = 0640;
  if (!options_.readers.empty())
    static_cast<void>(give_to_group(path + ".new", options_.readers, kReaders));
  std::error_code ignored;
  std::filesystem::rename(path + ".new", path, ignored);
}

}  // namespace ebb::runtime
