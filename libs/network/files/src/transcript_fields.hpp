// SPDX-License-Identifier: Apache-2.0
//
// One JSON object of a transcript's line, asked key by key. A missing or wrong value is reported
// and answered with a harmless one, so that the rest of the line is read as well.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/policy/transcript.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::files {

class Fields {
 public:
  // `value` may be anything, null included; `path` is where it stands in the line.
  Fields(const nlohmann::json* value, std::string path, int line, Diagnostics& errors);

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most);
  // Of a list; the first that is none is reported and ends it.
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key, std::int64_t least,
                                                   std::int64_t most);
  [[nodiscard]] std::string text(std::string_view key);
  // The place of the word in `words`; nothing, reported, when it is none of them.
  [[nodiscard]] std::optional<std::size_t> word(std::string_view key,
                                                std::span<const std::string> words);
  [[nodiscard]] Fields object(std::string_view key);
  [[nodiscard]] std::vector<Fields> list(std::string_view key);

  void report(std::string_view key, std::string message);

 private:
  [[nodiscard]] const nlohmann::json* find(std::string_view key) const;
  // Reports and returns null when the key is missing.
  [[nodiscard]] const nlohmann::json* require(std::string_view key);
  [[nodiscard]] std::string path_of(std::string_view key) const;

  const nlohmann::json* object_;  // null when the value is no object: reported once, then silent
  std::string path_;
  int line_;
  Diagnostics* errors_;
};

// The values of a transcript from the JSON of one line.
[[nodiscard]] policy::TranscriptHeader read_header(Fields& line);
[[nodiscard]] policy::RecordedNextHops read_next_hops(Fields& line);
[[nodiscard]] policy::RecordedSample read_sample(Fields& line);
[[nodiscard]] policy::RecordedActions read_actions(Fields& line);
[[nodiscard]] policy::Outcome read_outcome(Fields& line);

}  // namespace ebb::files
