// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/sweep_file.hpp"

#include "ebb/files/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

namespace ebb::config {
namespace {

constexpr std::size_t kLargestSweepFile = 1 << 20;

bool is_key(std::string_view key) {
  return !key.empty() && key.front() != '.' && key.back() != '.' &&
         key.find("..") == std::string_view::npos && key.find('=') == std::string_view::npos;
}

class SweepReader {
 public:
  SweepReader(files::Section& sweep, const std::string& file) : sweep_(sweep), file_(file) {}

  SweepSpec read() {
    sweep_.require_schema_version(1);
    read_name();
    read_base();
    if (const auto value = sweep_.find("set")) spec_.set = settings(*value);
    read_runs();
    read_vary();
    read_seeds();
    sweep_.finish();
    check_keys();
    check_size();
    return std::move(spec_);
  }

 private:
  files::Diagnostics& errors() { return sweep_.errors(); }

  void read_name() {
    spec_.name = std::filesystem::path(file_).stem().string();
    const auto value = sweep_.find("name");
    const auto name = value ? value->text(errors()) : std::nullopt;
    if (!name) return;
    if (name->empty()) value->report(errors(), "a name must not be empty");
    spec_.name = *name;
  }

  void read_base() {
    const auto value = sweep_.require("base");
    const auto base = value ? value->text(errors()) : std::nullopt;
    if (!base) return;
    if (base->empty()) value->report(errors(), "expected the path of a simulation file");
    spec_.base_place = {file_, value->line(), value->column(), value->path()};
    spec_.base = (std::filesystem::path(file_).parent_path() / *base).string();
  }

  // Reports a key that cannot be one.
  bool sound(const std::string& key, const files::Value& value) {
    if (key == "seed") {
      value.report(errors(), "seeds are given with 'seeds'");
      return false;
    }
    if (!is_key(key)) {
      value.report(errors(), fmt::format("'{}' is not a key of a simulation file, as "
                                         "traffic.injection.load",
                                         files::shown(key)));
      return false;
    }
    return true;
  }

  Setting setting(const std::string& key, const files::Value& value) {
    std::string text = value.flow_text();
    if (text.size() > files::Value::kLongestFlow)
      value.report(errors(), "a value that is too large or too deep");
    return {key, std::move(text), {file_, value.line(), value.column(), value.path()}};
  }

  Settings settings(const files::Value& map) {
    Settings result;
    for (const auto& [key, value] : files::Section(map, errors()).entries()) {
      if (sound(key, value)) result.push_back(setting(key, value));
    }
    return result;
  }

  void read_runs() {
    const auto value = sweep_.find("runs");
    const auto list = value ? value->list(errors()) : std::nullopt;
    if (list && list->empty()) value->report(errors(), "expected at least one run");
    if (list) {
      for (const files::Value& entry : *list) spec_.runs.push_back(settings(entry));
    }
    if (spec_.runs.empty()) spec_.runs.emplace_back();
  }

  void read_vary() {
    const auto map = sweep_.find("vary");
    if (!map) return;
    for (const auto& [key, value] : files::Section(*map, errors()).entries()) {
      const auto list = value.list(errors());
      if (list && list->empty()) value.report(errors(), "expected at least one value");
      if (!list || !sound(key, value)) continue;
      Settings axis;
      for (const files::Value& entry : *list) axis.push_back(setting(key, entry));
      if (!axis.empty()) spec_.vary.push_back(std::move(axis));
    }
  }

  void read_seeds() {
    const auto value = sweep_.find("seeds");
    if (!value) return;
    if (!value->is_list()) {
      const auto count = value->integer(1, kMostRuns, errors());
      for (std::int64_t seed = 1; count && seed <= *count; ++seed)
        spec_.seeds.push_back(static_cast<std::uint64_t>(seed));
      return;
    }
    const auto list = value->list(errors());
    if (list->empty()) value->report(errors(), "expected at least one seed");
    for (const files::Value& entry : *list) {
      const auto seed = entry.integer(0, std::numeric_limits<std::int64_t>::max(), errors());
      if (!seed) continue;
      const auto number = static_cast<std::uint64_t>(*seed);
      if (std::find(spec_.seeds.begin(), spec_.seeds.end(), number) != spec_.seeds.end())
        entry.report(errors(), fmt::format("seed {} is given twice", *seed));
      spec_.seeds.push_back(number);
    }
  }

  // A key of the grid that a run sets too would be lost in one of them.
  void check_keys() {
    for (const Settings& axis : spec_.vary) {
      for (const Settings& run : spec_.runs) {
        for (const Setting& one : run) {
          if (one.key != axis.front().key) continue;
          errors().add(fmt::format("'{}' is also in 'vary'", files::shown(one.key)), one.where.line,
                       one.where.column, one.where.path);
        }
      }
    }
  }

  void check_size() {
    std::size_t runs = spec_.runs.size() * std::max<std::size_t>(1, spec_.seeds.size());
    for (const Settings& axis : spec_.vary) {
      runs = std::min(runs, kMostRuns + 1) * axis.size();  // both small enough not to overflow
    }
    if (runs > kMostRuns) {
      sweep_.value().report(errors(), fmt::format("more than {} runs", kMostRuns));
    }
  }

  files::Section& sweep_;
  const std::string& file_;
  SweepSpec spec_;
};

}  // namespace

Result<SweepSpec> read_sweep_text(std::string_view text, const std::string& file) {
  files::Diagnostics errors(file);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  files::Section section(*root, errors);
  SweepSpec spec = SweepReader(section, file).read();
  if (!errors.empty()) return fail(errors.take());
  return spec;
}

Result<SweepSpec> read_sweep(const std::string& path) {
  const auto text = files::read_file(path, kLargestSweepFile);
  if (!text) return fail(text.error());
  return read_sweep_text(*text, path);
}

std::vector<Settings> combinations(const SweepSpec& spec) {
  std::vector<Settings> all = spec.runs;
  for (const Settings& axis : spec.vary) {
    std::vector<Settings> longer;
    for (const Settings& one : all) {
      for (const Setting& value : axis) {
        longer.push_back(one);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace ebb::config
