// SPDX-License-Identifier: Apache-2.0
//
// Flow lists of HPCC's and SimAI's simulators:
//
//   2                             flows that follow
//   0 5 3 100 1000000 2.000000    source, destination, priority group, port, bytes, start in
//   seconds 1 5 3 100 64 2.000010500
//
// The simulators stop reading after as many flows; what follows in files of the field is prose.
#include "flows.hpp"
#include "formats.hpp"

#include "ebb/core/text_lines.hpp"
#include "ebb/trace/flow_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace ebb::trace {
namespace {

constexpr std::size_t kHpccFields = 6;
constexpr std::uint64_t kMostHpccNumber = 0xffff'ffff;

bool is_hpcc_number(std::string_view field) {
  return !field.empty() && std::ranges::all_of(field, [](unsigned char c) {
    return std::isdigit(c) != 0 || c == '.';
  });
}

bool recognizes_hpcc(const Input& input) {
  TextLines lines(input.file->text(), input.path);
  if (!lines.next() || fields_of(lines.line()).size() != 1 || !is_hpcc_number(lines.line()))
    return false;
  if (!lines.next()) return false;
  const auto fields = fields_of(lines.line());
  return fields.size() == kHpccFields && std::ranges::all_of(fields, is_hpcc_number);
}

class HpccReader {
 public:
  HpccReader(std::string_view text, const std::string& name) : lines_(text, name) {}

  Result<FlowList> read() {
    if (!lines_.next()) return fail("no line with the number of flows", {lines_.name()});
    const auto flows = lines_.whole(lines_.line(), "the number of flows", 0, kMostHpccNumber);
    if (!flows) return fail(lines_.take_errors());
    std::uint64_t read = 0;
    for (; read < *flows && lines_.next(); ++read) read_flow();
    if (read < *flows && !lines_.has_errors()) {
      lines_.report(
          fmt::format("the file ends after {} flows, and its first line says {}", read, *flows));
    }
    if (lines_.has_errors()) return fail(lines_.take_errors());
    look_behind(*flows);
    return std::move(list_);
  }

  [[nodiscard]] std::vector<std::string> take_repairs() { return std::move(repairs_); }

 private:
  void read_flow() {
    const auto fields = fields_of(lines_.line());
    if (fields.size() != kHpccFields)
      return lines_.report("a flow is: source destination priority-group port bytes seconds");
    const auto source = lines_.whole(fields[0], "a host", 0, kMostFlowHosts - 1);
    const auto destination = lines_.whole(fields[1], "a host", 0, kMostFlowHosts - 1);
    const auto group = lines_.whole(fields[2], "a priority group", 0, kMostHpccNumber);
    const auto port = lines_.whole(fields[3], "a port", 0, kMostHpccNumber);
    const auto size = lines_.whole(fields[4], "a size in bytes", 0, kMostFlowBytes);
    const auto start = parse_flow_time(fields[5], "s");
    if (!start) lines_.report(fmt::format("'{}' is no time in seconds", shown(fields[5])));
    if (!source || !destination || !group || !port || !size || !start) return;
    if (*source == *destination) return lines_.report("a host sends nothing to itself");
    if (group_.value_or(*group) != *group) ++other_groups_;
    group_ = group_.value_or(*group);
    list_.flows.push_back({.start = *start,
                           .source = static_cast<std::uint32_t>(*source),
                           .destination = static_cast<std::uint32_t>(*destination),
                           .size = bytes(static_cast<std::int64_t>(*size)),
                           .line = static_cast<std::uint32_t>(lines_.number())});
  }

  void look_behind(std::uint64_t flows) {
    if (other_groups_ > 0) {
      repairs_.push_back(fmt::format(
          "priority groups are left out: {} flows have another than the first", other_groups_));
    }
    std::uint64_t more = 0;
    int first = 0;
    while (lines_.next()) {
      if (more++ == 0) first = lines_.number();
    }
    if (more == 0) return;
    repairs_.push_back(
        fmt::format("{} lines after the {} flows that the first line announces are left out (first "
                    "in line {})",
                    more, flows, first));
  }

  TextLines lines_;
  FlowList list_;
  std::optional<std::uint64_t> group_;
  std::uint64_t other_groups_ = 0;
  std::vector<std::string> repairs_;
};

Result<Trace> read_hpcc_file(const Input& input, const Parameters& parameters) {
  return read_hpcc(input.file->text(), input.path, parameters);
}

}  // namespace

Result<Trace> read_hpcc(std::string_view text, const std::string& name,
                        const Parameters& parameters) {
  HpccReader reader(text, name);
  auto list = reader.read();
  if (!list) return fail(list.error());
  if (const auto set = set_hosts(*list, parameters, name); !set) return fail(set.error());
  return trace_of_flows(*std::move(list), parameters, name, reader.take_repairs());
}

Format hpcc_format() {
  return {"hpcc",
          "flow lists of HPCC's and SimAI's simulators",
          {begin_parameter(), hosts_parameter()},
          recognizes_hpcc,
          read_hpcc_file};
}

}  // namespace ebb::trace
