// SPDX-License-Identifier: Apache-2.0
//
// What people and programs see of a controller, and what they may ask of it.
#include "fabric/explain.hpp"
#include "fabric/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

namespace ebb::cli {
namespace {

using transport::Milliseconds;

constexpr std::size_t kLastEntries = 20;
constexpr Milliseconds kStatusEvery{1000};
constexpr Milliseconds kAfterTheAnswer{50};

double in_watts(Power power) { return static_cast<double>(power.count()) / 1e6; }

}  // namespace

Errors Session::open_control() {
  auto control =
      ControlSocket::open(loop_, options_.state.control(file_.name),
                          [this](const std::string& line, Asker who) { return obey(line, who); });
  if (!control) return control.error();
  control_ = std::move(*control);
  return show();
}

Errors Session::show() {
  const std::string beside_status = options_.state.controller(file_.name) + "/audit.jsonl";
  if (auto closed =
          events_.open(options_.log, options_.audit.empty() ? beside_status : options_.audit);
      !closed.empty())
    return closed;
  if (!options_.history.empty()) {
    auto history = FabricHistory::create(options_.history);
    if (!history) return history.error();
    history_ = std::move(*history);
  }
  if (options_.metrics.empty()) return {};
  const auto address = metrics_address(options_.metrics);
  if (!address) return address.error();
  auto server = monitor::HttpServer::open(
      loop_, *address, {}, [this](std::string_view path) -> std::optional<monitor::HttpAnswer> {
        if (path != "/metrics") return std::nullopt;
        return monitor::HttpAnswer{std::string(monitor::Exposition::kType),
                                   figures_.metrics(view(), events_.lines_lost())};
      });
  if (!server) return server.error();
  metrics_ = std::move(*server);
  say("metrics at http://" + to_text(metrics_->address()).substr(4) + "/metrics");
  return {};
}

FabricView Session::view() const {
  return {file_.name, made_.name, description_, controller_, live_, sleepers_, watts_, last_};
}

void Session::say(const std::string& line) {
  // Lines for programs are not mixed with lines for people.
  std::FILE* people = options_.log == "-" ? stderr : stdout;
  fmt::print(people, "{:8.3f} s  {}\n",
             std::chrono::duration<double>(live_.now().time_since_epoch()).count(), line);
  std::fflush(people);
}

std::string Session::obey(const std::string& line, Asker who) {
  if (line == kFabricGoes) {
    loop_.after(kAfterTheAnswer, [this] { give_up(); });
    return "done";
  }
  if (line.starts_with("explain ")) return explain(line.substr(line.find(' ') + 1));
  std::string answer = carry_out(line);
  events_.asked(line, who, answer);
  live_.give_orders();
  remember();
  return answer;
}

std::string Session::explain(const std::string& name) const {
  const auto link = link_named(name);
  if (!link) return "there is no such link; ebb fabric status lists them";
  const topology::Graph& graph = description_.graph;
  if (!between_switches(graph, *link)) return "it is the link of a host, which never sleeps";
  return explain_json(graph, controller_, figures_.history(*link), live_.now(), *link).dump();
}

std::string Session::carry_out(const std::string& line) {
  const auto space = line.find(' ');
  const std::string verb = line.substr(0, space);
  const auto link = space == std::string::npos ? std::nullopt : link_named(line.substr(space + 1));
  if (!link) return "there is no such link; ebb fabric status lists them";
  const auto objection = verb == "take-out" ? controller_.take_out(live_.now(), *link)
                         : verb == "put-back"
                             ? controller_.put_back(live_.now(), *link)
                             : std::optional<std::string>("take-out, put-back or explain?");
  return objection.value_or("done");
}

bool Session::report() {
  const std::vector<controller::Entry> entries = controller_.take_journal();
  for (const controller::Entry& entry : entries) {
    say(fmt::format("{} {}: {}", link_name(description_.graph, entry.link), to_text(entry.state),
                    entry.why));
    events_.link(entry);
    figures_.changed(entry);
    last_.push_front(entry);
  }
  if (last_.size() > kLastEntries) last_.resize(kLastEntries);
  return !entries.empty();
}

void Session::say_when_whole() {
  const bool whole = live_.is_whole();
  if (whole && !whole_) {
    say(options_.dry_run ? "all switches are here; cables are not probed in a dry run"
                         : "all switches are here, and cables run as described");
  }
  whole_ = whole;
}

void Session::say_what_would_be_saved() {
  if (!options_.dry_run || sleeping() == would_sleep_) return;
  would_sleep_ = sleeping();
  say(fmt::format("{} links would sleep: {:.1f} W of {:.1f} W modelled would be saved",
                  would_sleep_, in_watts(watts_.saved()), in_watts(watts_.all_awake())));
}

void Session::write_status() {
  const TimePoint began = live_.now();
  write_status_now();
  events_.sync();
  if (history_) history_->add({live_.now(), sleeping(), highest_use()}, watts_);
  const auto took = std::chrono::duration_cast<Milliseconds>(live_.now() - began);
  loop_.after(std::max(kStatusEvery, 19 * took), [this] { write_status(); });
}

void Session::write_status_now() {
  const std::string path = options_.state.controller(file_.name) + "/status.json";
  {
    std::ofstream file(path + ".new");
    if (!file) return give_up();
    auto status = status_json(view());
    status["generation"] = succession_.generation();
    status["standby"] = succession_.waiting_room().someone_waits();
    file << status.dump(2) << '\n';
  }
  std::error_code ignored;
  std::filesystem::rename(path + ".new", path, ignored);
}

}  // namespace ebb::cli
