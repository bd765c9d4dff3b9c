// SPDX-License-Identifier: Apache-2.0
//
// Flows as CSV: a header that names the columns in any order, then a flow on each line.
//
//   time_us,source,destination,bytes
//   0,0,5,1000000
//   12.5,1,5,64
//
// Columns are separated by commas, semicolons or tabs, whichever the header has. A time has the
// unit of its text, of its column or of the parameter `unit`.
#include "address_table.hpp"
#include "flows.hpp"
#include "formats.hpp"

#include "ebb/core/text_lines.hpp"
#include "ebb/trace/flow_lists.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace ebb::trace {
namespace {

enum class FlowColumn : std::uint8_t { time, source, destination, size };
constexpr std::size_t kFlowColumns = 4;
constexpr std::array<std::string_view, kFlowColumns> kColumnNames = {"time", "source",
                                                                     "destination", "bytes"};

struct Synonym {
  std::string_view name;
  FlowColumn column;
};

constexpr Synonym kSynonyms[] = {{"time", FlowColumn::time},
                                 {"at", FlowColumn::time},
                                 {"start", FlowColumn::time},
                                 {"start_time", FlowColumn::time},
                                 {"timestamp", FlowColumn::time},
                                 {"arrival", FlowColumn::time},
                                 {"source", FlowColumn::source},
                                 {"src", FlowColumn::source},
                                 {"sender", FlowColumn::source},
                                 {"from", FlowColumn::source},
                                 {"destination", FlowColumn::destination},
                                 {"dst", FlowColumn::destination},
                                 {"dest", FlowColumn::destination},
                                 {"receiver", FlowColumn::destination},
                                 {"to", FlowColumn::destination},
                                 {"bytes", FlowColumn::size},
                                 {"size", FlowColumn::size},
                                 {"flow_size", FlowColumn::size},
                                 {"size_bytes", FlowColumn::size},
                                 {"length", FlowColumn::size}};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// The columns of a header.
struct FlowHeader {
  char separator = ',';
  std::size_t fields = 0;
  std::array<std::optional<std::size_t>, kFlowColumns> at;
  std::string_view unit;             // of the times; empty: not stated
  std::vector<std::string> ignored;  // names of further columns
  std::optional<FlowColumn> twice;

  [[nodiscard]] std::optional<std::size_t> where(FlowColumn column) const {
    return at[static_cast<std::size_t>(column)];
  }
};

// "time_us", "start(ns)" and "time [s]" state their unit.
std::string_view take_unit(std::string& name) {
  for (const std::string& unit : time_units()) {
    for (const auto& end : {"_" + unit, "(" + unit + ")", "[" + unit + "]"}) {
      if (!name.ends_with(end)) continue;
      name = trimmed(std::string_view(name).substr(0, name.size() - end.size()));
      return unit;
    }
  }
  return {};
}

FlowHeader read_flow_header(std::string_view line) {
  FlowHeader header;
  for (const char separator : {'\t', ';', ','}) {
    if (line.find(separator) != std::string_view::npos) header.separator = separator;
  }
  const auto names = fields_of(line, header.separator);
  header.fields = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string name = lower_case(names[i]);
    const std::string_view unit = take_unit(name);
    const auto* const found = std::ranges::find(kSynonyms, std::string_view(name), &Synonym::name);
    if (found == std::end(kSynonyms) || (!unit.empty() && found->column != FlowColumn::time)) {
      header.ignored.emplace_back(names[i]);
      continue;
    }
    if (found->column == FlowColumn::time) header.unit = unit;
    auto& at = header.at[static_cast<std::size_t>(found->column)];
    if (at) header.twice = found->column;
    at = i;
  }
  return header;
}

bool recognizes_flow_csv(const Input& input) {
  TextLines lines(input.file->text(), input.path);
  if (!lines.next()) return false;
  const FlowHeader header = read_flow_header(lines.line());
  return header.where(FlowColumn::source) && header.where(FlowColumn::destination) &&
         header.where(FlowColumn::size);
}

class FlowCsvReader {
 public:
  FlowCsvReader(std::string_view text, const std::string& name, const AddressTable* addresses,
                std::string_view unit)
      : lines_(text, name), addresses_(addresses), unit_(unit) {}

  Result<FlowList> read() {
    if (!read_header()) return fail(lines_.take_errors());
    while (lines_.next()) read_flow();
    if (lines_.has_errors()) return fail(lines_.take_errors());
    return std::move(list_);
  }

  [[nodiscard]] std::vector<std::string> repairs() const {
    if (header_.ignored.empty()) return {};
    return {fmt::format("columns that are no part of a flow are left out: {}",
                        fmt::join(header_.ignored, ", "))};
  }

 private:
  bool read_header() {
    if (!lines_.next()) {
      lines_.report("no line with the names of the columns");
      return false;
    }
    header_ = read_flow_header(lines_.line());
    for (std::size_t i = 0; i < kFlowColumns; ++i) {
      if (!header_.at[i])
        lines_.report(fmt::format("no column '{}' (ebb trace formats)", kColumnNames[i]));
    }
    if (header_.twice) {
      lines_.report(fmt::format("two columns are '{}'",
                                kColumnNames[static_cast<std::size_t>(*header_.twice)]));
    }
    if (!header_.unit.empty()) unit_ = header_.unit;
    return !lines_.has_errors();
  }

  void read_flow() {
    const auto fields = fields_of(lines_.line(), header_.separator);
    if (fields.size() != header_.fields) {
      return lines_.report(fmt::format("the line has {} fields, and the header has {}",
                                       fields.size(), header_.fields));
    }
    const auto field = [&](FlowColumn column) { return fields[header_.where(column).value_or(0)]; };
    const auto start = time(field(FlowColumn::time));
    const auto source = host(field(FlowColumn::source));
    const auto destination = host(field(FlowColumn::destination));
    const auto size = bytes_of(field(FlowColumn::size));
    if (!start || !source || !destination || !size) return;
    if (*source == *destination) return lines_.report("a host sends nothing to itself");
    list_.flows.push_back({.start = *start,
                           .source = *source,
                           .destination = *destination,
                           .size = *size,
                           .line = static_cast<std::uint32_t>(lines_.number())});
  }

  std::optional<FlowTime> time(std::string_view field) {
    const auto found = parse_flow_time(field, unit_);
    if (found) return found;
    lines_.report(unit_.empty() && parse_flow_time(field, "ps")
                      ? fmt::format("the time '{}' has no unit: name its column like time_us, or "
                                    "--set unit=us",
                                    shown(field))
                      : fmt::format("'{}' is no time from 0 on", shown(field)));
    return std::nullopt;
  }

  std::optional<std::uint32_t> host(std::string_view field) {
    if (addresses_ == nullptr) {
      const auto found = lines_.whole(field, "a host", 0, kMostFlowHosts - 1);
      return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
    }
    const auto found = addresses_->rank(field);
    if (!found) lines_.report(addresses_->unknown(field));
    return found;
  }

  // A number is one of bytes.
  std::optional<DataSize> bytes_of(std::string_view field) {
    if (!field.empty() && std::isdigit(static_cast<unsigned char>(field.back())) != 0) {
      const auto found = lines_.whole(field, "a size in bytes", 0, kMostFlowBytes);
      return found ? std::optional(bytes(static_cast<std::int64_t>(*found))) : std::nullopt;
    }
    const auto found = parse<DataSize>(field);
    if (found && *found >= DataSize() && found->count() % 8 == 0) return *found;
    lines_.report(found ? fmt::format("'{}' is no whole number of bytes", shown(field))
                        : found.error().front().message);
    return std::nullopt;
  }

  TextLines lines_;
  const AddressTable* addresses_;
  std::string_view unit_;
  FlowHeader header_;
  FlowList list_;
};

Result<Trace> read_flow_csv_file(const Input& input, const Parameters& parameters) {
  return read_flow_csv(input.file->text(), input.path, input.addresses, parameters);
}

}  // namespace

Result<Trace> read_flow_csv(std::string_view text, const std::string& name,
                            const std::string& addresses_path, const Parameters& parameters) {
  std::optional<AddressTable> addresses;
  if (!addresses_path.empty()) {
    auto table = AddressTable::read(addresses_path);
    if (!table) return fail(table.error());
    addresses = *std::move(table);
  }
  const std::string& unit = parameters.choice("unit");
  FlowCsvReader reader(text, name, addresses ? &*addresses : nullptr,
                       unit == "stated" ? std::string_view() : std::string_view(unit));
  auto list = reader.read();
  if (!list) return fail(list.error());
  if (const auto set = set_hosts(*list, parameters, name); !set) return fail(set.error());
  return trace_of_flows(*std::move(list), parameters, name, reader.repairs());
}

Format flow_csv_format() {
  Choice units{{"stated"}};
  units.words.insert(units.words.end(), time_units().begin(), time_units().end());
  return {"flows-csv",
          "flows as CSV: time, source, destination, bytes",
          {begin_parameter(),
           hosts_parameter(),
           {"unit", units, "stated", "unit of times where neither they nor the header state it"}},
          recognizes_flow_csv,
          read_flow_csv_file};
}

}  // namespace ebb::trace
