// SPDX-License-Identifier: Apache-2.0
#include "simulate.hpp"

#include "bindings.hpp"
#include "errors.hpp"
#include "live_half.hpp"
#include "policy.hpp"

#include "ebb/config/sim_file.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/results/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <pybind11/stl.h>
#include <stdexcept>
#include <utility>

namespace ebb::python {
namespace {

namespace py = pybind11;

// Ctrl-C: Python notes a signal and runs its handlers when it is asked. The simulator calls this
// between steps on the thread of the caller, so an exception may leave the run there.
class Interrupts {
 public:
  void operator()(const netsim::Progress& /*progress*/) {
    constexpr std::chrono::milliseconds kBetweenLooks(50);
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < kBetweenLooks) return;
    looked_ = now;
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

Result<config::SimFile> read(const SimulateRequest& request, const power::Library& parts) {
  const Document& document = request.document;
  if (document.is_file()) return config::read_sim(document.path, parts, request.overrides);
  return config::read_sim_text(document.text, kDictionary, parts, request.overrides);
}

netsim::Report run(const SimulateRequest& request, const config::Simulation& simulation,
                   policy::Policy& policy) {
  netsim::Experiment experiment = simulation.experiment(policy);
  experiment.threads = request.threads;
  return config::run(simulation, experiment, Interrupts());
}

netsim::Report run_recorded(const SimulateRequest& request, const config::Simulation& simulation) {
  std::ofstream file(*request.transcript, std::ios::binary);
  const std::string cannot_write = *request.transcript + ": cannot be written";
  if (!file) raise_os_error(cannot_write);
  const policy::Made& made = simulation.policy;
  policy::Recorder recorder({made.name, made.parameters, made.policy->sample_period()},
                            *made.policy, [&](std::string_view text) { file << text; });
  netsim::Report report = run(request, simulation, recorder);
  if (!file.flush()) raise_os_error(cannot_write);
  return report;
}

// What is said of something that the caller made has its place in no document.
template <class T>
Result<T> without_places(Result<T> made, const SimulateRequest& request) {
  if (made) return made;
  for (Error& error : made.error()) {
    const std::string path = error.where.path;
    const auto& keys = request.made_keys;
    const bool is_made =
        std::find(keys.begin(), keys.end(), path.substr(0, path.find('.'))) != keys.end();
    if (is_made && error.where.file == "--set") error.where = {.path = path};
  }
  return made;
}

// `policy` is an object of Python that takes the place of the policy that the document names, or
// None.
std::unique_ptr<Run> simulate(const SimulateRequest& request, const py::object& policy) {
  std::optional<policy::Made> made = python_policy(policy);
  const py::gil_scoped_release no_gil;
  Parts parts = value_or_raise(load_parts(request.data_folder, request.part_files));
  const config::SimFile file = value_or_raise(without_places(read(request, *parts), request));
  config::Simulation simulation = value_or_raise(without_places(
      config::prepare(file, *parts, fabric_control(*parts), std::move(made)), request));
  netsim::Report report = request.transcript ? run_recorded(request, simulation)
                                             : run(request, simulation, *simulation.policy.policy);
  if (const Errors errors = report.ledger.check(); !errors.empty()) {
    throw std::logic_error("the energy account does not balance; this is a bug in ebb\n" +
                           to_string(errors));
  }
  return std::make_unique<Run>(Run{std::move(parts), std::move(simulation), std::move(report)});
}

}  // namespace

void bind_simulate(py::module_& module) {
  py::class_<SimulateRequest>(module, "SimulateRequest")
      .def(py::init([](Document document, std::vector<std::string> overrides,
                       std::vector<std::string> made_keys, std::string data_folder,
                       std::vector<std::string> part_files, std::uint32_t threads,
                       std::optional<std::string> transcript) {
             return SimulateRequest{std::move(document),   std::move(overrides),
                                    std::move(made_keys),  std::move(data_folder),
                                    std::move(part_files), threads,
                                    std::move(transcript)};
           }),
           py::kw_only(), py::arg("document"), py::arg("overrides"), py::arg("made_keys"),
           py::arg("data_folder"), py::arg("part_files"), py::arg("threads"),
           py::arg("transcript"));
  py::class_<Run> run(module, "Run");
  bind_run_tables(run);
  module.def("simulate", &simulate, py::arg("request"), py::arg("policy"));
}

}  // namespace ebb::python
