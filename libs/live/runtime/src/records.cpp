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

// A file of the audit trail holds that every link sleeps and wakes once: eight orders, each with
// its answer, in lines of at most 400 bytes. In a small fabric it holds a week of a link that
// changes as often as it may (120 an hour). Two files are kept.
std::uint64_t most_audit_bytes(const topology::Graph& graph) {
  constexpr std::uint64_t kPerLink = std::uint64_t{16} * 400;
  constexpr std::uint64_t kLeast = std::uint64_t{16} << 20U;
  return std::max(kLeast, kPerLink * links_between_switches(graph));
}

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

Errors FabricEvents::Trail::open(const std::string& path, monitor::LineFileOptions options) {
  wanted = !path.empty();
  if (!wanted || file) return {};
  auto opened = monitor::LineFile::open(path, options);
  if (!opened) return opened.error();
  file = std::move(*opened);
  return {};
}

void FabricEvents::Trail::add(const Json& line) {
  if (file) return file->add(json_line(line));
  lost += wanted ? 1 : 0;
}

Errors FabricEvents::open_log(const std::string& path) { return log_.open(path, {}); }
Errors FabricEvents::open_audit(const std::string& path) {
  return audit_.open(path, {.most_bytes = most_audit_bytes(graph_), .chained = true});
}

Json FabricEvents::event(std::string_view name, TimePoint at) const {
  Json line = {{"time", utc_text()},
               {"at_s", rounded_seconds(in_seconds(at))},
               {"event", std::string(name)}};
  if (dry_run_) line["dry_run"] = true;
  return line;
}

void FabricEvents::began(const std::string& fabric, const std::string& policy) {
  Json line = event("began", now_());
  line.update({{"fabric", fabric}, {"policy", policy}, {"dry_run", dry_run_}, {"uid", getuid()}});
  log(line);
  audit(line);
}

void FabricEvents::ended(std::uint32_t links_asleep) {
  Json line = event("ended", now_());
  line["links_asleep"] = links_asleep;
  log(line);
  audit(line);
  sync();
}

void FabricEvents::link(const controller::Entry& entry) {
  Json line = event("link", entry.at);
  line["link"] = topology::link_name(graph_, entry.link);
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

void FabricEvents::switch_state(const controller::SwitchEntry& entry) {
  Json line = event("switch", now_());
  line["switch"] = graph_.name(graph_.switch_node(entry.device));
  line["state"] = to_text(entry.state);
  line["by"] = to_text(entry.by);
  line["why"] = entry.why;
  audit(line);
}

void FabricEvents::power(const controller::PowerOrder& order) {
  Json line = event("power", now_());
  line["switch"] = graph_.name(graph_.switch_node(order.device));
  line["on"] = order.on;
  log(line);
  audit(line);
}

Json FabricEvents::order_event(std::string_view name, std::uint64_t number,
                               const controller::Order& order) const {
  const topology::ChannelId end = controller::end_of(order);
  Json line = event(name, now_());
  line["order"] = number;
  line["switch"] = graph_.name(graph_.source(end));
  line["port"] = forwarding::port_of(graph_, end);
  line["link"] = topology::link_name(graph_, topology::link_of(end));
  line["does"] = to_text(monitor::kind_of(order));
  return line;
}

void FabricEvents::given(const drivers::OrderGiven& order) {
  if (!audit_.wanted) return;
  Json line = order_event("order", order.number, order.order);
  line["why"] = order.reason;
  audit(line);
}

void FabricEvents::answered(const drivers::OrderAnswered& answer) {
  if (!audit_.wanted && answer.ok) return;
  Json line = order_event("answer", answer.number, answer.order);
  line["ok"] = answer.ok;
  if (!answer.ok) line["why"] = answer.why;
  line["took_s"] = rounded_seconds(in_seconds(answer.took));
  audit(line);
  if (!answer.ok) log(line);
}

void FabricEvents::asked(const std::string& line, Asker who, const std::string& answer) {
  Json said = event("operator", now_());
  said["uid"] = who.user ? Json(*who.user) : Json(nullptr);
  said["role"] = to_text(who.role);
  said["says"] = line;
  said["answer"] = answer;
  log(said);
  audit(said);
}

void FabricEvents::sync() {
  for (const Trail* trail : {&log_, &audit_})
    if (trail->file) trail->file->sync();
}

std::uint64_t FabricEvents::lines_lost() const {
  std::uint64_t lost = 0;
  for (const Trail* trail : {&log_, &audit_})
    lost += trail->lost + (trail->file ? trail->file->lost() : 0);
  return lost;
}

std::string FabricEvents::audit_head() const { return audit_.file ? audit_.file->head() : ""; }

// ---- the transcript

Errors TranscriptFile::open(const std::string& path) {
  file_.open(path);
  failed_ = !file_;
  if (failed_) return {{"cannot be written", {path}}};
  file_ << before_;
  before_.clear();
  return {};
}

void TranscriptFile::add(std::string_view line) {
  if (file_.is_open()) {
    file_ << line;
  } else if (!failed_) {
    before_ += line;
  }
}

// ---- the history

Result<FabricHistory> FabricHistory::create(const std::string& path, bool dry_run, bool append) {
  std::ofstream file(path, append ? std::ios::app | std::ios::ate : std::ios::out);
  if (!file) return fail("cannot be written", {path});
  if (file.tellp() > 0) return FabricHistory(std::move(file));
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

namespace {

// None is older than any.
std::optional<Duration> older(std::optional<Duration> one, std::optional<Duration> other) {
  return one && other ? std::optional(std::max(*one, *other)) : std::nullopt;
}

}  // namespace

std::vector<monitor::LinkMetrics> FabricMetrics::links(const FabricView& view) const {
  const topology::Graph& graph = view.description.graph;
  std::vector<monitor::LinkMetrics> metrics;
  for (std::uint32_t number = 0; number < graph.link_count(); ++number) {
    const topology::LinkId link{number};
    if (!graph.connects_switches(link)) continue;
    const topology::ChannelId forth = topology::forward(link);
    metrics.push_back(
        {.name = topology::link_name(graph, link),
         .a = graph.name(graph.link(link).a),
         .b = graph.name(graph.link(link).b),
         .state = view.controller.link(link).state(),
         .may_sleep = view.sleepable.may_sleep[number],
         .would_sleep = view.controller.sleeps(link),
         .used_forth = view.controller.utilisation(forth),
         .used_back = view.controller.utilisation(topology::reverse(forth)),
         .history = history(link),
         .drained = view.controller.is_drained(link),
         .rate = graph.rate_table(graph.link(link))[index(view.controller.rate(link).step())],
         .counter_age =
             older(view.controller.counter_age(view.live.now(), forth),
                   view.controller.counter_age(view.live.now(), topology::reverse(forth))),
         .probe_age = view.controller.link(link).probe_age(view.live.now())});
  }
  return metrics;
}

std::size_t FabricMetrics::ports_down(const topology::Graph& graph,
                                      const drivers::LiveFabric& live) const {
  const auto& ends = ports_down_.ends();
  return static_cast<std::size_t>(std::count_if(
      ends.begin(), ends.end(),
      [&](topology::ChannelId end) { return live.is_here(index(graph.source(end))); }));
}

std::string FabricMetrics::text(const FabricView& view,
                                const monitor::ControllerMetrics& itself) const {
  const topology::Graph& graph = view.description.graph;
  std::vector<std::pair<std::string, controller::SwitchState>> out;
  for (const auto& [device, entry] : view.controller.switches_out())
    out.emplace_back(graph.name(graph.switch_node(device)), entry.state);
  return monitor::metrics_text(
      {.controller = itself,
       .at = view.live.now(),
       .links = links(view),
       .switches_here = view.live.members(),
       .switches_away = view.description.graph.switch_count() - view.live.members(),
       .switches_out = std::move(out),
       .wrong_cables = view.live.cabling().wrong().size(),
       .modelled_all_awake = view.watts.all_awake(),
       .modelled = view.watts.present(),
       .modelled_saved = view.watts.saved_energy(),
       .ports_down = view.ports_down,
       .would_draw = view.would.present(),
       .would_have_saved = view.would.saved_energy(),
       .counts = view.controller.decision_counts(),
       .orders = orders_});
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
