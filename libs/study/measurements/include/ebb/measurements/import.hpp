// SPDX-License-Identifier: Apache-2.0
//
// Measured power models and data sheets that others publish, as boxes of the parts library. What a
// file is shows in its keys:
//
//   metadata: {device_id: ...}              a power model: port type, module and speed, then watts
//   Arguments: ..., Power_model: ...        a power model of one port type, module and speed
//   Device: ..., P_BASE: ...                the same without sections
//   manufacturer: ..., model: ...           a data sheet: typical and maximum power of the whole
//   box
//
// A value that is missing, null, not a number or negative is a gap and never 0 W. A box whose kind
// needs a value that is a gap is left out, and every gap is told with its place.
//
//   const auto imported = import_boxes(texts, {.date = "2025-02", .ports = {{"sw1", {{36, ""}}}}});
//   fmt::print("{}", parts_text(imported->boxes));
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::measurements {

// How many ports of a kind a device has, which the files do not tell. `of` is the port type of a
// power model ("QSFP28"; empty when it has one only) or the rate of a port of a data sheet.
struct PortCount {
  int count = 0;
  std::string of;

  bool operator==(const PortCount&) const = default;
};

// "36", "32xQSFP28,4xQSFP-DD", "32x400Gb/s"
[[nodiscard]] Result<std::vector<PortCount>> parse_port_counts(std::string_view text);

struct ImportOptions {
  std::string origin;  // who published the files; before each title; may be empty
  std::string date;    // of the data, or of the day they were read
  std::map<std::string, std::vector<PortCount>> ports;  // by the device's name in its file
  std::map<std::string, std::string> media;             // by module, for names that tell none
  // Negative powers of a port are kept down to minus this: fits scatter around zero. 0: gaps.
  Power scatter;
};

struct ImportText {
  std::string file;
  std::string text;
};

struct Imported {
  power::Library boxes;  // in the order of the files
  Errors gaps;           // of the boxes that were left out
};

// Errors: what is wrong with a file, all at once.
[[nodiscard]] Result<Imported> import_boxes(std::span<const ImportText> texts,
                                            const ImportOptions& options);

// The boxes and power supplies as a part file. Of boxes only what imported and fitted ones have is
// written: ports, base and setups.
[[nodiscard]] std::string parts_text(const power::Library& library);

// What a part file takes as the name of a part.
[[nodiscard]] bool is_part_name(std::string_view text);

// Of a source of a part file: a year, or a year and a month.
[[nodiscard]] bool is_date(std::string_view text);

// "100G" -> 100Gb/s; "2.5G", "10M", "1.6T". Nothing: it is no speed.
[[nodiscard]] std::optional<DataRate> parse_speed(std::string_view text);

// "optical" or "electrical" by the name of a module or cable: "LR4", "Passive DAC", "T". Empty: the
// name does not tell.
[[nodiscard]] std::string medium_of(std::string_view module);

}  // namespace ebb::measurements
