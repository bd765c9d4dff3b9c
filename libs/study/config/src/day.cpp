// SPDX-License-Identifier: Apache-2.0
#include "day.hpp"

#include "jobs.hpp"
#include "overrides.hpp"
#include "sim_hardware.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/workload_kind.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

namespace ebb::config {
namespace {

constexpr std::string_view kDayHeader = "time,load";
constexpr std::size_t kLargestDayFile = std::size_t{16} << 20U;
constexpr Duration kLongestMagnified = std::chrono::hours(1);
constexpr const char* kLoad = "load";

// A part of a time: digits alone, and less than `end`.
std::optional<std::int64_t> clock_part(std::string_view text, std::int64_t end) {
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), last, value);
  const bool whole = problem == std::errc{} && stopped == last && text.front() != '-';
  return whole && value < end ? std::optional(value) : std::nullopt;
}

std::optional<Duration> clock_time(std::string_view text) {
  const auto parts = fields_of(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  const auto hours =
      clock_part(parts[0], std::chrono::ceil<std::chrono::hours>(kLongestDay).count());
  const auto minutes = clock_part(parts[1], 60);
  const auto seconds = parts.size() == 3 ? clock_part(parts[2], 60) : 0;
  if (!hours || !minutes || !seconds) return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes) +
         std::chrono::seconds(*seconds);
}

// Row after row; a row that was refused does not make those after it wrong.
class DayReader {
 public:
  DayReader(std::string_view text, const std::string& file, const Parameter& load)
      : lines_(text, file), load_(load) {}

  Result<std::vector<DayStep>> read() {
    if (!lines_.next() || lines_.line() != kDayHeader) {
      lines_.report(fmt::format("the first line must be '{}'", kDayHeader));
      return fail(take_errors());
    }
    for (; lines_.next(); ++rows_) read_row();
    if (!lines_.has_errors() && steps_.size() < 2) lines_.report("a day has two steps or more");
    if (lines_.has_errors()) return fail(take_errors());
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i)
      steps_[i].length = steps_[i + 1].at - steps_[i].at;
    steps_.back().length = steps_[steps_.size() - 2].length;
    return std::move(steps_);
  }

 private:
  void read_row() {
    const auto fields = fields_of(lines_.line(), ',');
    if (fields.size() != 2)
      return lines_.report(fmt::format("a step has two fields: {}", kDayHeader));
    const auto at = parse_clock(fields[0]);
    if (!at) {
      lines_.report(at.error().front().message);
    } else {
      check_order(*at);
    }
    const auto load = Parameters::resolve(std::span(&load_, 1), {{kLoad, std::string(fields[1])}});
    if (!load) lines_.report(load.error().front().message);
    if (at && load) steps_.push_back({*at, {}, load->ratio(kLoad)});
  }

  void check_order(Duration at) {
    if (rows_ == 0 && at != Duration{}) lines_.report("the first step begins at 00:00");
    if (before_ && at <= *before_) {
      lines_.report(fmt::format("{} does not come after {}", clock_text(at), clock_text(*before_)));
    }
    before_ = at;
  }

  // Lines inside a key are not those of its file.
  Errors take_errors() {
    Errors errors = lines_.take_errors();
    if (!lines_.name().empty()) return errors;
    for (Error& error : errors)
      error = {fmt::format("line {} of the day: {}", error.where.line, error.message), {}};
    return errors;
  }

  TextLines lines_;
  const Parameter& load_;
  std::size_t rows_ = 0;
  std::optional<Duration> before_;
  std::vector<DayStep> steps_;
};

// What the kind of the traffic declares.
std::span<const Parameter> declared_by_traffic(const SimSpec& spec) {
  if (!spec.workload.name.empty()) {
    const auto kind = traffic::find_workload_kind(spec.workload.name);
    return kind ? std::span<const Parameter>((*kind)->parameters) : std::span<const Parameter>();
  }
  const auto kind = traffic::find_injection_kind(spec.injection.name);
  return kind ? std::span<const Parameter>((*kind)->parameters) : std::span<const Parameter>();
}

ParameterTexts& traffic_parameters(SimSpec& spec) {
  return spec.workload.name.empty() ? spec.injection.parameters : spec.workload.parameters;
}

std::optional<Magnified> read_magnified(const files::Value& value, files::Diagnostics& errors) {
  files::Section section(value, errors);
  const auto at = section.require("at");
  const auto clock = at ? at->text(errors) : std::nullopt;
  const auto length = section.require("for");
  const auto measured =
      length ? between(*length, Duration{1}, kLongestMagnified, errors) : std::nullopt;
  section.finish();
  if (!clock || !measured) return std::nullopt;
  const auto time = parse_clock(*clock);
  if (!time) {
    at->report(errors, time.error().front().message);
    return std::nullopt;
  }
  return Magnified{*time, *measured};
}

}  // namespace

Result<Duration> parse_clock(std::string_view text) {
  if (const auto time = clock_time(text)) return *time;
  return fail(fmt::format("expected a time like '13:05' or '13:05:30', before {}:00, got '{}'",
                          std::chrono::floor<std::chrono::hours>(kLongestDay).count(),
                          shown(text)));
}

std::string clock_text(Duration time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time).count();
  const std::string text = fmt::format("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
  return seconds % 60 == 0 ? text : fmt::format("{}:{:02}", text, seconds % 60);
}

Result<std::vector<DayStep>> read_day_text(std::string_view text, const std::string& file,
                                           const Parameter& load) {
  return DayReader(text, file, load).read();
}

Result<std::vector<DayStep>> read_day(const SimSpec& spec) {
  const auto declared = declared_by_traffic(spec);
  const auto load = std::ranges::find(declared, kLoad, &Parameter::name);
  EBB_CHECK(load != declared.end(), "traffic of a day has a load");
  return read_day_text(spec.day.text, spec.day.file, *load);
}

SimSpec step_spec(const SimSpec& spec, const DayStep& step, std::uint64_t number) {
  SimSpec one = spec;
  one.day = {};
  one.seed += number;
  ParameterTexts& parameters = traffic_parameters(one);
  parameters.emplace_back(kLoad, to_text(step.load));
  auto resolved = Parameters::resolve(declared_by_traffic(one), parameters);
  EBB_CHECK(resolved.has_value(), "the load of a step was checked when it was read");
  parameters = resolved->texts();
  return one;
}

void give_load_of_day(YAML::Node& document, files::Diagnostics& errors) {
  const auto is_map = [](const YAML::Node& node) { return node && node.IsMap(); };
  if (!is_map(document) || !is_map(document["schedule"]) || !document["schedule"]["day"]) return;
  YAML::Node traffic = document["traffic"];
  if (!is_map(traffic)) return;
  const bool by_workload = static_cast<bool>(traffic["workload"]);
  if (!by_workload && !traffic["injection"]) return;
  const YAML::Node holder = by_workload ? traffic : traffic["injection"];
  const std::string path = by_workload ? "traffic.load" : "traffic.injection.load";
  if (const YAML::Node given = holder.IsMap() ? holder[kLoad] : YAML::Node();
      given.IsDefined() && !given.IsNull()) {
    return errors.add("the load is that of the day ('schedule.day')", given.Mark().line + 1,
                      given.Mark().column + 1, path);
  }
  // What cannot be set is refused when it is read.
  const std::vector<std::string> load = {path + "=1%"};
  static_cast<void>(Overrides(load, {"traffic.injection"}).apply(document));
}

void read_day_keys(files::Section& schedule, SimSpec& spec) {
  const auto day = schedule.find("day");
  const auto magnify = schedule.find("magnify");
  files::Diagnostics& errors = schedule.errors();
  if (magnify && !day) magnify->report(errors, "needs 'day', whose moments it magnifies");
  if (magnify) {
    const auto list = magnify->is_list() ? magnify->list(errors) : std::vector{*magnify};
    for (const files::Value& one : list.value_or(std::vector<files::Value>{})) {
      if (const auto moment = read_magnified(one, errors)) spec.day.magnified.push_back(*moment);
    }
  }
  if (!day) return;
  if (auto found = files::text_or_file(*day, kLargestDayFile, kDayHeader, errors)) {
    spec.day.text = std::move(found->text);
    spec.day.file = std::move(found->file);
  }
  std::erase_if(traffic_parameters(spec), [](const auto& one) { return one.first == kLoad; });
}

void check_day_keys(files::Section& sim, const SimSpec& spec) {
  const auto schedule = spec.day.given() ? sim.find("schedule") : std::nullopt;
  if (!schedule) return;
  files::Section section(*schedule, sim.errors());
  const auto refuse = [&](std::string_view key, const char* reason) {
    if (const auto value = section.find(key)) value->report(sim.errors(), reason);
  };
  if (!spec.messages.text.empty()) {
    refuse("day",
           "messages that are listed have no load; give 'traffic' an injection or a workload");
  }
  if (spec.fabric) refuse("day", "not of a fabric, whose controller decides over seconds");
  if (spec.series_every) refuse("day", "not with 'series': a day keeps no frames of its steps");
  if (spec.per_channel)
    refuse("day", "not with 'per_channel': a day keeps no channels of its steps");
  if (spec.fidelity == netsim::Fidelity::packet)
    refuse("magnify", "all of the day is simulated with packets; say 'fidelity: flow'");
}

std::string day_yaml(const DaySpec& day) {
  if (!day.given()) return "";
  std::string text = ", day: " + quoted(day.text);
  std::string moments;
  for (const Magnified& one : day.magnified) {
    moments += fmt::format("{}{{at: \"{}\", for: {}}}", moments.empty() ? "" : ", ",
                           clock_text(one.at), ebb::to_text(one.length));
  }
  return moments.empty() ? text : fmt::format("{}, magnify: [{}]", text, moments);
}

}  // namespace ebb::config
