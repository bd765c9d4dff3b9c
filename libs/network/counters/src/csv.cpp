// SPDX-License-Identifier: Apache-2.0
//
// CSV files with a header. A column is known by its name; case does not matter.
#include "line_source.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace ebb::counters {
namespace {

enum class Role : std::uint8_t { device, interface, peer, time, in, out, other };
enum class Unit : std::uint8_t { octets, octets_32, octets_64, bytes_per_second, bits_per_second };

struct KnownColumn {
  std::string_view name;
  Role role;
  Unit unit = Unit::octets;
};

constexpr std::array kKnownColumns = {
    KnownColumn{"device", Role::device},
    KnownColumn{"instance", Role::device},
    KnownColumn{"node1", Role::device},
    KnownColumn{"node2", Role::peer},
    KnownColumn{"interface", Role::interface},
    KnownColumn{"time", Role::time},
    KnownColumn{"unix time", Role::time},
    KnownColumn{"timestamp", Role::time},
    KnownColumn{"in_bytes", Role::in},
    KnownColumn{"out_bytes", Role::out},
    KnownColumn{"rx_bytes", Role::in},
    KnownColumn{"tx_bytes", Role::out},
    KnownColumn{"ifinoctets", Role::in, Unit::octets_32},
    KnownColumn{"ifoutoctets", Role::out, Unit::octets_32},
    KnownColumn{"ifhcinoctets", Role::in, Unit::octets_64},
    KnownColumn{"ifhcoutoctets", Role::out, Unit::octets_64},
    KnownColumn{"in_bit_per_s", Role::in, Unit::bits_per_second},
    KnownColumn{"out_bit_per_s", Role::out, Unit::bits_per_second},
    KnownColumn{"in_byte_per_s", Role::in, Unit::bytes_per_second},
    KnownColumn{"out_byte_per_s", Role::out, Unit::bytes_per_second},
};

constexpr double kBitsPerByte = 8;
constexpr std::size_t kMostColumns = 64;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string joined(std::string_view device, std::string_view interface) {
  if (device.empty()) return std::string(interface);
  return fmt::format("{}:{}", device, interface);
}

// Digits at the end of a file's name, as link_traffic/1703858100.csv has them.
std::optional<UnixTime> time_in_name(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const std::size_t end = stem.find_last_not_of("0123456789");
  return parse_time(std::string_view(stem).substr(end == std::string::npos ? 0 : end + 1));
}

class CsvReader {
 public:
  CsvReader(LineSource& lines, const ReadOptions& options, Collector& collector, Problems& problems)
      : lines_(lines), options_(options), collector_(collector), problems_(problems) {}

  void read() {
    if (!lines_.next() || !read_header(lines_.line())) return;
    while (!problems_.full() && lines_.next()) {
      if (!lines_.line().empty() && lines_.line().front() != '#') read_row();
    }
  }

 private:
  struct Column {
    Role role = Role::other;
    Unit unit = Unit::octets;
  };
  // The tracks of an interface, and which interface comes after it in the file.
  struct Interface {
    std::string device;
    std::string name;
    TrackId in{};
    TrackId out{};
  };

  bool read_header(std::string_view line) {
    for (const std::string_view field : fields_of(line, ',')) {
      const std::string name = lower(field);
      const auto* const known =
          std::find_if(kKnownColumns.begin(), kKnownColumns.end(),
                       [&](const KnownColumn& one) { return one.name == name; });
      Column column;
      if (known != kKnownColumns.end()) {
        column = {known->role, known->unit};
      } else if (name == "rx" || name == "tx") {
        column = {name == "rx" ? Role::in : Role::out, Unit::bytes_per_second};
      }
      columns_.push_back(column);
    }
    return check_header();
  }

  [[nodiscard]] bool has(Role role) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](const Column& one) { return one.role == role; });
  }

  bool check_header() {
    std::vector<std::string> missing;
    if (!has(Role::in)) missing.emplace_back("in_bytes");
    if (!has(Role::out)) missing.emplace_back("out_bytes");
    if (columns_.size() > kMostColumns) missing.emplace_back("fewer columns");
    if (has(Role::peer)) {  // SURFnet: bit/s, and the time is in the file's name
      for (Column& column : columns_) {
        if (column.unit == Unit::bytes_per_second) column.unit = Unit::bits_per_second;
      }
      file_time_ = time_in_name(lines_.path());
      if (!file_time_) missing.emplace_back("a time at the end of the file's name");
    } else {
      if (!has(Role::time)) missing.emplace_back("time");
      // Hypnos and SWITCH: interfaces/<router>/<interface>.csv
      const std::filesystem::path path(lines_.path());
      if (!has(Role::interface))
        file_interface_ = joined(path.parent_path().filename().string(), path.stem().string());
    }
    if (missing.empty()) return true;
    problems_.add(
        fmt::format("the first line must name the columns; missing: {}", fmt::join(missing, ", ")),
        lines_.where());
    return false;
  }

  // Fields without a copy; false when there are not as many as columns.
  bool split(std::string_view line) {
    fields_.clear();
    while (true) {
      const std::size_t comma = line.find(',');
      fields_.push_back(line.substr(0, comma));
      if (comma == std::string_view::npos) break;
      line.remove_prefix(comma + 1);
      if (fields_.size() > kMostColumns) return false;
    }
    return fields_.size() == columns_.size();
  }

  void read_row() {
    if (!split(lines_.line())) {
      return problems_.add(fmt::format("a row has {} fields", columns_.size()), lines_.where());
    }
    std::string_view device;
    std::string_view name = file_interface_;
    std::optional<UnixTime> at = file_time_;
    for (std::size_t which = 0; which < columns_.size(); ++which) {
      const std::string_view field = trimmed(fields_[which]);
      if (columns_[which].role == Role::device) device = field;
      if (columns_[which].role == Role::interface && !has_peer()) name = field;
      if (columns_[which].role == Role::peer) name = field;
      if (columns_[which].role != Role::time) continue;
      at = parse_time(field);
      if (!at) {
        return problems_.add(fmt::format("'{}' is no time: seconds since 1970, or "
                                         "2024-01-01T00:00:00Z",
                                         shown(field)),
                             lines_.where());
      }
    }
    if (name.empty()) return problems_.add("a row without an interface", lines_.where());
    const Interface& interface = interfaces_[interface_of(device, name)];
    for (std::size_t which = 0; which < columns_.size(); ++which) {
      if (columns_[which].role == Role::in) take(interface.in, *at, which);
      if (columns_[which].role == Role::out) take(interface.out, *at, which);
    }
  }

  [[nodiscard]] bool has_peer() const { return file_time_.has_value(); }

  // Files have their interfaces in the same order in each step: the next one is looked at first.
  std::size_t interface_of(std::string_view device, std::string_view name) {
    const auto is = [&](std::size_t which) {
      return which < interfaces_.size() && interfaces_[which].name == name &&
             interfaces_[which].device == device;
    };
    if (is(last_)) return last_;
    last_ = last_ + 1 < interfaces_.size() ? last_ + 1 : 0;
    if (is(last_)) return last_;
    const std::string both = joined(device, name);
    const auto [found, is_new] = by_name_.emplace(both, interfaces_.size());
    if (is_new) {
      interfaces_.push_back({std::string(device), std::string(name),
                             collector_.track(both, Direction::in, width_of(Role::in)),
                             collector_.track(both, Direction::out, width_of(Role::out))});
    }
    return last_ = found->second;
  }

  [[nodiscard]] Width width_of(Role role) const {
    for (const Column& column : columns_) {
      if (column.role != role) continue;
      if (column.unit == Unit::octets_32) return Width::bits_32;
      if (column.unit == Unit::octets_64) return Width::bits_64;
    }
    return options_.csv_width;
  }

  void take(TrackId track, UnixTime at, std::size_t which) {
    const std::string_view field = trimmed(fields_[which]);
    const Unit unit = columns_[which].unit;
    if (field.empty()) return collector_.nothing(track, at, lines_.where());
    const char* const end = field.data() + field.size();
    if (unit == Unit::bytes_per_second || unit == Unit::bits_per_second) {
      double rate = 0;
      const auto [stopped, problem] = std::from_chars(field.data(), end, rate);
      if (problem != std::errc() || stopped != end) return bad_value(field, "a number");
      if (!std::isfinite(rate) || rate < 0) return collector_.nothing(track, at, lines_.where());
      const double scale = unit == Unit::bytes_per_second ? kBitsPerByte : 1;
      return collector_.rate(track, at, rate * scale, lines_.where());
    }
    std::uint64_t octets = 0;
    const auto [stopped, problem] = std::from_chars(field.data(), end, octets);
    if (problem != std::errc() || stopped != end)
      return bad_value(field, "a counter, a whole number below 2^64");
    collector_.octets(track, at, octets, lines_.where());
  }

  void bad_value(std::string_view field, std::string_view what) {
    problems_.add(fmt::format("'{}' is not {}", shown(field), what), lines_.where());
  }

  LineSource& lines_;
  const ReadOptions& options_;
  Collector& collector_;
  Problems& problems_;
  std::vector<Column> columns_;
  std::vector<std::string_view> fields_;
  std::string file_interface_;
  std::optional<UnixTime> file_time_;
  std::vector<Interface> interfaces_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::size_t last_ = 0;
};

}  // namespace

void read_csv(LineSource& lines, const ReadOptions& options, Collector& collector,
              Problems& problems) {
  CsvReader(lines, options, collector, problems).read();
}

}  // namespace ebb::counters
