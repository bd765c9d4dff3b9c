// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/series.hpp"

#include "csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

namespace ebb::measurements {
namespace {

using counters::UnixTime;

constexpr double kBitsPerOctet = 8;
constexpr std::size_t kTermsOfAPort = 5;

struct PowerSample {
  UnixTime at{};
  double watts = 0;  // NaN: not known
};

std::vector<PowerSample> read_power(CsvTable& table) {
  std::vector<PowerSample> samples;
  while (table.next()) {
    const auto at = table.time();
    const auto watts = table.watts(1);
    if (!at || !watts) continue;
    if (!samples.empty() && *at <= samples.back().at) {
      table.lines().report("times must ascend");
    } else {
      samples.push_back({*at, *watts});
    }
  }
  return samples;
}

struct PortState {
  std::size_t setup = 0;
  bool plugged = false;
  bool enabled = false;
  bool up = false;

  bool operator==(const PortState&) const = default;
};

struct PortRow {
  PortState state;
  std::optional<std::uint64_t> octets;
  std::optional<std::uint64_t> packets;
};

// All ports at a time.
struct Moment {
  UnixTime at{};
  std::map<std::string, PortRow, std::less<>> ports;
};

class PortsReader {
 public:
  explicit PortsReader(const CsvText& csv)
      : table_(csv, {"time", "interface", "setup", "plugged", "enabled", "up", "out_octets",
                     "out_packets"}) {}

  void read() {
    while (table_.next()) read_row();
  }

  std::vector<Moment> moments;
  std::vector<std::string> setups;
  [[nodiscard]] TextLines& lines() { return table_.lines(); }

 private:
  enum Column : std::size_t { time, interface, setup, plugged, enabled, up, octets, packets };

  void read_row() {
    const auto at = table_.time();
    const std::string_view name = table_.field(interface);
    if (name.empty()) lines().report("a row without an interface");
    PortRow row;
    row.state = {setup_index(), flag(plugged), flag(enabled), flag(up)};
    row.octets = counter(octets);
    row.packets = counter(packets);
    if (!at || name.empty()) return;
    if (!moments.empty() && *at < moments.back().at) return lines().report("times must not fall");
    if (moments.empty() || moments.back().at != *at) moments.push_back({*at, {}});
    if (!moments.back().ports.emplace(name, row).second) {
      lines().report(fmt::format("'{}' has a row of this time already", shown(name)));
    }
  }

  std::size_t setup_index() {
    const std::string_view name = table_.field(setup);
    if (name.empty()) lines().report("a row without a setup, as 100G LR");
    const auto found = std::find(setups.begin(), setups.end(), name);
    if (found != setups.end()) return static_cast<std::size_t>(found - setups.begin());
    if (setups.size() == kMostSetups) {
      lines().report(fmt::format("more than {} setups", kMostSetups));
      return 0;
    }
    setups.emplace_back(name);
    return setups.size() - 1;
  }

  bool flag(Column column) {
    const std::string_view field = table_.field(column);
    if (field != "0" && field != "1")
      lines().report(fmt::format("expected 0 or 1, got '{}'", shown(field)));
    return field == "1";
  }

  std::optional<std::uint64_t> counter(Column column) {
    const std::string_view field = table_.field(column);
    if (is_gap(field)) return std::nullopt;
    std::uint64_t count = 0;
    const char* const end = field.data() + field.size();
    const auto [at, error] = std::from_chars(field.data(), end, count);
    if (error == std::errc{} && at == end) return count;
    lines().report(fmt::format("expected a counter, got '{}'", shown(field)));
    return std::nullopt;
  }

  static constexpr std::size_t kMostSetups = 16;
  CsvTable table_;
};

// Turns moments into intervals.
class SeriesMaker {
 public:
  SeriesMaker(std::vector<PowerSample> power, const PortsReader& ports)
      : power_(std::move(power)), ports_(ports) {
    series_.parameters = parameters_of(ports.setups);
  }

  Series make() {
    for (const Moment& moment : ports_.moments)
      series_.most_ports = std::max(series_.most_ports, moment.ports.size());
    for (std::size_t i = 1; i < ports_.moments.size(); ++i) {
      const auto reason = add(ports_.moments[i - 1], ports_.moments[i]);
      if (reason) ++series_.left_out.at(static_cast<std::size_t>(*reason));
    }
    return std::move(series_);
  }

 private:
  std::optional<LeftOut> add(const Moment& from, const Moment& to) {
    const auto watts = mean_power(from.at, to.at);
    if (!watts) return LeftOut::no_power;
    row_.assign(series_.parameters.size(), 0);
    row_[0] = 1;
    const double seconds = std::chrono::duration<double>(to.at - from.at).count();
    if (from.ports.size() != to.ports.size()) return LeftOut::other_ports;
    auto before = from.ports.begin();
    for (auto after = to.ports.begin(); after != to.ports.end(); ++before, ++after) {
      if (before->first != after->first) return LeftOut::other_ports;
      if (const auto reason = add(before->second, after->second, seconds)) return reason;
    }
    series_.regressors.insert(series_.regressors.end(), row_.begin(), row_.end());
    series_.watts.push_back(*watts);
    return std::nullopt;
  }

  std::optional<LeftOut> add(const PortRow& before, const PortRow& after, double seconds) {
    if (!(before.state == after.state)) return LeftOut::state_changed;
    if (!before.octets || !after.octets || !before.packets || !after.packets)
      return LeftOut::no_counter;
    if (*after.octets < *before.octets || *after.packets < *before.packets) return LeftOut::reset;
    double* const terms = &row_[1 + kTermsOfAPort * after.state.setup];
    terms[0] += after.state.enabled ? 1 : 0;
    terms[1] += after.state.plugged ? 1 : 0;
    terms[2] += after.state.up ? 1 : 0;
    terms[3] += static_cast<double>(*after.octets - *before.octets) * kBitsPerOctet / seconds;
    terms[4] += static_cast<double>(*after.packets - *before.packets) / seconds;
    return std::nullopt;
  }

  // Of the samples after `from`, up to and with `to`. Nothing when one of them is a gap.
  std::optional<double> mean_power(UnixTime from, UnixTime to) {
    while (next_ < power_.size() && power_[next_].at <= from) ++next_;
    double sum = 0;
    std::size_t count = 0;
    for (; next_ < power_.size() && power_[next_].at <= to; ++next_, ++count)
      sum += power_[next_].watts;
    if (count == 0 || std::isnan(sum)) return std::nullopt;
    return sum / static_cast<double>(count);
  }

  std::vector<PowerSample> power_;
  std::size_t next_ = 0;  // sample that no earlier interval has
  const PortsReader& ports_;
  Series series_;
  std::vector<double> row_;
};

}  // namespace

std::string to_text(const Parameter& parameter) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "base", "port", "plugged", "up", "energy per bit", "energy per packet"};
  const std::string_view name = kNames.at(static_cast<std::size_t>(parameter.term));
  if (parameter.term == Term::base) return std::string(name);
  return fmt::format("{} of {}", name, parameter.setup);
}

std::string_view to_text(LeftOut reason) {
  static constexpr std::array<std::string_view, kLeftOutReasons> kNames = {
      "power not known", "other ports than before", "a port changed its state",
      "a counter not known", "a counter began again"};
  return kNames.at(static_cast<std::size_t>(reason));
}

std::vector<Parameter> parameters_of(const std::vector<std::string>& setups) {
  std::vector<Parameter> parameters = {{Term::base, ""}};
  for (const std::string& setup : setups) {
    for (const Term term : {Term::port, Term::plugged, Term::up, Term::per_bit, Term::per_packet}) {
      parameters.push_back({term, setup});
    }
  }
  return parameters;
}

Result<Series> read_series(const CsvText& power, const CsvText& ports) {
  CsvTable table(power, {"time", "power_w"});
  auto samples = read_power(table);
  PortsReader reader(ports);
  reader.read();
  Errors errors = table.lines().take_errors();
  for (Error& error : reader.lines().take_errors()) errors.push_back(std::move(error));
  if (!errors.empty()) return fail(std::move(errors));
  return SeriesMaker(std::move(samples), reader).make();
}

}  // namespace ebb::measurements
