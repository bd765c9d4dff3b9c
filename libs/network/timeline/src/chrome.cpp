// SPDX-License-Identifier: Apache-2.0
//
// The trace event format of Chrome: an event on each line, times in microseconds with six decimals.
// A group is a process, a track is a thread of it.
#include "forms.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ebb::timeline {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kBillion = 1'000'000'000;

// Names are the user's; what is not UTF-8 in them must not spoil the file.
std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class ChromeTimeline final : public Timeline {
 public:
  ChromeTimeline(std::shared_ptr<std::ostream> out, const Settings& settings)
      : Timeline(settings), output_(std::move(out)) {
    std::string& text = output_.text();
    text += "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"format\":\"ebb-timeline 1\"";
    if (settings.began_unix_ns)
      fmt::format_to(std::back_inserter(text), ",\"began_unix_ns\":{}", *settings.began_unix_ns);
    text += "},\"traceEvents\":[\n";
  }

  [[nodiscard]] bool finish() override {
    output_.text() += "\n]}\n";
    return output_.finish();
  }

 protected:
  void write_track(const Track& track) override {
    EBB_CHECK(index(track.id) == tracks_.size(), "tracks are numbered as they are added");
    tracks_.push_back({index(track.group) + 1, json_text(track.name), json_text(track.unit)});
    if (!track.unit.empty()) return;
    const bool is_group = track.id == track.group;
    const std::string where = place_of(tracks_.back(), track.id, is_group);
    const char* kind = is_group ? "process" : "thread";
    append("\"ph\":\"M\",{},\"name\":\"{}_name\",\"args\":{{\"name\":{}}}", where, kind,
           tracks_.back().name);
    append("\"ph\":\"M\",{},\"name\":\"{}_sort_index\",\"args\":{{\"sort_index\":{}}}", where, kind,
           track.place);
  }

  void write(const Slice& slice) override {
    append("\"ph\":\"X\",{},\"ts\":{},\"dur\":{},\"name\":{}{}", place_of(slice.track),
           microseconds(slice.begin.time_since_epoch()), microseconds(slice.end - slice.begin),
           name_of(slice.name), flow_of(slice.flow));
  }

  void write(const CounterValue& value) override {
    const TrackNames& track = tracks_[index(value.track)];
    append("\"ph\":\"C\",\"pid\":{},\"ts\":{}.{:03},\"name\":{},\"args\":{{{}:{}.{:09}}}",
           track.process, value.at_ns / 1000, value.at_ns % 1000, track.name, track.unit,
           value.nano / kBillion, value.nano % kBillion);
  }

  void write_mark(TrackId track, TimePoint at, std::string_view text) override {
    append("\"ph\":\"i\",\"s\":\"g\",{},\"ts\":{},\"name\":{}", place_of(track),
           microseconds(at.time_since_epoch()), json_text(text));
  }

 private:
  struct TrackNames {
    std::uint32_t process = 0;
    std::string name;  // as JSON
    std::string unit;
  };

  static std::string microseconds(Duration time) {
    return fmt::format("{}.{:06}", time.count() / kMillion, time.count() % kMillion);
  }

  static std::string place_of(const TrackNames& track, TrackId id, bool is_group) {
    if (is_group) return fmt::format("\"pid\":{}", track.process);
    return fmt::format("\"pid\":{},\"tid\":{}", track.process, index(id) + 1);
  }
  [[nodiscard]] std::string place_of(TrackId id) const {
    return place_of(tracks_[index(id)], id, false);
  }

  static std::string flow_of(const Flow& flow) {
    if (flow.end == Flow::End::none) return "";
    return fmt::format(",\"bind_id\":\"0x{:x}\",\"{}\":true", flow.number,
                       flow.end == Flow::End::begin ? "flow_out" : "flow_in");
  }

  const std::string& name_of(std::string_view name) {
    const auto known = names_.find(name);
    return known != names_.end() ? known->second
                                 : names_.emplace(name, json_text(name)).first->second;
  }

  template <class... Values>
  void append(fmt::format_string<Values...> format, Values&&... values) {
    std::string& text = output_.text();
    text += is_first_ ? "{" : ",\n{";
    is_first_ = false;
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
    text += '}';
    output_.write_when_large();
  }

  Output output_;
  bool is_first_ = true;
  std::vector<TrackNames> tracks_;
  std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace

std::unique_ptr<Timeline> make_chrome(std::shared_ptr<std::ostream> out, const Settings& settings) {
  return std::make_unique<ChromeTimeline>(std::move(out), settings);
}

}  // namespace ebb::timeline
