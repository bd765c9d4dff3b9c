// SPDX-License-Identifier: Apache-2.0
//
// Any lines as the audit trail of a fabric: a timeline in both forms, of which that of Chrome is
// JSON with as many slices and values as the timeline counted.
#include "ebb/core/check.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/runtime/audit_timeline.hpp"
#include "ebb/timeline/timeline.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb;
  static const fabric_config::FabricFile file =
      fabric_config::read_fabric_text(
          "schema_version: 1\nname: three\ntopology: {family: complete, switches: 3, hosts: 1}\n",
          "fabric.yaml")
          .value();
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const timeline::Form form : {timeline::Form::chrome, timeline::Form::perfetto}) {
    const timeline::Settings settings{.most_events = 50,
                                      .began_unix_ns = runtime::time_of_audit_line(
                                          std::string_view(text).substr(0, text.find('\n')))};
    const auto written = std::make_shared<std::ostringstream>();
    const auto out = timeline::make_timeline(form, written, settings);
    runtime::AuditTimeline timeline(file, {.awake = watts(5), .asleep = watts(1)}, *out);
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);)
      timeline.add(line, {"audit.jsonl", ++number, 0, {}});
    EBB_CHECK(timeline.finish().size() <= 4, "a kind of repair is told once");
    EBB_CHECK(out->finish(), "a timeline in memory is written");
    if (form == timeline::Form::perfetto) continue;
    const auto events = nlohmann::json::parse(written->str())["traceEvents"];
    const auto count = std::ranges::count_if(
        events, [](const auto& event) { return event["ph"] == "X" || event["ph"] == "C"; });
    EBB_CHECK(static_cast<std::uint64_t>(count) == out->events(), "every event is written");
  }
  return 0;
}
