// SPDX-License-Identifier: Apache-2.0
#include "ebb/timeline/timeline.hpp"

#include "forms.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <fstream>
#include <utility>

namespace ebb::timeline {
Result<Form> form_of(const std::string& path) {
  for (const char* ending : {".pftrace", ".perfetto-trace"})
    if (path.ends_with(ending)) return Form::perfetto;
  if (path.ends_with(".json")) return Form::chrome;
  return fail(
      "a timeline is a Perfetto trace (.pftrace, .perfetto-trace) or a Chrome trace (.json): the "
      "name must end so",
      {path});
}

TrackId Timeline::add_group(std::string_view name) {
  const TrackId id{tracks_++};
  write_track({.id = id, .group = id, .place = index(id), .name = name, .unit = {}});
  return id;
}

TrackId Timeline::add_track(TrackId group, std::string_view name,
                            std::optional<std::uint32_t> place) {
  const TrackId id{tracks_++};
  write_track(
      {.id = id, .group = group, .place = place.value_or(index(id)), .name = name, .unit = {}});
  return id;
}

TrackId Timeline::add_counter(TrackId group, std::string_view name, std::string_view unit) {
  EBB_CHECK(!unit.empty(), "a counter has a unit");
  const TrackId id{tracks_++};
  write_track({.id = id, .group = group, .place = index(id), .name = name, .unit = unit});
  return id;
}

void Timeline::add(const Slice& slice) {
  EBB_CHECK(slice.begin <= slice.end, "a slice ends after it begins");
  ++events_;
  write(slice);
}

void Timeline::add(const CounterValue& value) {
  ++events_;
  write(value);
}

void Timeline::cut(TrackId track, TimePoint at) {
  cut_at_ = at;
  write_mark(track, at,
             fmt::format("the timeline ends here: it has {} events, and may have {}", events_,
                         settings_.most_events));
}

std::unique_ptr<Timeline> make_timeline(Form form, std::shared_ptr<std::ostream> out,
                                        const Settings& settings) {
  return form == Form::perfetto ? make_perfetto(std::move(out), settings)
                                : make_chrome(std::move(out), settings);
}

Result<std::unique_ptr<Timeline>> open_timeline(const std::string& path, const Settings& settings) {
  const auto form = form_of(path);
  if (!form) return fail(form.error());
  auto file = std::make_shared<std::ofstream>(path, std::ios::binary);
  if (!*file) return fail("cannot be written", {path});
  return make_timeline(*form, std::move(file), settings);
}

}  // namespace ebb::timeline
