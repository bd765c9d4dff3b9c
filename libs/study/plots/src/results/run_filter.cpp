// SPDX-License-Identifier: Apache-2.0
#include "results/run_filter.hpp"

#include "ebb/core/names.hpp"
#include "ebb/results/statistics.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace ebb::plots {
namespace {

using Values = std::map<std::string, std::string>;  // of a configuration, by path

template <class T>
bool same_as(const std::string& a, const std::string& b) {
  const auto x = parse<T>(a);
  const auto y = parse<T>(b);
  return x && y && *x == *y;
}

// "target" and "policy.target" name policy.target, and "policy" names policy.name.
bool names_path(const std::string& key, const std::string& path) {
  for (const std::string& wanted : {key, key + ".name"}) {
    if (path == wanted || path.ends_with("." + wanted)) return true;
  }
  return false;
}

// Keys may be given as their last word, and a section with a name as its name.
std::string nearest_hint(const std::string& key, const std::vector<std::string>& paths) {
  std::vector<std::string> names = paths;
  for (std::string path : paths) {
    if (path.ends_with(".name")) path.erase(path.rfind('.'));
    names.push_back(path.substr(path.rfind('.') + 1));
  }
  const auto near = closest_name(key, names);
  return near ? fmt::format("did you mean '{}'?", *near)
              : std::string("keys are those of the simulation file, as policy.target");
}

// The one path that the key means: itself, or the only one that ends with it.
Result<std::string> path_of(const std::string& key, const std::set<std::string>& paths) {
  if (paths.contains(key)) return key;
  if (paths.contains(key + ".name")) return key + ".name";
  std::vector<std::string> meant;
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    all.push_back(path);
    if (names_path(key, path)) meant.push_back(path);
  }
  if (meant.size() == 1) return meant.front();
  if (meant.size() > 1)
    return fail(fmt::format("--where: '{}' may be {}", key, fmt::join(meant, " or ")));
  return fail(fmt::format("--where: unknown key '{}'; {}", key, nearest_hint(key, all)));
}

bool passes(const Values& values, const std::string& path, const std::string& wanted) {
  const auto found = values.find(path);
  return found != values.end() && same_value(found->second, wanted);
}

// Numbers by their size.
bool is_less(const std::string& a, const std::string& b) {
  const auto x = parse<Ratio>(a);
  const auto y = parse<Ratio>(b);
  return x && y ? *x < *y : results::natural_less(a, b);
}

std::string no_such_value(const RunFilter& filter, const std::string& path,
                          const std::vector<Values>& all) {
  std::vector<std::string> known;
  for (const Values& values : all) {
    const auto found = values.find(path);
    if (found == values.end()) continue;
    if (std::find(known.begin(), known.end(), found->second) == known.end())
      known.push_back(found->second);
  }
  std::sort(known.begin(), known.end(), is_less);
  return fmt::format("--where: no run has {}={}; there are {}", path, filter.value,
                     fmt::join(known, ", "));
}

}  // namespace

bool same_value(const std::string& a, const std::string& b) {
  return a == b || same_as<Ratio>(a, b) || same_as<Duration>(a, b) || same_as<DataSize>(a, b) ||
         same_as<DataRate>(a, b);
}

Result<RunFilter> run_filter(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return fail(fmt::format("--where: '{}' is not KEY=VALUE, as policy=epoch", text));
  return RunFilter{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Result<std::vector<results::Run>> passing(const std::vector<results::Run>& runs,
                                          const std::vector<RunFilter>& filters) {
  if (filters.empty()) return runs;
  std::vector<Values> all;
  std::set<std::string> paths;
  for (const results::Run& run : runs) {
    all.push_back(results::configuration_values(run));
    for (const auto& [path, value] : all.back()) paths.insert(path);
  }
  std::vector<bool> chosen(runs.size(), true);
  Errors errors;
  for (const RunFilter& filter : filters) {
    const auto path = path_of(filter.key, paths);
    if (!path) errors.push_back(path.error().front());
    if (!path) continue;
    bool some = false;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const bool passed = passes(all[i], *path, filter.value);
      some = some || passed;
      chosen[i] = chosen[i] && passed;
    }
    if (!some) errors.push_back({no_such_value(filter, *path, all), {}});
  }
  if (!errors.empty()) return fail(std::move(errors));
  std::vector<results::Run> passed;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (chosen[i]) passed.push_back(runs[i]);
  }
  return passed;
}

}  // namespace ebb::plots
