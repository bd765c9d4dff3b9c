// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/names.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/files/document.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

namespace ebb::fabric_config {
namespace {

constexpr std::size_t kLargestFile = 64 << 20;
constexpr std::string_view kHeader = "from,to,amount";

class MatrixReader {
 public:
  MatrixReader(const std::string& file, const topology::Graph& graph) : file_(file) {
    for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
      names_.push_back(graph.name(graph.host_node(host)));
      hosts_[names_.back()] = host;
    }
  }

  Result<std::vector<controller::PairAmount>> read(std::string_view text) {
    bool header = false;
    for (int number = 1; !text.empty(); ++number) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (line.empty() || line.front() == '#') continue;
      if (header) {
        read_pair(line, number);
      } else if (line != kHeader) {
        report(number, 1, fmt::format("the first line must be '{}'", kHeader));
        break;
      }
      header = true;
    }
    if (!header && errors_.empty()) report(1, 1, fmt::format("no line '{}'", kHeader));
    if (!errors_.empty()) return fail(errors_);
    return std::move(pairs_);
  }

 private:
  void report(int line, std::size_t column, std::string message) {
    errors_.push_back({std::move(message), {file_, line, static_cast<int>(column), {}}});
  }

  void read_pair(std::string_view line, int number) {
    const std::size_t first = line.find(',');
    const std::size_t second = first == line.npos ? line.npos : line.find(',', first + 1);
    if (second == line.npos || line.find(',', second + 1) != line.npos)
      return report(number, 1, "a line has three fields: from, to, amount");
    const auto from = host(line.substr(0, first), number, 1);
    const auto to = host(line.substr(first + 1, second - first - 1), number, first + 2);
    const auto amount = parse<DataSize>(line.substr(second + 1));
    if (!amount) return report(number, second + 2, amount.error()[0].message);
    if (*amount < DataSize{}) return report(number, second + 2, "less than nothing");
    if (!from || !to) return;
    if (*from == *to) return report(number, first + 2, "a host sends nothing to itself");
    pairs_.push_back({*from, *to, *amount});
  }

  std::optional<std::uint32_t> host(std::string_view name, int line, std::size_t column) {
    const auto found = hosts_.find(name);
    if (found != hosts_.end()) return found->second;
    report(line, column,
           fmt::format("there is no host '{}'{}", files::shown(std::string(name)), hint(name)));
    return std::nullopt;
  }

  [[nodiscard]] std::string hint(std::string_view name) const {
    const auto near = closest_name(name, names_);
    return near ? fmt::format("; did you mean '{}'?", *near) : "";
  }

  std::string file_;
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> hosts_;
  std::vector<controller::PairAmount> pairs_;
  Errors errors_;
};

}  // namespace

Result<std::vector<controller::PairAmount>> read_traffic_matrix_text(std::string_view text,
                                                                     const std::string& file,
                                                                     const topology::Graph& graph) {
  return MatrixReader(file, graph).read(text);
}

Result<std::vector<controller::PairAmount>> read_traffic_matrix(const std::string& path,
                                                                const topology::Graph& graph) {
  const auto text = files::read_file(path, kLargestFile);
  if (!text) return fail(text.error());
  return read_traffic_matrix_text(*text, path, graph);
}

}  // namespace ebb::fabric_config
