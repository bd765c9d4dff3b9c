// SPDX-License-Identifier: Apache-2.0
#include "box_maker.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

namespace ebb::measurements {
namespace {

using power::Evidence;
using power::PortSetup;
using power::Source;

constexpr double kMicrowatts = 1e6;   // in a watt
constexpr double kAttojoules = 1e18;  // in a joule
constexpr double kMostWatts = 1e6;    // limits of part files
constexpr double kMostPerBit = 1e-9;  // joules
constexpr double kMostPerPacket = 1e-5;

Power watts_of(double value) { return microwatts(std::llround(value * kMicrowatts)); }
Energy joules_of(double value) {
  return attojoules(static_cast<Int128>(std::llround(value * kAttojoules)));
}

std::string watts_text(double value) { return fmt::format("{:.4g} W", value); }

}  // namespace

std::string part_name(std::string_view device) {
  constexpr std::size_t kLongest = 64;
  std::string name;
  for (const char letter : device.substr(0, kLongest)) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    name += plain || lower == '.' ? lower : '-';
  }
  return name;
}

void BoxMaker::lacks(std::string_view what, Location where) {
  gaps_.push_back({fmt::format("'{}' is left out: {}", device_, what), std::move(where)});
}

std::vector<PortCount> BoxMaker::counts() const {
  const auto found = options_.ports.find(device_);
  return found == options_.ports.end() ? std::vector<PortCount>{} : found->second;
}

// Above the limit of a part file: a slip of the pen, and no gap.
void BoxMaker::check_limit(const Reading& reading, double most, std::string_view key) {
  if (!reading.value || *reading.value <= most) return;
  errors_.push_back(
      {fmt::format("{} is {:.4g}, more than {:.4g}", key, *reading.value, most), reading.where});
}

Power BoxMaker::required(const Reading& reading, std::string_view key, std::string_view of,
                         std::optional<Power> scatter) {
  if (!reading.value) {
    lacks(fmt::format("{} of {} {}", key, of, reading.gap), reading.where);
    return {};
  }
  check_limit(reading, kMostWatts, key);
  if (*reading.value < to_watts(-scatter.value_or(Power{}))) {
    const bool may_scatter = scatter && *reading.value >= -1;
    lacks(fmt::format("{} of {} is negative ({}){}", key, of, watts_text(*reading.value),
                      may_scatter ? "; --scatter keeps values around zero" : ""),
          reading.where);
  }
  return watts_of(std::clamp(*reading.value, -kMostWatts, kMostWatts));
}

// Not needed by the kind: a gap is told in the note of the source.
std::optional<Energy> BoxMaker::optional(const Reading& reading, double most, std::string_view key,
                                         std::string_view of) {
  check_limit(reading, most, key);
  if (reading.value && *reading.value >= 0) return joules_of(std::min(*reading.value, most));
  const std::string why = reading.value ? "is negative" : reading.gap;
  notes_ += fmt::format("{} of {} {} and left out. ", key, of, why);
  return std::nullopt;
}

std::string BoxMaker::medium(const PortEntry& entry) {
  const auto given = options_.media.find(entry.module);
  std::string medium = given == options_.media.end() ? medium_of(entry.module) : given->second;
  if (medium.empty()) {
    lacks(fmt::format("the name of the module '{}' does not tell its medium; give it with --medium",
                      shown(entry.module)),
          entry.where);
  }
  return medium;
}

Source BoxMaker::source_of(const ModelOfFile& from, std::size_t index) const {
  Source source;
  source.id = part_name(device_) + (index == 0 ? "" : fmt::format("/{}", index + 1));
  source.title =
      fmt::format("{}{}power model of {}, {}", options_.origin, options_.origin.empty() ? "" : ": ",
                  device_, std::filesystem::path(from.file).filename().string());
  source.date = options_.date;
  source.evidence = Evidence::measured;
  source.note = from.model.notes + notes_;
  if (source.note.ends_with(' ')) source.note.pop_back();
  return source;
}

void BoxMaker::count_ports(const std::vector<ModelOfFile>& models) {
  std::vector<std::string> types;
  for (const ModelOfFile& from : models) {
    for (const std::string& type : from.model.port_types) {
      if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }
  }
  for (const PortCount& count : counts()) {
    box_.ports += count.count;
    const std::string type = count.of.empty() && types.size() == 1 ? types.front() : count.of;
    ports_of_type_[type] += count.count;
    if (std::find(types.begin(), types.end(), type) == types.end()) {
      errors_.push_back(
          {fmt::format("--ports {}: {}", device_, unknown_name("port type", type, types)), {}});
    }
  }
  if (box_.ports > 0) return;
  lacks(fmt::format("the file does not tell how many ports there are; give --ports '{}=...'",
                    device_),
        models.front().model.where);
}

std::optional<int> BoxMaker::ports_of(const std::string& type) const {
  const auto found = ports_of_type_.find(type);
  return found == ports_of_type_.end() ? std::nullopt : std::optional(found->second);
}

void BoxMaker::add_entry(const PortEntry& entry, std::uint32_t source) {
  const std::string of = fmt::format("{} {} {}", entry.port_type, entry.module, entry.speed);
  PortSetup setup;
  setup.name = fmt::format("{} {}", entry.speed, entry.module);
  const auto has_name = [&](const PortSetup& other) { return other.name == setup.name; };
  if (std::any_of(box_.setups.begin(), box_.setups.end(), has_name))
    setup.name += fmt::format(" in {}", entry.port_type);
  const bool is_new = entries_.emplace(entry.port_type, entry.module, entry.speed).second;
  if (!is_new || std::any_of(box_.setups.begin(), box_.setups.end(), has_name)) {
    errors_.push_back({fmt::format("'{}' of {} is given twice", of, device_), entry.where});
  }
  setup.medium = medium(entry);
  setup.rate = entry.rate;
  setup.port = {required(entry.port, "P_PORT", of, options_.scatter), source};
  setup.plugged = {required(entry.plugged, "P_TRX_IN", of, options_.scatter), source};
  setup.up = {required(entry.up, "P_TRX_UP", of, options_.scatter), source};
  if (const auto energy = optional(entry.per_bit, kMostPerBit, "E_BIT", of)) {
    setup.energy_per_bit = {*energy, source};
  }
  if (const auto energy = optional(entry.per_packet, kMostPerPacket, "E_PKT", of)) {
    setup.energy_per_packet = {*energy, source};
  }
  if (entry.offset.value && *entry.offset.value != 0) {
    notes_ += fmt::format("P_OFFSET of {}, {} of a port with traffic, is left out. ", of,
                          watts_text(*entry.offset.value));
  }
  const auto ports = ports_of(entry.port_type);
  if (!ports && box_.ports > 0) {
    lacks(fmt::format("--ports '{}=...' does not tell how many {} ports there are", device_,
                      entry.port_type),
          entry.where);
  }
  if (ports && *ports != box_.ports) setup.ports = *ports;
  box_.setups.push_back(std::move(setup));
}

// The first base that is known; entries that were measured with another say so in a note.
void BoxMaker::find_base(const std::vector<ModelOfFile>& models) {
  const Reading* first = nullptr;
  for (const ModelOfFile& from : models) {
    for (const PortEntry& entry : from.model.entries) {
      if (first == nullptr || !first->value) first = &entry.base;
    }
  }
  if (first == nullptr) {
    return lacks("no port with a module was measured", models.front().model.where);
  }
  box_.base = {required(*first, "P_BASE", device_), 0};
}

void BoxMaker::finish(std::string_view what, power::Library& library, Errors& gaps) {
  if (!gaps_.empty()) {
    gaps.insert(gaps.end(), gaps_.begin(), gaps_.end());
    return;
  }
  for (Source& source : sources_) library.add_source(std::move(source));
  const std::string summary = fmt::format("{}, {} ports, {}", device_, box_.ports, what);
  library.add_part({.name = part_name(device_), .summary = summary, .body = std::move(box_)});
}

void BoxMaker::add(const std::vector<ModelOfFile>& models, power::Library& library, Errors& gaps) {
  count_ports(models);
  find_base(models);
  box_.base.source = static_cast<std::uint32_t>(library.sources().size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    notes_.clear();
    for (const PortEntry& entry : models[i].model.entries) {
      add_entry(entry, box_.base.source + static_cast<std::uint32_t>(i));
      const double off = entry.base.value.value_or(0) - to_watts(box_.base.value);
      if (entry.base.value && std::abs(off) * kMicrowatts > 1) {
        notes_ += fmt::format("Measured with a base of {} W. ", *entry.base.value);
      }
    }
    sources_.push_back(source_of(models[i], i));
  }
  finish("measured power model", library, gaps);
}

// One figure for the whole box: what ports add is inside it.
void BoxMaker::add(const DataSheet& sheet, power::Library& library, Errors& gaps) {
  const auto source = static_cast<std::uint32_t>(library.sources().size());
  box_.base = {required(sheet.typical, "typical_power_draw", device_), source};
  const auto given = counts();
  if (given.empty()) {
    lacks(fmt::format("a data sheet does not tell how many ports there are; give --ports "
                      "'{}=32x400Gb/s'",
                      device_),
          sheet.where);
  }
  for (const PortCount& count : given) add_whole_port(count, given.size() > 1, source + 1);
  sources_.push_back({.id = part_name(device_),
                      .title = fmt::format("{}{}data sheet of {}", options_.origin,
                                           options_.origin.empty() ? "" : ": ", sheet.name),
                      .date = options_.date,
                      .evidence = Evidence::datasheet,
                      .note = sheet.notes + "As the entry states it."});
  sources_.push_back({.id = part_name(device_) + "/ports",
                      .title = fmt::format("What ports add to the power of {}", sheet.name),
                      .date = options_.date,
                      .evidence = Evidence::assumed,
                      .note = "The data sheet has one figure for the whole box. What a port adds "
                              "is inside it, so nothing is added again."});
  finish("typical power of its data sheet", library, gaps);
}

// The same port for a cable and for a module, whose power is added by whoever plans with the box.
void BoxMaker::add_whole_port(const PortCount& count, bool has_others, std::uint32_t source) {
  const auto rate = parse<DataRate>(count.of);
  if (!rate || rate->count() <= 0 || *rate > gigabits_per_second(1'000'000)) {
    errors_.push_back({fmt::format("--ports {}: a data sheet needs the rate of a port, as "
                                   "32x400Gb/s, and not '{}'",
                                   device_, shown(count.of)),
                       {}});
    return;
  }
  const auto has_rate = [&](const PortSetup& other) { return other.rate == *rate; };
  if (std::any_of(box_.setups.begin(), box_.setups.end(), has_rate)) {
    errors_.push_back({fmt::format("--ports {}: {} is given twice", device_, to_text(*rate)), {}});
    return;
  }
  box_.ports += count.count;
  for (const auto& [name, medium] :
       {std::pair("without module", "electrical"), std::pair("without optics", "optical")}) {
    PortSetup setup;
    setup.name = fmt::format("{} {}", to_text(*rate), name);
    setup.medium = medium;
    setup.rate = *rate;
    setup.port = setup.plugged = setup.up = {Power{}, source};
    if (has_others) setup.ports = count.count;
    box_.setups.push_back(std::move(setup));
  }
}

}  // namespace ebb::measurements
