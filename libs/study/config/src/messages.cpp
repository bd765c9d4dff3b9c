// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include "ebb/files/document.hpp"
#include "ebb/traffic/host_source.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::config {
namespace {

constexpr std::string_view kHeader = "at_ps,source,destination,bytes";
constexpr std::size_t kLargestMessagesFile = std::size_t{1} << 30U;
constexpr std::size_t kMostErrors = 100;

class MessagesReader {
 public:
  MessagesReader(const MessagesSpec& spec, std::uint32_t hosts) : spec_(spec), hosts_(hosts) {}

  Result<std::vector<traffic::Message>> read() {
    std::string_view text = spec_.text;
    for (line_ = 1; !text.empty() && errors_.size() < kMostErrors; ++line_) {
      const std::size_t end = text.find('\n');
      std::string_view row = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
      if (row.empty() || row.front() == '#') continue;
      if (!std::exchange(header_, true)) {
        if (row != kHeader)
          return fail(fmt::format("the first line must be '{}'", kHeader), here());
        continue;
      }
      read_row(row);
      ++row_;
    }
    if (!header_) return fail(fmt::format("no line '{}'", kHeader), here());
    if (!errors_.empty()) return fail(std::move(errors_));
    return std::move(messages_);
  }

 private:
  // Lines inside a key are not those of its file.
  [[nodiscard]] Location here() const {
    return spec_.file.empty() ? Location{} : Location{spec_.file, line_};
  }
  void report(std::string message) {
    if (spec_.file.empty()) message = fmt::format("message {}: {}", row_, message);
    errors_.push_back({std::move(message), here()});
  }

  [[nodiscard]] std::optional<std::int64_t> number(std::string_view text, std::string_view what,
                                                   std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, value);
    if (problem == std::errc{} && stopped == end && value >= least && value <= most) return value;
    report(fmt::format("'{}' is no {}: a whole number from {} to {}", files::shown(text), what,
                       least, most));
    return std::nullopt;
  }

  void read_row(std::string_view row) {
    std::array<std::string_view, 4> fields;
    std::size_t count = 0;
    for (; count < fields.size(); ++count) {
      const std::size_t comma = row.find(',');
      fields[count] = row.substr(0, comma);
      row.remove_prefix(comma == std::string_view::npos ? row.size() : comma + 1);
      if (comma == std::string_view::npos) break;
    }
    if (count + 1 != fields.size() || !row.empty())
      return report(fmt::format("a message has four fields: {}", kHeader));
    constexpr std::int64_t kMostBytes = std::numeric_limits<std::uint32_t>::max();
    const auto at = number(fields[0], "time", 0, traffic::kLatestEnd.time_since_epoch().count());
    const auto source = number(fields[1], "host", 0, std::int64_t{hosts_} - 1);
    const auto destination = number(fields[2], "host", 0, std::int64_t{hosts_} - 1);
    const auto size = number(fields[3], "size", 1, kMostBytes);
    if (!at || !source || !destination || !size) return;
    if (*source == *destination) return report("a host sends nothing to itself");
    messages_.push_back({TimePoint(Duration(*at)), static_cast<std::uint32_t>(*source),
                         static_cast<std::uint32_t>(*destination), bytes(*size)});
  }

  const MessagesSpec& spec_;
  std::uint32_t hosts_;
  int line_ = 1;
  std::size_t row_ = 0;
  bool header_ = false;
  std::vector<traffic::Message> messages_;
  Errors errors_;
};

}  // namespace

void read_messages_key(const files::Value& value, files::Diagnostics& errors, MessagesSpec& spec) {
  auto found = files::text_or_file(value, kLargestMessagesFile, kHeader, errors);
  if (found) spec = {std::move(found->text), std::move(found->file)};
}

Result<std::vector<traffic::Message>> read_messages(const MessagesSpec& spec, std::uint32_t hosts) {
  return MessagesReader(spec, hosts).read();
}

}  // namespace ebb::config
