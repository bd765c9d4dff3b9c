// SPDX-License-Identifier: Apache-2.0
//
// What there is to choose from: the lists of `ebb list`, and the parts.
#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "input.hpp"

#include "ebb/policy/policy.hpp"
#include "ebb/power/part.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/size_distribution.hpp"
#include "ebb/traffic/workload_kind.hpp"
#include "ebb/units/parameters.hpp"

#include <pybind11/stl.h>
#include <span>
#include <string>
#include <vector>

namespace ebb::python {
namespace {

py::dict parameter_of(const Parameter& parameter) {
  py::dict one;
  one["name"] = parameter.name;
  one["help"] = parameter.help;
  one["default"] = parameter.fallback;
  one["allowed"] = allowed_text(parameter);
  return one;
}

py::dict entry_of(const std::string& name, const std::string& summary,
                  const std::vector<Parameter>& declared = {}) {
  py::list parameters;
  for (const Parameter& parameter : declared) parameters.append(parameter_of(parameter));
  py::dict one;
  one["name"] = name;
  one["summary"] = summary;
  one["parameters"] = parameters;
  return one;
}

// Everything that is listed has a name and a summary; most have a table of parameters.
template <class Entry>
py::list entries_of(std::span<const Entry> entries) {
  py::list all;
  for (const Entry& entry : entries) {
    if constexpr (requires { entry.parameters; }) {
      all.append(entry_of(entry.name, entry.summary, entry.parameters));
    } else {
      all.append(entry_of(entry.name, entry.summary));
    }
  }
  return all;
}

py::list sizes() {
  py::list all;
  for (const traffic::SizeDistribution& one : traffic::size_distributions())
    all.append(entry_of(std::string(one.name()), std::string(one.source())));
  return all;
}

py::list parts(const std::string& data_folder, const std::vector<std::string>& files) {
  const Parts library = [&] {
    const py::gil_scoped_release no_gil;
    return value_or_raise(load_parts(data_folder, files));
  }();
  py::list all;
  for (const power::Part& part : library->parts()) {
    py::dict one = entry_of(part.name, part.summary);
    one["kind"] = std::string(power::kind_of(part));
    all.append(one);
  }
  return all;
}

}  // namespace

void bind_lists(py::module_& module) {
  module.def("families", [] { return entries_of(topology::families()); });
  module.def("routings", [] { return entries_of(routing::schemes()); });
  module.def("patterns", [] { return entries_of(traffic::pattern_kinds()); });
  module.def("injections", [] { return entries_of(traffic::injection_kinds()); });
  module.def("workloads", [] { return entries_of(traffic::workload_kinds()); });
  module.def("policies", [] { return entries_of(policy::policies()); });
  module.def("sizes", &sizes);
  module.def("parts", &parts, py::arg("data_folder"), py::arg("files"));
}

}  // namespace ebb::python
