// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a timeline in Chrome's form: refused, or lists of numbers that the page of a report
// can draw without a look at any of them.
#include "document.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace {

using ebb::report::Json;

bool all_numbers(const Json& list, std::size_t in_a_row) {
  return list.is_array() && list.size() % in_a_row == 0 &&
         std::ranges::all_of(list, [](const Json& one) { return one.is_number(); });
}

void check_track(const Json& track, std::size_t names) {
  EBB_CHECK(track.is_object() && track["name"].is_string(), "a track has a name");
  const Json& slices = track["slices"];
  EBB_CHECK(all_numbers(slices, 3) && all_numbers(track["flows"], 2), "slices are numbers");
  EBB_CHECK(all_numbers(track["values"], 2), "values are numbers");
  for (std::size_t i = 2; i < slices.size(); i += 3)
    EBB_CHECK(slices[i].get<std::size_t>() < names, "a slice has a name");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostEvents = 4;  // few, so that inputs have more
  std::istringstream file(std::string(reinterpret_cast<const char*>(data), size));
  const auto timeline = ebb::report::timeline_json(file, "fuzz.json", kMostEvents);
  if (!timeline) return 0;
  EBB_CHECK((*timeline)["events_shown"] <= kMostEvents, "no more are shown than there is room for");
  for (const Json& group : (*timeline)["groups"])
    for (const Json& track : group["tracks"]) check_track(track, (*timeline)["names"].size());
  EBB_CHECK(Json::parse(timeline->dump()) == *timeline, "it is a document of JSON");
  return 0;
}
