// SPDX-License-Identifier: Apache-2.0
//
// What stands in the files of others, before it is a part: each value with its place, and for a gap
// why it is one.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/units/data.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::measurements {

[[nodiscard]] Location place_of(const files::Value& value, const files::Diagnostics& errors);
[[nodiscard]] bool is_null(const files::Value& value);

// A number in watts or joules. Either `value` or `gap` is there.
struct Reading {
  std::optional<double> value;
  std::string gap = "is missing";
  Location where;
};

// A number, null or not a number; other text is reported.
[[nodiscard]] Reading read_number(const files::Value& value, files::Diagnostics& errors);
// A missing key is a gap where the map stands.
[[nodiscard]] Reading find_number(files::Section& section, std::string_view key);

// The text of a key; empty when the key is missing or null.
[[nodiscard]] std::string find_text_or_null(files::Section& section, std::string_view key);

// One port type with a module at a speed.
struct PortEntry {
  std::string port_type;
  std::string module;
  std::string speed;
  DataRate rate;
  Location where;
  Reading base;
  Reading port;
  Reading plugged;
  Reading up;
  Reading per_bit;
  Reading per_packet;
  Reading offset;
};

struct PowerModel {
  std::string device;
  Location where;
  std::string notes;                    // what else the file says of the measurement
  std::vector<std::string> port_types;  // also of entries that only refer to others
  std::vector<PortEntry> entries;
};

struct DataSheet {
  std::string device;  // the slug of the entry, else the model
  Location where;
  std::string name;  // manufacturer and model
  std::string notes;
  Reading typical;
};

// Nothing when the errors leave nothing to work on.
[[nodiscard]] std::optional<PowerModel> read_power_model(files::Section& file);
[[nodiscard]] std::optional<DataSheet> read_data_sheet(files::Section& file);

}  // namespace ebb::measurements
