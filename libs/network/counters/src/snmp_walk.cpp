// SPDX-License-Identifier: Apache-2.0
//
// Walks of IF-MIB in time, as `snmpwalk` prints them, each after a line that says when and of what:
//
//   # 1703858100 s0
//   IF-MIB::ifName.1 = STRING: eth1
//   IF-MIB::ifHCInOctets.1 = Counter64: 123456
//   .1.3.6.1.2.1.31.1.1.1.10.1 = Counter64: 654321
//
// Where a device has counters of 64 bits, those of 32 bits of the same interface are left out.
#include "line_source.hpp"
#include "walk_line.hpp"

#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace ebb::counters {
namespace {

enum class Object : std::uint8_t { name, in_64, out_64, in_32, out_32 };

struct KnownObject {
  std::string_view name;
  std::string_view number;
  Object object;
};

// RFC 2863.
constexpr std::array kKnownObjects = {
    KnownObject{"ifName", "1.3.6.1.2.1.31.1.1.1.1", Object::name},
    KnownObject{"ifHCInOctets", "1.3.6.1.2.1.31.1.1.1.6", Object::in_64},
    KnownObject{"ifHCOutOctets", "1.3.6.1.2.1.31.1.1.1.10", Object::out_64},
    KnownObject{"ifInOctets", "1.3.6.1.2.1.2.2.1.10", Object::in_32},
    KnownObject{"ifOutOctets", "1.3.6.1.2.1.2.2.1.16", Object::out_32},
};

bool is_64(Object object) { return object == Object::in_64 || object == Object::out_64; }
bool is_in(Object object) { return object == Object::in_64 || object == Object::in_32; }

class WalkReader {
 public:
  WalkReader(LineSource& lines, Collector& collector, Problems& problems)
      : lines_(lines), collector_(collector), problems_(problems) {}

  void read() {
    while (!problems_.full() && lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty()) continue;
      if (line.front() == '#') {
        begin_walk(line.substr(1));
      } else if (device_.empty()) {
        return problems_.add("a walk begins with a line such as '# 1703858100 s0'", lines_.where());
      } else {
        read_object(line);
      }
    }
    end_walk();
  }

 private:
  struct Value {
    std::uint64_t octets = 0;
    Location where;
  };

  void begin_walk(std::string_view line) {
    end_walk();
    const auto fields = fields_of(line);
    const auto at = fields.size() == 2 ? parse_time(fields[0]) : std::nullopt;
    device_ = fields.size() == 2 ? std::string(fields[1]) : "?";
    if (at) {
      at_ = *at;
    } else {
      problems_.add("a walk begins with its time and its device, as in '# 1703858100 s0'",
                    lines_.where());
    }
  }

  // Names of a walk may stand after its counters.
  void end_walk() {
    std::set<std::string> with_64;
    for (const auto& [key, value] : walk_) {
      if (is_64(key.second)) with_64.insert(key.first);
    }
    for (const auto& [key, value] : walk_) {
      const auto& [number, object] = key;
      if (!is_64(object) && with_64.contains(number)) continue;
      const auto name = names_.find(device_ + ":" + number);
      const std::string interface = device_ + ":" + (name == names_.end() ? number : name->second);
      const TrackId track =
          collector_.track(interface, is_in(object) ? Direction::in : Direction::out,
                           is_64(object) ? Width::bits_64 : Width::bits_32);
      collector_.octets(track, at_, value.octets, value.where);
    }
    walk_.clear();
  }

  void read_object(std::string_view text) {
    const auto line = walk_line(text);
    if (!line) return;
    for (const KnownObject& known : kKnownObjects) {
      if (auto index = index_of(*line, known.name, known.number))
        return take(known.object, std::move(*index), line->value);
    }
  }

  void take(Object object, std::string number, std::string_view value) {
    const std::string_view type = value.substr(0, value.find(": "));
    const std::string_view text = text_of(value);
    if (object == Object::name) {
      names_[device_ + ":" + number] = std::string(text);
      return;
    }
    if (type.starts_with("No Such")) return;
    std::uint64_t octets = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, octets);
    if (problem != std::errc() || stopped != end || !type.starts_with("Counter")) {
      return problems_.add(
          fmt::format("'{}' is not a counter, as in 'Counter64: 123456'", shown(value)),
          lines_.where());
    }
    walk_[{std::move(number), object}] = {octets, lines_.where()};
  }

  LineSource& lines_;
  Collector& collector_;
  Problems& problems_;
  std::string device_;
  UnixTime at_{};
  std::map<std::string, std::string> names_;              // by device and index
  std::map<std::pair<std::string, Object>, Value> walk_;  // by index
};

}  // namespace

void read_snmp_walks(LineSource& lines, Collector& collector, Problems& problems) {
  WalkReader(lines, collector, problems).read();
}

}  // namespace ebb::counters
