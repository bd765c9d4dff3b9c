// SPDX-License-Identifier: Apache-2.0
//
// A timeline of ebb in Chrome's form, an event on each line, as the page shows it. The file is read
// twice: the first time to see until when there is room, the second time to keep what begins
// before.
#include "document.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::report {
namespace {

constexpr double kNanosecondsPerMicrosecond = 1000;
constexpr double kMostNanoseconds = 1e16;  // 115 days, more than ebb counts
constexpr std::string_view kFormat = "ebb-timeline 1";

Failure no_timeline(const std::string& name, int line, const std::string& why) {
  return fail("this is no timeline of ebb in Chrome's form (.json): " + why, {name, line});
}

// Calls take(event) for each event, with the type of the JSON library; gives what the head says.
template <class Take>
Result<nlohmann::json> read_events(std::istream& file, const std::string& name, Take take) {
  file.clear();
  file.seekg(0);
  std::string line;
  std::getline(file, line);
  nlohmann::json head = nlohmann::json::parse(line + "]}", nullptr, false);
  const nlohmann::json::json_pointer format("/otherData/format");
  if (!head.is_object() || !head.contains(format) || head[format] != kFormat)
    return no_timeline(name, 1, "its head is missing");
  int number = 1;
  while (std::getline(file, line)) {
    ++number;
    if (line == "]}") return head["otherData"];
    if (line.ends_with(',')) line.pop_back();
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (event.is_discarded() || !event.is_object()) return no_timeline(name, number, "no event");
    try {
      take(event);
    } catch (const std::exception& error) {  // a value is missing, or is none of its kind
      return no_timeline(name, number, error.what());
    }
  }
  return no_timeline(name, number, "it was cut off");
}

// Nanoseconds with picoseconds as decimals.
double whole_picoseconds(double ns) { return std::round(ns * 1000) / 1000; }
double nanoseconds_of(const nlohmann::json& microseconds) {
  const double ns = whole_picoseconds(microseconds.get<double>() * kNanosecondsPerMicrosecond);
  if (!(std::abs(ns) <= kMostNanoseconds)) throw std::out_of_range("a time is too large");
  return ns;
}
double begin_of(const nlohmann::json& event) { return nanoseconds_of(event.at("ts")); }
double length_of(const nlohmann::json& event) {
  return event.contains("dur") ? nanoseconds_of(event["dur"]) : 0;
}
std::int64_t whole_number(const nlohmann::json& event, const char* key) {
  const auto& value = event.at(key);
  if (!value.is_number_integer())
    throw std::invalid_argument(std::string(key) + " is a whole number");
  return value.get<std::int64_t>();
}
bool is_name(const nlohmann::json& event) { return event.at("ph") == "M"; }

// Groups and tracks as they come, each with what happens on it.
class Tracks {
 public:
  // Events that begin before a time, in nanoseconds.
  explicit Tracks(std::optional<double> until) : until_(until) {}

  void add(const nlohmann::json& event) {
    if (is_name(event)) return add_name(event);
    const std::string kind = event.at("ph").get<std::string>();
    if (kind != "X" && kind != "C") return;
    if (until_ && begin_of(event) >= *until_) return;
    ++shown_;
    kind == "X" ? add_slice(event) : add_value(event);
  }

  [[nodiscard]] std::size_t shown() const { return shown_; }

  // Groups by number; counters, then tracks where they belong in their group.
  [[nodiscard]] Json groups() {
    Json all = Json::array();
    for (auto& [pid, group] : groups_) {
      Json tracks = Json::array();
      for (auto& [name, counter] : group.counters) tracks.push_back(std::move(counter));
      std::vector<Track*> by_place;
      by_place.reserve(group.tracks.size());
      for (auto& [number, track] : group.tracks) by_place.push_back(&track);
      std::ranges::stable_sort(by_place, {}, &Track::place);
      for (Track* track : by_place) tracks.push_back(std::move(track->content));
      all.push_back({{"name", group.name}, {"tracks", std::move(tracks)}});
    }
    return all;
  }
  [[nodiscard]] Json names() const {
    Json all = Json::array();
    for (const std::string& name : names_) all.push_back(name);
    return all;
  }

 private:
  struct Track {
    std::int64_t place = 0;
    Json content;
  };
  struct Group {
    std::string name;
    std::map<std::int64_t, Track> tracks;  // by number
    std::vector<std::pair<std::string, Json>> counters;
  };

  static Json track_named(std::string name, std::string unit) {
    return {{"name", std::move(name)},
            {"unit", std::move(unit)},
            {"slices", Json::array()},
            {"flows", Json::array()},
            {"values", Json::array()}};
  }

  void add_name(const nlohmann::json& event) {
    Group& group = groups_[whole_number(event, "pid")];
    const std::string kind = event.at("name").get<std::string>();
    const auto& what = event.at("args");
    if (kind == "process_name") group.name = what.at("name").get<std::string>();
    if (!event.contains("tid")) return;
    const auto number = whole_number(event, "tid");
    if (kind == "thread_name")
      group.tracks[number].content = track_named(what.at("name").get<std::string>(), "");
    if (kind == "thread_sort_index")
      group.tracks.at(number).place = whole_number(what, "sort_index");
  }

  void add_slice(const nlohmann::json& event) {
    Group& group = groups_[whole_number(event, "pid")];
    Json& track = group.tracks.at(whole_number(event, "tid")).content;
    const auto position = track["slices"].size() / 3;
    track["slices"].push_back(begin_of(event));
    track["slices"].push_back(nanoseconds_of(event.at("dur")));
    track["slices"].push_back(number_of(event.at("name").get<std::string>()));
    if (!event.contains("bind_id")) return;
    track["flows"].push_back(position);
    track["flows"].push_back(std::stoull(event["bind_id"].get<std::string>(), nullptr, 16));
  }

  void add_value(const nlohmann::json& event) {
    Group& group = groups_[whole_number(event, "pid")];
    const std::string name = event.at("name").get<std::string>();
    const auto& value = event.at("args");
    if (value.size() != 1) throw std::invalid_argument("a counter has one value");
    auto counter = std::find_if(group.counters.begin(), group.counters.end(),
                                [&](const auto& known) { return known.first == name; });
    if (counter == group.counters.end()) {
      group.counters.emplace_back(name, track_named(name, value.begin().key()));
      counter = std::prev(group.counters.end());
    }
    counter->second["values"].push_back(begin_of(event));
    counter->second["values"].push_back(value.begin().value().get<double>());
  }

  std::size_t number_of(const std::string& name) {
    const auto [known, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return known->second;
  }

  std::optional<double> until_;
  std::size_t shown_ = 0;
  std::map<std::int64_t, Group> groups_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

}  // namespace

Result<Json> timeline_json(std::istream& file, const std::string& name, std::size_t most_events) {
  std::vector<double> begins;
  double end = 0;
  const auto head = read_events(file, name, [&](const nlohmann::json& event) {
    if (is_name(event)) return;
    begins.push_back(begin_of(event));
    end = std::max(end, begins.back() + length_of(event));
  });
  if (!head) return fail(head.error());
  Json began = nullptr;
  if (head->contains("began_unix_ns")) {
    if (!(*head)["began_unix_ns"].is_number_integer())
      return no_timeline(name, 1, "began_unix_ns is a whole number");
    began = (*head)["began_unix_ns"];
  }
  const std::size_t events = begins.size();
  std::optional<double> until;
  if (events > most_events) {
    const auto last = begins.begin() + static_cast<std::ptrdiff_t>(most_events);
    std::nth_element(begins.begin(), last, begins.end());
    // What begins at the same time is shown, or none of it is.
    until = *last;
  }
  Tracks tracks(until);
  const auto again =
      read_events(file, name, [&](const nlohmann::json& event) { tracks.add(event); });
  if (!again) return fail(again.error());
  return Json{{"source", std::filesystem::path(name).filename().string()},
              {"began_unix_ns", std::move(began)},
              {"end_ns", whole_picoseconds(end)},
              {"events", events},
              {"events_shown", tracks.shown()},
              {"shown_until_ns", until ? Json(*until) : Json(nullptr)},
              {"names", tracks.names()},
              {"groups", tracks.groups()}};
}

Result<Json> timeline_json(const std::string& path, std::size_t most_events) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("cannot be read", {path});
  return timeline_json(file, path, most_events);
}

}  // namespace ebb::report
