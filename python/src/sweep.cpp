// SPDX-License-Identifier: Apache-2.0
//
// Sweeps from Python, and the runs of a results file as columns.
#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "input.hpp"

#include "ebb/config/sweep_file.hpp"
#include "ebb/results/run.hpp"
#include "ebb/results/statistics.hpp"
#include "ebb/results/store.hpp"
#include "ebb/sweep/claims.hpp"
#include "ebb/sweep/plan.hpp"
#include "ebb/sweep/session.hpp"
#include "ebb/sweep/workers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <pybind11/stl.h>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace ebb::python {
namespace {

using results::Run;

struct SweepRequest {
  Document document;
  std::optional<std::string> base_text;  // of the simulation, when the sweep is a dict with a dict
  std::string data_folder;
  std::vector<std::string> part_files;
  std::string results;   // path
  std::size_t jobs = 0;  // 0: as many as there are cores
  bool again = false;
  py::object progress;  // called with the counts, or None
};

// Tells Python how far the sweep is. What Python raises there, and Ctrl-C, stop it: the runs under
// way are waited for and kept.
class Watcher {
 public:
  explicit Watcher(const py::object& progress) : progress_(progress) {}

  [[nodiscard]] bool tick(const sweep::Progress& progress) {
    if (raised_) return false;
    const py::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none())
        progress_(progress.kept(), progress.runs, progress.running, progress.failed);
    } catch (const py::error_already_set&) {
      raised_ = std::current_exception();
    }
    return !raised_;
  }
  void raise_again() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  const py::object& progress_;
  std::exception_ptr raised_;
};

Result<config::SweepSpec> read(const SweepRequest& request) {
  const Document& document = request.document;
  auto spec = document.is_file() ? config::read_sweep(document.path)
                                 : config::read_sweep_text(document.text, kDictionary);
  if (spec) spec->base_text = request.base_text;
  return spec;
}

results::Store open_or_raise(Result<results::Store> store) {
  if (!store) raise_os_error(to_string(store.error()));
  return std::move(*store);
}

// The keys of the runs of the sweep, which the results file has when it returns.
std::vector<std::string> run_sweep(const SweepRequest& request) {
  const py::gil_scoped_release no_gil;
  const Parts parts = value_or_raise(load_parts(request.data_folder, request.part_files));
  const auto spec = value_or_raise(read(request));
  const sweep::Plan plan = value_or_raise(sweep::plan(spec, *parts));
  results::Store store = open_or_raise(results::Store::open_to_write(request.results));
  const sweep::Claims claims(request.results);
  const std::size_t jobs =
      request.jobs > 0 ? request.jobs : std::max(1U, std::thread::hardware_concurrency());
  Watcher watcher(request.progress);
  {
    const auto workers = sweep::thread_workers(
        jobs, [&](std::size_t which) { return sweep::perform(plan, which, *parts); });
    const Errors errors = sweep::perform_missing(
        {plan, store, claims, request.again}, *workers,
        {.tick = [&](const sweep::Progress& progress) { return watcher.tick(progress); },
         .on_sharing = {}});
    if (!errors.empty()) raise_os_error(to_string(errors));
  }
  watcher.raise_again();
  std::vector<std::string> keys;
  for (const sweep::PlannedRun& one : plan.runs) keys.push_back(one.run.key);
  return keys;
}

// Names of metrics that some run has, in the order in which they are met.
std::vector<std::string> metric_names(const std::vector<Run>& runs) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const Run& run : runs) {
    for (const results::Metric& metric : run.metrics) {
      if (known.insert(metric.name).second) names.push_back(metric.name);
    }
  }
  return names;
}

py::dict run_columns(const std::vector<Run>& runs) {
  py::dict parameters;
  for (const std::string& key : results::parameter_keys(runs)) {
    py::list values;
    for (const Run& run : runs) values.append(py::cast(run.parameter(key)));
    parameters[py::str(key)] = values;
  }
  py::dict metrics;
  for (const std::string& name : metric_names(runs)) {
    metrics[py::str(name)] = column<double>(runs, [&](const Run& run) {
      return run.metric(name).value_or(std::numeric_limits<double>::quiet_NaN());
    });
  }
  py::dict table;
  table["key"] = texts(runs, [](const Run& run) { return run.key; });
  table["label"] = texts(runs, [](const Run& run) { return run.label; });
  table["seed"] = column<std::int64_t>(
      runs, [](const Run& run) { return static_cast<std::int64_t>(run.seed); });
  table["status"] = texts(runs, [](const Run& run) { return std::string(to_text(run.status)); });
  table["error"] = texts(runs, [](const Run& run) { return run.error; });
  table["parameters"] = parameters;
  table["metrics"] = metrics;
  return table;
}

// With `keys` those runs only.
py::dict read_runs(const std::string& path, const std::optional<std::vector<std::string>>& keys) {
  auto runs = [&] {
    const py::gil_scoped_release no_gil;
    const results::Store store = open_or_raise(results::Store::open_to_read(path));
    auto all = store.runs();
    if (!all) raise_os_error(to_string(all.error()));
    return std::move(*all);
  }();
  if (keys) {
    const std::set<std::string> wanted(keys->begin(), keys->end());
    std::erase_if(runs, [&](const Run& run) { return wanted.count(run.key) == 0; });
  }
  return run_columns(runs);
}

}  // namespace

void bind_sweep(py::module_& module) {
  module.def(
      "sweep",
      [](Document document, std::optional<std::string> base_text, std::string data_folder,
         std::vector<std::string> part_files, std::string results, std::size_t jobs, bool again,
         py::object progress) {
        return run_sweep({std::move(document), std::move(base_text), std::move(data_folder),
                          std::move(part_files), std::move(results), jobs, again,
                          std::move(progress)});
      },
      py::kw_only(), py::arg("document"), py::arg("base_text"), py::arg("data_folder"),
      py::arg("part_files"), py::arg("results"), py::arg("jobs"), py::arg("retry"),
      py::arg("progress"));
  module.def("read_runs", &read_runs, py::arg("path"), py::arg("keys"));
}

}  // namespace ebb::python
