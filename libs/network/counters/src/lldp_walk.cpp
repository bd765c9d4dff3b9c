// SPDX-License-Identifier: Apache-2.0
//
// Rows of the remote table have the index time.localPort.row, those of the table of local ports the
// number of the port:
//
//   LLDP-MIB::lldpLocPortId.3 = STRING: "eth0"
//   LLDP-MIB::lldpRemPortId.100.3.1 = STRING: "eth3"
//   .1.0.8802.1.1.2.1.4.1.1.9.100.3.1 = STRING: "s1"
#include "line_source.hpp"
#include "node_names.hpp"
#include "walk_line.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/counters/lldp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace ebb::counters {
namespace {

enum class LldpObject : std::uint8_t { local_id, local_text, port_id, port_text, system };

struct KnownLldpObject {
  std::string_view name;
  std::string_view number;
  LldpObject object;
};

constexpr std::array kLldpObjects = {
    KnownLldpObject{"lldpLocPortId", "1.0.8802.1.1.2.1.3.7.1.3", LldpObject::local_id},
    KnownLldpObject{"lldpLocPortDesc", "1.0.8802.1.1.2.1.3.7.1.4", LldpObject::local_text},
    KnownLldpObject{"lldpRemPortId", "1.0.8802.1.1.2.1.4.1.1.7", LldpObject::port_id},
    KnownLldpObject{"lldpRemPortDesc", "1.0.8802.1.1.2.1.4.1.1.8", LldpObject::port_text},
    KnownLldpObject{"lldpRemSysName", "1.0.8802.1.1.2.1.4.1.1.9", LldpObject::system},
};

class LldpWalkReader {
 public:
  LldpWalkReader(LineSource& lines, const NodeNames& names, MappingFiles& files, Problems& problems)
      : lines_(lines), names_(names), files_(files), problems_(problems) {}

  void read() {
    while (!problems_.full() && lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty()) continue;
      if (line.front() == '#') {
        begin(line.substr(1));
      } else if (!has_begun_) {
        return problems_.add("a walk begins with a line such as '# 1703858100 s0'", lines_.where());
      } else {
        read_line(line);
      }
    }
    end();
  }

 private:
  struct Row {
    std::string port;  // number of the local one
    std::string system;
    std::vector<std::string> names;
    Location where;
  };

  void begin(std::string_view line) {
    end();
    has_begun_ = true;
    const auto fields = fields_of(line);
    if (fields.size() != 2 || !parse_time(fields[0])) {
      return problems_.add("a walk begins with its time and its device, as in '# 1703858100 s0'",
                           lines_.where());
    }
    device_ = names_.of_device(fields[1]);
    if (device_) {
      files_.devices.insert(*device_);
    } else {
      problems_.add(unknown_name("node", fields[1], names_.all()), lines_.where());
    }
  }

  // Names of local ports may stand after the rows.
  void end() {
    for (auto& [index, row] : rows_) {
      if (!device_ || row.names.empty()) continue;
      auto local = local_.find(row.port);
      std::vector<std::string> interface =
          local == local_.end() ? std::vector<std::string>{row.port} : local->second;
      files_.neighbours.push_back({*device_, std::move(interface), std::move(row.system),
                                   std::move(row.names), std::move(row.where)});
    }
    rows_.clear();
    local_.clear();
    device_.reset();
  }

  void read_line(std::string_view text) {
    const auto line = walk_line(text);
    if (!line) return;
    for (const KnownLldpObject& known : kLldpObjects) {
      if (const auto index = index_of(*line, known.name, known.number))
        return take(known.object, *index, line->value);
    }
  }

  // "STRING: \"eth0\"", "STRING: eth0", "Hex-STRING: 52 54 00 12 34 56 "
  static std::string value_of(std::string_view value) {
    std::string result(text_of(value));
    if (value.starts_with("Hex-STRING")) std::replace(result.begin(), result.end(), ' ', ':');
    return result;
  }

  void take(LldpObject object, const std::string& index, std::string_view value) {
    const std::string text = value_of(value);
    if (text.empty()) return;
    if (object == LldpObject::local_id || object == LldpObject::local_text) {
      local_[index].push_back(text);
      return;
    }
    const std::size_t first = index.find('.');
    const std::size_t last = index.rfind('.');
    if (first == std::string::npos || last <= first + 1) {
      return problems_.add("a row of the remote table has the index time.port.row", lines_.where());
    }
    Row& row = rows_[index];
    row.port = index.substr(first + 1, last - first - 1);
    row.where = lines_.where();
    if (object == LldpObject::system) {
      row.system = text;
    } else {
      row.names.push_back(text);
    }
  }

  LineSource& lines_;
  const NodeNames& names_;
  MappingFiles& files_;
  Problems& problems_;
  bool has_begun_ = false;
  std::optional<topology::NodeId> device_;
  std::map<std::string, std::vector<std::string>> local_;  // by number of the port
  std::map<std::string, Row> rows_;                        // by index
};

}  // namespace

void read_lldp_walks(LineSource& lines, const NodeNames& names, MappingFiles& files,
                     Problems& problems) {
  LldpWalkReader(lines, names, files, problems).read();
}

}  // namespace ebb::counters
