// SPDX-License-Identifier: Apache-2.0
//
// One box of what files say about one device. What lacks for it is collected with its place, and a
// box that lacks something is not added to the library, nor are its sources.
#pragma once

#include "readings.hpp"

#include "ebb/measurements/import.hpp"
#include "ebb/power/library.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ebb::measurements {

// The device as a part is named: typed on command lines without quotes.
[[nodiscard]] std::string part_name(std::string_view device);

// One power model and the file it was read from.
struct ModelOfFile {
  PowerModel model;
  std::string file;
};

// Makes one box, and tells what lacks for it.
class BoxMaker {
 public:
  BoxMaker(std::string device, const ImportOptions& options, Errors& errors)
      : device_(std::move(device)), options_(options), errors_(errors) {}

  void add(const std::vector<ModelOfFile>& models, power::Library& library, Errors& gaps);
  void add(const DataSheet& sheet, power::Library& library, Errors& gaps);

 private:
  void lacks(std::string_view what, Location where);
  [[nodiscard]] std::vector<PortCount> counts() const;
  void check_limit(const Reading& reading, double most, std::string_view key);
  [[nodiscard]] Power required(const Reading& reading, std::string_view key, std::string_view of,
                               std::optional<Power> scatter = std::nullopt);
  [[nodiscard]] std::optional<Energy> optional(const Reading& reading, double most,
                                               std::string_view key, std::string_view of);
  [[nodiscard]] std::string medium(const PortEntry& entry);
  [[nodiscard]] power::Source source_of(const ModelOfFile& from, std::size_t index) const;
  void count_ports(const std::vector<ModelOfFile>& models);
  [[nodiscard]] std::optional<int> ports_of(const std::string& type) const;
  void add_entry(const PortEntry& entry, std::uint32_t source);
  void find_base(const std::vector<ModelOfFile>& models);
  void add_whole_port(const PortCount& count, bool has_others, std::uint32_t source);
  void finish(std::string_view what, power::Library& library, Errors& gaps);

  std::string device_;
  const ImportOptions& options_;
  Errors& errors_;  // bad input
  Errors gaps_;
  power::Box box_;
  std::map<std::string, int> ports_of_type_;
  std::set<std::tuple<std::string, std::string, std::string>> entries_;  // type, module, speed
  std::vector<power::Source> sources_;  // of the box, by index from the end of the library's
  std::string notes_;                   // of the entries that are being read
};

}  // namespace ebb::measurements
