// SPDX-License-Identifier: Apache-2.0
//
// Series of the power of a box and of the counters of its ports, from two CSV files, as the
// intervals that a model is fitted to:
//
//   time,power_w
//   time,interface,setup,plugged,enabled,up,out_octets,out_packets
//
// An interval lies between two readings of the ports. It is left out, and counted by reason, when
// its power or the growth of a counter is not known, when a port changed its state, and when a
// counter began again. Octets are of frames that left the box.
#pragma once

#include "ebb/core/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::measurements {

// What a box draws for: itself, and each of its ports by what the port does.
enum class Term : std::uint8_t { base, port, plugged, up, per_bit, per_packet };

struct Parameter {
  Term term = Term::base;
  std::string setup;  // of the port; empty for the base

  bool operator==(const Parameter&) const = default;
};
// "base", "energy per bit of 100G LR"
[[nodiscard]] std::string to_text(const Parameter& parameter);

enum class LeftOut : std::uint8_t { no_power, other_ports, state_changed, no_counter, reset };
inline constexpr std::size_t kLeftOutReasons = 5;
[[nodiscard]] std::string_view to_text(LeftOut reason);

// P = sum over parameters of value * regressor: 1 for the base, ports that are enabled, plugged or
// up, bits and packets per second of all ports of a setup.
struct Series {
  std::vector<Parameter> parameters;
  std::vector<double> regressors;  // interval by interval, one for each parameter
  std::vector<double> watts;       // mean of each interval
  std::array<std::size_t, kLeftOutReasons> left_out{};
  std::size_t most_ports = 0;  // that were seen at a time

  [[nodiscard]] std::size_t intervals() const { return watts.size(); }
};

// The base, and what ports of these setups have.
[[nodiscard]] std::vector<Parameter> parameters_of(const std::vector<std::string>& setups);

struct CsvText {
  std::string file;
  std::string_view text;
};

// All errors of both files.
[[nodiscard]] Result<Series> read_series(const CsvText& power, const CsvText& ports);

}  // namespace ebb::measurements
