// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/audit_timeline.hpp"

#include "ebb/runtime/description.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

namespace ebb::runtime {

// What is of interest in a line; empty where it is not there.
struct AuditLine {
  std::int64_t unix_ms = 0;
  std::string event;
  std::string link;
  std::string device;
  std::string does;
  std::string policy;
  bool ok = false;
};

namespace {

constexpr std::int64_t kMostDays = 100;  // a time of 64 bits in picoseconds has 106
constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;
// Nanoseconds of 64 bits since the first year end in the year after the last one.
constexpr std::chrono::year kFirstYear{1970};
constexpr std::chrono::year kLastYear{2261};

constexpr std::array kStateNames = {"active", "draining", "asleep", "waking"};

// "2026-11-15T21:00:12.482Z" in milliseconds since 1970.
std::optional<std::int64_t> unix_ms_of(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  unsigned milli = 0;
  int length = 0;
  const int read = std::sscanf(text.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u.%3uZ%n", &year, &month, &day,
                               &hour, &minute, &second, &milli, &length);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (read != 7 || length != static_cast<int>(text.size()) || !date.ok()) return std::nullopt;
  if (date.year() < kFirstYear || date.year() > kLastYear) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return ((std::int64_t{days.count()} * 24 + hour) * 60 + minute) * 60'000 +
         std::int64_t{second} * 1000 + milli;
}

std::string text_of(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<AuditLine> read_audit_line(std::string_view text) {
  const auto line = nlohmann::json::parse(text, nullptr, false);
  if (!line.is_object()) return std::nullopt;
  const auto time = unix_ms_of(text_of(line, "time"));
  if (!time) return std::nullopt;
  const auto ok = line.find("ok");
  return AuditLine{.unix_ms = *time,
                   .event = text_of(line, "event"),
                   .link = text_of(line, "link"),
                   .device = text_of(line, "switch"),
                   .does = text_of(line, "does"),
                   .policy = text_of(line, "policy"),
                   .ok = ok != line.end() && ok->is_boolean() && ok->get<bool>()};
}

// Calls take(line, where) for the lines of FILE.1, if there is one, and FILE; until it says false.
template <class Take>
bool for_each_line(const std::string& path, Take take) {
  for (const std::string& one : {path + ".1", path}) {
    std::ifstream file(one);
    if (!file && one == path) return false;
    int number = 0;
    for (std::string line; std::getline(file, line);)
      if (!take(line, Location{one, ++number, 0, {}})) return true;
  }
  return true;
}

}  // namespace

AuditTimeline::AuditTimeline(const fabric_config::FabricFile& file, const power::PortWatts& port,
                             timeline::Timeline& out)
    : graph_(file.graph), port_(port), out_(out), links_(file.graph.link_count()) {
  const timeline::TrackId power = out_.add_group("power");
  const timeline::TrackId watts = out_.add_counter(power, "links between switches, modelled", "W");
  const Power all = port.awake * (2 * std::int64_t{links_between_switches(graph_)});
  if (all > Power{}) watts_.emplace(out_, watts, TimePoint(), all);
  controllers_ = out_.add_track(out_.add_group("controllers"), "policy");
  const timeline::TrackId group = out_.add_group("links");
  for (std::uint32_t i = 0; i < graph_.link_count(); ++i) {
    const topology::LinkId link{i};
    if (graph_.connects_switches(link))
      links_[i].track = out_.add_track(group, topology::link_name(graph_, link));
  }
}

void AuditTimeline::note(Count& count, const Location& where) {
  if (count.times++ == 0) count.first = where;
}

void AuditTimeline::add(std::string_view text, const Location& where) {
  if (out_.cut_at()) return;
  ++lines_;
  const auto line = read_audit_line(text);
  if (!line) return note(strange_, where);
  if (!began_unix_ms_) began_unix_ms_ = line->unix_ms;
  const std::chrono::milliseconds since(line->unix_ms - *began_unix_ms_);
  if (since > std::chrono::days(kMostDays)) return note(late_, where);
  // Years before the first line are more than a time has.
  const TimePoint at(Duration(std::max(since, std::chrono::milliseconds(-1))));
  if (at < now_) note(backwards_, where);
  now_ = std::max(now_, at);
  if (out_.full()) {
    static_cast<void>(finish());
    return out_.cut(controllers_, now_);
  }
  take(line->event, *line, where);
}

void AuditTimeline::take(const std::string& event, const AuditLine& line, const Location& where) {
  if (event == "began" || event == "ended") close_controller();
  if (event == "began") {
    controller_since_ = now_;
    controller_name_ = line.policy;
  }
  if (event == "order" || event == "answer") order(line, where);
}

void AuditTimeline::close_controller() {
  if (controller_since_ && *controller_since_ < now_)
    out_.add(timeline::Slice{controllers_, *controller_since_, now_, controller_name_, {}});
  controller_since_.reset();
}

// A port comes up when it is told so, and is down when its switch says so: no saving is counted
// that has not begun.
void AuditTimeline::order(const AuditLine& line, const Location& where) {
  const auto link = topology::link_named(graph_, line.link);
  if (!link || !links_[index(*link)].track) return note(unknown_, where);
  LinkLine& its = links_[index(*link)];
  const bool at_a = graph_.name(graph_.link(*link).a) == line.device;
  if (!at_a && graph_.name(graph_.link(*link).b) != line.device) return note(unknown_, where);
  End& end = its.ends[at_a ? 0 : 1];
  const bool is_done = line.event == "answer" && line.ok;
  if (line.does == "port_up") end.down = false;
  if (line.does == "port_down" && is_done) end.down = true;
  if (line.does == "detour" && is_done) end.diverted = true;
  if (line.does == "primary" && is_done) end.diverted = false;
  const bool all_down = its.ends[0].down && its.ends[1].down;
  const bool is_whole =
      std::ranges::none_of(its.ends, [](const End& one) { return one.down || one.diverted; });
  const bool slept = its.state == State::asleep || its.state == State::waking;
  if (all_down) return enter(its, State::asleep);
  enter(its, is_whole ? State::active : slept ? State::waking : State::draining);
}

Power AuditTimeline::power_in(State state) const {
  return 2 * (state == State::asleep ? port_.asleep : port_.awake);
}

void AuditTimeline::enter(LinkLine& line, State state) {
  if (state == line.state) return;
  if (line.since < now_) {
    out_.add(timeline::Slice{
        *line.track, line.since, now_, kStateNames[static_cast<std::size_t>(line.state)], {}});
  }
  if (watts_) watts_->change(now_, power_in(state) - power_in(line.state));
  line.state = state;
  line.since = now_;
}

Errors AuditTimeline::finish() {
  for (LinkLine& line : links_) {
    if (!line.track || line.since >= now_) continue;
    out_.add(timeline::Slice{
        *line.track, line.since, now_, kStateNames[static_cast<std::size_t>(line.state)], {}});
    line.since = now_;
  }
  if (watts_) watts_->finish(now_);
  close_controller();
  Errors repairs;
  for (const Count* count : {&strange_, &unknown_, &backwards_, &late_}) {
    if (count->times > 0) {
      repairs.push_back(
          {fmt::format("{} lines, of which this is the first: {}", count->times, count->what),
           count->first});
    }
  }
  return repairs;
}

std::optional<std::int64_t> time_of_audit_line(std::string_view line) {
  const auto read = read_audit_line(line);
  if (!read) return std::nullopt;
  return read->unix_ms * kNanosecondsPerMillisecond;
}

Result<AuditTimelineReport> write_audit_timeline(const AuditTimelineOptions& options,
                                                 const LoadParts& load_parts) {
  const auto file = fabric_config::read_fabric(options.file);
  if (!file) return fail(file.error());
  const auto port = port_watts(*file, load_parts);
  if (!port) return fail(port.error());
  if (!std::filesystem::exists(options.audit))
    return fail("there is no such file", {options.audit});
  timeline::Settings settings;
  for_each_line(options.audit, [&](const std::string& text, const Location&) {
    settings.began_unix_ns = time_of_audit_line(text);
    return !settings.began_unix_ns;
  });
  if (!settings.began_unix_ns) return fail("has no line of an audit trail", {options.audit});
  const auto out = timeline::open_timeline(options.output, settings);
  if (!out) return fail(out.error());
  AuditTimeline timeline(*file, *port, **out);
  const bool read =
      for_each_line(options.audit, [&](const std::string& text, const Location& where) {
        timeline.add(text, where);
        return true;
      });
  if (!read) return fail("cannot be read", {options.audit});
  AuditTimelineReport report{timeline.lines(), timeline.finish()};
  if (!(*out)->finish()) return fail("cannot be written", {options.output});
  if ((*out)->cut_at())
    report.repairs.push_back({"the timeline is cut: it is full", {options.output}});
  return report;
}

}  // namespace ebb::runtime
