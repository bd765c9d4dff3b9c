// SPDX-License-Identifier: Apache-2.0
//
// Power models as NetPowerBench writes them, in watts and joules:
//
//   P = P_BASE + sum over ports (P_PORT + P_TRX_IN + P_TRX_UP + P_OFFSET + E_BIT b + E_PKT p)
//
// with b bits and p packets per second. P_TRX_IN comes with the module, P_TRX_UP with the link,
// P_OFFSET with traffic. P_TRX is P_TRX_IN + P_TRX_UP and is not used.
#include "readings.hpp"

#include "ebb/measurements/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ebb::measurements {
namespace {

using files::Diagnostics;
using files::Section;
using files::Value;

constexpr std::array<std::string_view, 5> kNames = {"device_id", "Device", "Port_type",
                                                    "Port_speed", "Transceivers"};

// What a file says beside what is read: "connected_PSUs: 2. ".
std::string other_keys(Section& section) {
  std::string notes;
  for (const auto& [key, value] : section.entries()) {
    const bool is_name = std::find(kNames.begin(), kNames.end(), key) != kNames.end();
    if (is_name || !value.is_scalar()) continue;
    notes += fmt::format("{}: {}. ", key, value.flow_text());
  }
  return notes;
}

void read_values(Section& values, PortEntry& entry) {
  entry.where = place_of(values.value(), values.errors());
  entry.base = find_number(values, "P_BASE");
  entry.port = find_number(values, "P_PORT");
  static_cast<void>(find_number(values, "P_TRX"));
  entry.plugged = find_number(values, "P_TRX_IN");
  entry.up = find_number(values, "P_TRX_UP");
  entry.per_bit = find_number(values, "E_BIT");
  entry.per_packet = find_number(values, "E_PKT");
  entry.offset = find_number(values, "P_OFFSET");
}

// Reports a speed that is none.
void read_speed(const Value& value, PortEntry& entry, Diagnostics& errors) {
  const auto rate = parse_speed(entry.speed);
  if (rate) {
    entry.rate = *rate;
  } else {
    value.report(errors,
                 fmt::format("expected a speed like 100G or 2.5G, got '{}'", shown(entry.speed)));
  }
}

std::string text_of(const PortEntry& entry) {
  return fmt::format("{} {} {}", entry.port_type, entry.module, entry.speed);
}

// The form with a tree: port type, module, speed.
class TreeReader {
 public:
  explicit TreeReader(Section& file) : file_(file) {}

  std::optional<PowerModel> read() {
    Section metadata(*file_.require("metadata"), file_.errors());
    model_.device = metadata.require_text("device_id").value_or("");
    model_.where = place_of(metadata.value(), file_.errors());
    model_.notes = other_keys(metadata);
    for (const auto& [type, modules] : file_.entries()) {
      if (type != "metadata") read_type(type, modules);
    }
    for (const Reference& reference : references_) check(reference);
    if (model_.device.empty()) return std::nullopt;
    return std::move(model_);
  }

 private:
  // An entry that was not measured: it takes the values of another.
  struct Reference {
    Value value;
    PortEntry from;
    PortEntry to;
  };

  void read_type(const std::string& type, const Value& modules) {
    model_.port_types.push_back(type);
    Section by_module(modules, file_.errors());
    for (const auto& [module, speeds] : by_module.entries()) {
      Section by_speed(speeds, file_.errors());
      for (const auto& [speed, values] : by_speed.entries()) {
        read_entry({.port_type = type, .module = module, .speed = speed}, values);
      }
    }
  }

  void read_entry(PortEntry entry, const Value& value) {
    read_speed(value, entry, file_.errors());
    Section values(value, file_.errors());
    if (const auto other = values.find("default")) {
      Section to(*other, file_.errors());
      references_.push_back({*other,
                             entry,
                             {.port_type = to.require_text("port_type").value_or(""),
                              .module = to.require_text("trx_phy").value_or(""),
                              .speed = to.require_text("trx_speed").value_or("")}});
      to.finish();
    } else {
      read_values(values, entry);
      model_.entries.push_back(std::move(entry));
    }
    values.finish();
  }

  void check(const Reference& reference) {
    const auto& all = model_.entries;
    const auto found = std::find_if(all.begin(), all.end(), [&](const PortEntry& entry) {
      return text_of(entry) == text_of(reference.to);
    });
    if (found == all.end()) {
      reference.value.report(file_.errors(), fmt::format("the file has no values of '{}'",
                                                         shown(text_of(reference.to))));
    }
    model_.notes += fmt::format("{} was not measured, the file takes {} for it; left out. ",
                                text_of(reference.from), text_of(reference.to));
  }

  Section& file_;
  PowerModel model_;
  std::vector<Reference> references_;
};

// The forms with one entry: what was measured in `arguments`, watts and joules in `values`.
std::optional<PowerModel> read_one_entry(Section& arguments, Section& values) {
  PowerModel model;
  model.where = place_of(arguments.value(), arguments.errors());
  model.device = arguments.require_text("Device").value_or("");
  PortEntry entry;
  entry.port_type = arguments.require_text("Port_type").value_or("");
  entry.module = arguments.require_text("Transceivers").value_or("");
  const auto speed = arguments.require("Port_speed");
  if (const auto text = speed ? speed->text(arguments.errors()) : std::nullopt) {
    entry.speed = *text;
    read_speed(*speed, entry, arguments.errors());
  }
  const std::string traffic = find_text_or_null(arguments, "Traffic_generator");
  if (!traffic.empty()) model.notes = fmt::format("Traffic_generator: {}. ", traffic);
  read_values(values, entry);
  model.port_types.push_back(entry.port_type);
  model.entries.push_back(std::move(entry));
  if (model.device.empty()) return std::nullopt;
  return model;
}

}  // namespace

std::optional<PowerModel> read_power_model(Section& file) {
  if (file.find("metadata")) return TreeReader(file).read();
  const auto separate = file.find("Power_model");
  if (!separate) {
    auto model = read_one_entry(file, file);
    file.finish();
    return model;
  }
  const auto given = file.require("Arguments");
  file.finish();
  if (!given) return std::nullopt;
  Section arguments(*given, file.errors());
  Section values(*separate, file.errors());
  auto model = read_one_entry(arguments, values);
  if (model) model->notes = other_keys(arguments);
  values.finish();
  return model;
}

}  // namespace ebb::measurements
