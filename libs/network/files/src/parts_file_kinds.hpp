// SPDX-License-Identifier: Apache-2.0
//
// The body of a part, kind by kind, and the numbers in it. Each number has a source and physical
// limits. The limits are wide; they refuse slips of the pen (a negative wattage, megawatts for a
// port) and keep products inside 64 bits.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/power/library.hpp"
#include "ebb/power/part.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::files::parts {

template <class T>
struct Range {
  T least;
  T most;
};

inline constexpr Range<DataRate> kRates{bits_per_second(1), gigabits_per_second(1'000'000)};
inline constexpr Range<Power> kPowers{watts(0), watts(1'000'000)};
// Fitted models of a port scatter around zero when the port draws almost nothing.
inline constexpr Range<Power> kPortPowers{watts(-1), watts(1'000'000)};
inline constexpr Range<DataSize> kWidths{bits(1), bits(65'536)};  // of an entry of a table
inline constexpr Range<Ratio> kShares{Ratio(0, 1), Ratio(1, 1)};
inline constexpr Range<Energy> kEnergiesPerBit{joules(0), picojoules(1'000)};
inline constexpr Range<Energy> kEnergiesPerPacket{joules(0), picojoules(10'000'000)};
inline constexpr Range<Duration> kDelays{std::chrono::seconds(0), std::chrono::minutes(10)};
inline constexpr Range<Voltage> kSupplies{millivolts(1), millivolts(100'000)};
inline constexpr Range<DataSize> kCells{bits(1), bytes(65'536)};
inline constexpr Range<Money> kPrices{dollars(0), dollars(1'000'000'000)};
inline constexpr Range<Length> kReaches{millimetres(1), metres(1'000'000)};

template <class T>
[[nodiscard]] std::optional<T> read_in_range(const Value& value, Range<T> range,
                                             Diagnostics& errors) {
  const auto number = value.quantity<T>(errors);
  if (!number || (!(*number < range.least) && !(range.most < *number))) return number;
  value.report(errors, fmt::format("expected {} to {}, got {}", to_text(range.least),
                                   to_text(range.most), to_text(*number)));
  return std::nullopt;
}

template <class T>
[[nodiscard]] std::optional<T> require_in_range(Section& section, std::string_view key,
                                                Range<T> range) {
  const auto value = section.require(key);
  return value ? read_in_range(*value, range, section.errors()) : std::nullopt;
}

// The sources of one file. A broken one is reported once and can still be referred to.
class FileSources {
 public:
  FileSources(Section& file, power::Library& library);

  // Index in the library; reports an id that the file does not define and answers 0.
  [[nodiscard]] std::uint32_t index_of(const Value& id, Diagnostics& errors) const;

 private:
  std::map<std::string, std::uint32_t> by_id_;
};

// Reads numbers that are "9W", with the source of the part, or {value: 9W, source: other}.
class Numbers {
 public:
  Numbers(Section& part, const FileSources& sources);

  template <class T>
  [[nodiscard]] std::optional<power::Sourced<T>> find(Section& section, std::string_view key,
                                                      Range<T> range) const {
    const auto value = section.find(key);
    return value ? read(*value, range, section.errors()) : std::nullopt;
  }
  template <class T>
  [[nodiscard]] std::optional<power::Sourced<T>> require(Section& section, std::string_view key,
                                                         Range<T> range) const {
    const auto value = section.require(key);
    return value ? read(*value, range, section.errors()) : std::nullopt;
  }

 private:
  template <class T>
  [[nodiscard]] std::optional<power::Sourced<T>> read(const Value& value, Range<T> range,
                                                      Diagnostics& errors) const {
    if (!value.is_map())
      return with_source(read_in_range(value, range, errors), default_of(value, errors));
    Section both(value, errors);
    const auto number = require_in_range(both, "value", range);
    const auto id = both.require("source");
    const std::uint32_t source = id ? sources_->index_of(*id, errors) : 0;
    both.finish();
    return with_source(number, source);
  }
  template <class T>
  [[nodiscard]] static std::optional<power::Sourced<T>> with_source(std::optional<T> number,
                                                                    std::uint32_t source) {
    if (!number) return std::nullopt;
    return power::Sourced<T>{*number, source};
  }
  [[nodiscard]] std::uint32_t default_of(const Value& value, Diagnostics& errors) const;

  const FileSources* sources_;
  std::optional<std::uint32_t> default_;
};

// One reader per kind of part. A new kind is one function and one line in the list.
using Body = decltype(power::Part::body);

[[nodiscard]] const std::vector<std::string>& kind_names();

// The body of a part of that kind. What could not be read is reported and left at its default.
[[nodiscard]] Body read_body(std::string_view kind, Section& part, const Numbers& numbers);

}  // namespace ebb::files::parts
