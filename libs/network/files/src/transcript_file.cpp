// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/transcript_file.hpp"

#include "transcript_fields.hpp"

#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ebb::files {
namespace {

using Json = nlohmann::json;

class TranscriptReader {
 public:
  explicit TranscriptReader(const std::string& file) : errors_(file) {}

  [[nodiscard]] Result<policy::Transcript> run(std::string_view text) {
    if (text.empty()) errors_.add("the transcript is empty");
    while (!text.empty() && !errors_.full()) {
      ++line_;
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) errors_.add("the last line is cut: no line end", line_);
      read_line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (errors_.empty()) check_order();
    if (!errors_.empty()) return fail(errors_.take());
    return std::move(transcript_);
  }

 private:
  void read_line(std::string_view line) {
    if (line.size() > kMostTranscriptLineBytes) {
      errors_.add(fmt::format("a line of {} bytes is longer than the {} ebb reads", line.size(),
                              kMostTranscriptLineBytes),
                  line_);
      return;
    }
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) {
      errors_.add(fmt::format("not JSON: '{}'", shown(line)), line_);
      return;
    }
    // Errors of this line alone say whether its values can be written again.
    Diagnostics own(errors_.file());
    Fields fields(&json, "", line_, own);
    const std::string written = read_values(fields);
    if (own.empty() && written != line) own.add(other_form(line, written), line_);
    for (Error& error : own.take())
      errors_.add(std::move(error.message), error.where.line, 0, std::move(error.where.path));
  }

  // Keeps the values of the line and returns the line that ebb writes for them.
  [[nodiscard]] std::string read_values(Fields& fields) {
    static const std::array<std::string, 5> kKinds = {"header", "next_hops", "sample", "actions",
                                                      "outcome"};
    const auto place = fields.word("kind", kKinds);
    if (!place) return {};
    const std::string& kind = kKinds.at(*place);
    if ((kind == "header") != (line_ == 1))
      fields.report("kind", "the first line, and no other, is the header");
    if (kind == "header") {
      transcript_.header = read_header(fields);
      return policy::to_line(transcript_.header);
    }
    if (kind == "next_hops") return policy::to_line(keep(read_next_hops(fields)).next_hops);
    if (kind == "sample") {
      const auto& sample = keep(read_sample(fields));
      return policy::to_line(policy::Sample{sample.at, sample.channels});
    }
    if (kind == "actions") {
      const auto& actions = keep(read_actions(fields));
      return policy::to_line(actions.at, actions.actions);
    }
    return policy::to_line(keep(read_outcome(fields)));
  }

  template <class T>
  const T& keep(T what) {
    transcript_.records.push_back({line_, std::move(what)});
    return std::get<T>(transcript_.records.back().what);
  }

  [[nodiscard]] static std::string other_form(std::string_view line, const std::string& written) {
    const auto at = std::mismatch(line.begin(), line.end(), written.begin(), written.end());
    const auto column = static_cast<std::size_t>(at.first - line.begin());
    return fmt::format(
        "ebb writes this line in another form (keys, their order, spaces): at column {} '{}' "
        "instead of '{}'",
        column + 1, shown(written.substr(column)), shown(line.substr(column)));
  }

  void check_order() {
    for (Error& error : policy::check(transcript_))
      errors_.add(std::move(error.message), error.where.line, 0, std::move(error.where.path));
  }

  Diagnostics errors_;
  int line_ = 0;
  policy::Transcript transcript_;
};

}  // namespace

Result<policy::Transcript> read_transcript_text(std::string_view text,
                                                const std::string& name_for_errors) {
  if (text.size() > kMostTranscriptBytes) {
    return fail(
        fmt::format("{} bytes is larger than the {} ebb reads", text.size(), kMostTranscriptBytes),
        {name_for_errors});
  }
  return TranscriptReader(name_for_errors).run(text);
}

Result<policy::Transcript> read_transcript(const std::string& path) {
  const auto text = read_file(path, kMostTranscriptBytes);
  if (!text) return fail(text.error());
  return read_transcript_text(*text, path);
}

}  // namespace ebb::files
