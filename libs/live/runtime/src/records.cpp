// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/records.hpp"

#include "json_values.hpp"

#include "ebb/monitor/fabric_metrics.hpp"
#include "ebb/runtime/description.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unistd.h>

namespace ebb::runtime {
namespace {

// A link that changes as often as it may (120 an hour) fills it in a week; two are kept.
constexpr std::uint64_t kMostAudit = std::uint64_t{16} << 20U;

std::string utc_text() {
  using std::chrono::system_clock;
  const auto now = floor<std::chrono::milliseconds>(system_clock::now());
  const auto whole = floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(system_clock::to_time_t(whole)),
                     (now - whole).count());
}

// Seconds with six digits behind the point are enough, and read better.
double rounded_seconds(double value) { return std::round(value * 1e6) / 1e6; }

// Whatever bytes an operator sends, the line is JSON.
std::string json_line(const nlohmann::ordered_json& line) {
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Errors FabricEvents::open(const std::string& log, const std::string& audit) {
  if (!log.empty()) {
    auto file = monitor::LineFile::open(log);
    if (!file) return file.error();
    log_ = std::move(*file);
  }
  if (!audit.empty()) {
    auto file = monitor::LineFile::open(audit, kMostAudit);
    if (!file) return file.error();
    audit_ = std::move(*file);
  }
  return {};
}

Json FabricEvents::event(std::string_view name, TimePoint at) const {
  Json line = {{"time", utc_text()},
               {"at_s", rounded_seconds(in_seconds(at))},
               {"event", std::string(name)}};
  if (dry_run_) line["dry_run"] = true;
  return line;
}

void FabricEvents::log(const Json& line) {
  if (log_) log_->add(json_line(line));
}

void FabricEvents::audit(const Json& line) {
  if (audit_) audit_->add(json_line(line));
}

void FabricEvents::began(const std::string& fabric, const std::string& policy) {
  Json line = event("began", now_());
  line.update({{"fabric", fabric}, {"policy", policy}, {"dry_run", dry_run_}, {"uid", getuid()}});
  log(line);
  audit(line);
}

void FabricEvents::ended() {
  log(event("ended", now_()));
  audit(event("ended", now_()));
  sync();
}

void FabricEvents::link(const controller::Entry& entry) {
  Json line = event("link", entry.at);
  line["link"] = link_name(graph_, entry.link);
  line["state"] = to_text(entry.state);
  line["why"] = entry.why;
  log(line);
}

void FabricEvents::operator_event(const drivers::OperatorEvent& told) {
  Json line = event(told.event, now_());
  if (!told.device.empty()) line["switch"] = told.device;
  line["what"] = told.text;
  log(line);
}

Json FabricEvents::order_event(std::string_view name, std::uint64_t number,
                               const controller::Order& order) const {
  const topology::ChannelId end = controller::end_of(order);
  Json line = event(name, now_());
  line["order"] = number;
  line["switch"] = graph_.name(graph_.source(end));
  line["port"] = forwarding::port_of(graph_, end);
  line["link"] = link_name(graph_, topology::link_of(end));
  line["does"] = to_text(monitor::kind_of(order));
  return line;
}

void FabricEvents::given(const drivers::OrderGiven& order) {
  if (!audit_) return;
  Json line = order_event("order", order.number, order.order);
  line["why"] = order.reason;
  audit(line);
}

void FabricEvents::answered(const drivers::OrderAnswered& answer) {
  if (!audit_ && answer.ok) return;
  Json line = order_event("answer", answer.number, answer.order);
  line["ok"] = answer.ok;
  if (!answer.ok) line["why"] = answer.why;
  line["took_s"] = rounded_seconds(in_seconds(answer.took));
  audit(line);
  if (!answer.ok) log(line);
}

void FabricEvents::asked(const std::string& line, Asker who, const std::string& answer) {
  Json said = event("operator", now_());
  said["uid"] = who ? Json(*who) : Json(nullptr);
  said["says"] = line;
  said["answer"] = answer;
  log(said);
  audit(said);
}

void FabricEvents::sync() {
  if (log_) log_->sync();
  if (audit_) audit_->sync();
}

std::uint64_t FabricEvents::lines_lost() const {
  return (log_ ? log_->lost() : 0) + (audit_ ? audit_->lost() : 0);
}

// ---- the history

Result<FabricHistory> FabricHistory::create(const std::string& path, bool dry_run) {
  std::ofstream file(path);
  if (!file) return fail("cannot write", {path});
  file << (dry_run ? "at [s],links that would sleep,power that would be drawn [W]"
                   : "at [s],links asleep,power [W]")
       << ",all awake [W],highest use [%]\n"
       << std::flush;
  return FabricHistory(std::move(file));
}

void FabricHistory::add(const HistoryPoint& point, const controller::Watts& watts) {
  file_ << fmt::format("{:.3f},{},{:.3f},{:.3f},{:.2f}\n", in_seconds(point.at), point.links_asleep,
                       in_watts(watts.present()), in_watts(watts.all_awake()),
                       100 * point.highest_use)
        << std::flush;
}

// ---- metrics

void FabricMetrics::ran(transport::Clock::time_point due) {
  const std::chrono::duration<double> late = transport::Clock::now() - due;
  lag_.add(std::max(0.0, late.count()));
}

std::vector<monitor::LinkMetrics> FabricMetrics::links(const FabricView& view) const {
  const topology::Graph& graph = view.description.graph;
  std::vector<monitor::LinkMetrics> metrics;
  for (std::uint32_t number = 0; number < graph.link_count(); ++number) {
    const topology::LinkId link{number};
    if (!graph.connects_switches(link)) continue;
    const topology::ChannelId forth = topology::forward(link);
    metrics.push_back({.name = link_name(graph, link),
                       .a = graph.name(graph.link(link).a),
                       .b = graph.name(graph.link(link).b),
                       .state = view.controller.link(link).state(),
                       .may_sleep = view.sleepable.may_sleep[number],
                       .would_sleep = view.controller.sleeps(link),
                       .used_forth = view.controller.utilisation(forth),
                       .used_back = view.controller.utilisation(topology::reverse(forth)),
                       .history = history(link)});
  }
  return metrics;
}

std::string FabricMetrics::text(const FabricView& view, std::uint64_t lines_lost) const {
  return monitor::metrics_text(
      {.fabric = view.name,
       .policy = view.policy,
       .at = view.live.now(),
       .links = links(view),
       .switches_here = view.live.members(),
       .switches_away = view.description.graph.switch_count() - view.live.members(),
       .wrong_cables = view.live.cabling().wrong().size(),
       .modelled_all_awake = view.watts.all_awake(),
       .modelled = view.watts.present(),
       .modelled_saved = view.watts.saved_energy(),
       .ports_down = view.watts.ports_down(),
       .dry_run = view.controller.dry_run(),
       .would_draw = view.would.present(),
       .would_have_saved = view.would.saved_energy(),
       .counts = view.controller.decision_counts(),
       .orders = orders_,
       .loop_lag = lag_,
       .lines_lost = lines_lost});
}

Result<transport::Address> metrics_address(const std::string& text) {
  const bool port_alone = text.find(':') == std::string::npos;
  const std::string host = port_alone || text.starts_with(':') ? "127.0.0.1" : "";
  auto address = transport::parse_address("tcp:" + host + (port_alone ? ":" : "") + text);
  if (!address) {
    return fail("--metrics " + text +
                ": expected a port, or ADDRESS:PORT with an IPv4 or IPv6 address");
  }
  return address;
}

}  // namespace ebb::runtime
