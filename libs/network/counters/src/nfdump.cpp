// SPDX-License-Identifier: Apache-2.0
//
// Flow records as nfdump prints them: `nfdump -o csv` up to version 1.7.4, and since then
// `nfdump -o csv:%ts,%te,%ra,%in,%out,%byt`, whose columns have other names.
//
//   ts,te,td,sa,da,...,ibyt,opkt,obyt,in,out,...,ra,eng,exid,tr
//   firstSeen,lastSeen,routerIP,input,output,bytes
#include "flow_records.hpp"

#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace ebb::counters {
namespace {

enum class FlowField : std::uint8_t { from, until, device, input, output, bytes, back };
constexpr std::size_t kFlowFields = 7;

struct FlowColumn {
  FlowField field;
  std::string_view name;     // up to 1.7.4
  std::string_view newer;    // since 1.7.5
  std::string_view another;  // that means the same here
  bool is_needed = true;
};

constexpr std::array kFlowColumns = {
    FlowColumn{FlowField::from, "ts", "firstSeen", ""},
    FlowColumn{FlowField::until, "te", "lastSeen", ""},
    FlowColumn{FlowField::device, "ra", "routerIP", "", false},
    FlowColumn{FlowField::input, "in", "input", ""},
    FlowColumn{FlowField::output, "out", "output", ""},
    FlowColumn{FlowField::bytes, "ibyt", "bytes", "inBytes"},
    FlowColumn{FlowField::back, "obyt", "outBytes", "", false},
};

bool is_named(const FlowColumn& column, std::string_view name) {
  return name == column.name || name == column.newer ||
         (!column.another.empty() && name == column.another);
}

class NfdumpReader {
 public:
  NfdumpReader(LineSource& lines, FlowSums& sums, Problems& problems)
      : lines_(lines), sums_(sums), problems_(problems) {}

  void read() {
    if (!lines_.next() || !read_header()) return;
    bool is_summary = false;
    while (!problems_.full() && lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line == header_) {
        is_summary = false;  // another file that was appended
      } else if (line == "Summary") {
        is_summary = true;
      } else if (!line.empty() && !is_summary && !line.starts_with("No match")) {
        read_row(line);
      }
    }
  }

 private:
  bool read_header() {
    header_ = trimmed(lines_.line());
    const auto names = fields_of(header_, ',');
    width_ = names.size();
    for (const FlowColumn& column : kFlowColumns) {
      for (std::size_t which = 0; which < names.size(); ++which) {
        if (is_named(column, names[which])) columns_[index(column.field)] = which;
      }
    }
    std::vector<std::string> missing;
    for (const FlowColumn& column : kFlowColumns) {
      if (column.is_needed && !columns_[index(column.field)])
        missing.push_back(fmt::format("{} or {}", column.name, column.newer));
    }
    if (missing.empty()) return true;
    problems_.add(
        fmt::format("flow records need their interfaces, times and bytes, as of nfdump -o "
                    "csv:%ts,%te,%ra,%in,%out,%byt; missing: {}",
                    fmt::join(missing, ", ")),
        lines_.where());
    return false;
  }

  static std::size_t index(FlowField field) { return static_cast<std::size_t>(field); }
  [[nodiscard]] std::string_view text(FlowField field) const {
    const auto column = columns_[index(field)];
    return column ? fields_[*column] : std::string_view();
  }

  void read_row(std::string_view line) {
    fields_ = fields_of(line, ',');
    if (fields_.size() != width_)
      return problems_.add(fmt::format("a row has {} fields", width_), lines_.where());
    const std::size_t before = problems_.count();
    const std::string_view device = text(FlowField::device);
    const bool is_unset = device == "0.0.0.0" || device == "::";
    const FlowRecord flow{
        .device = is_unset ? std::string_view() : device,
        .input = number<std::uint32_t>(FlowField::input, "an index of interfaces"),
        .output = number<std::uint32_t>(FlowField::output, "an index of interfaces"),
        .bytes = number<std::uint64_t>(FlowField::bytes, "a number of bytes"),
        .back = back(),
        .from = time(FlowField::from),
        .until = time(FlowField::until)};
    if (problems_.count() > before) return;
    if (flow.until < flow.from)
      return problems_.add("the flow ends before it begins", lines_.where());
    if (!sums_.add(flow, lines_.where())) {
      problems_.add(
          fmt::format("the flow lasts {} days", (flow.until - flow.from).count() / 86'400'000),
          lines_.where());
    }
  }

  template <class Number>
  Number number(FlowField field, std::string_view what) {
    const std::string_view digits = text(field);
    Number value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stopped, problem] = std::from_chars(digits.data(), end, value);
    if (problem != std::errc() || stopped != end)
      problems_.add(fmt::format("'{}' is not {}", shown(digits), what), lines_.where());
    return value;
  }

  std::uint64_t back() {
    if (!columns_[index(FlowField::back)]) return 0;
    return number<std::uint64_t>(FlowField::back, "a number of bytes");
  }

  UnixTime time(FlowField field) {
    const auto at = parse_time(text(field));
    if (!at) {
      problems_.add(fmt::format("'{}' is no time: 2024-01-01 00:00:00, or seconds since 1970",
                                shown(text(field))),
                    lines_.where());
    }
    return at.value_or(UnixTime{});
  }

  LineSource& lines_;
  FlowSums& sums_;
  Problems& problems_;
  std::string header_;
  std::size_t width_ = 0;
  std::array<std::optional<std::size_t>, kFlowFields> columns_;
  std::vector<std::string_view> fields_;
};

}  // namespace

bool names_flow_records(std::string_view header) {
  for (const std::string_view name : fields_of(header, ',')) {
    if (name == "ts" || name == "firstSeen") return true;
  }
  return false;
}

void read_flow_records(LineSource& lines, FlowSums& sums, Problems& problems) {
  NfdumpReader(lines, sums, problems).read();
}

}  // namespace ebb::counters
