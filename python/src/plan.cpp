// SPDX-License-Identifier: Apache-2.0
//
// Plans from Python: the designs that `ebb plan` proposes, or those that a plan file names.
#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "input.hpp"

#include "ebb/config/plan_file.hpp"
#include "ebb/plan/design.hpp"
#include "ebb/plan/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <pybind11/stl.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::python {
namespace {

using plan::RankBy;

constexpr std::array<std::pair<std::string_view, RankBy>, 6> kRanks = {
    {{"watts", RankBy::watts},
     {"cost", RankBy::cost},
     {"switches", RankBy::switches},
     {"optical", RankBy::optical},
     {"worst-case", RankBy::worst_case},
     {"worst-case-minimal", RankBy::worst_case_minimal}}};

RankBy rank_named(const std::string& name) {
  std::string known;
  for (const auto& [word, by] : kRanks) {
    if (word == name) return by;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  throw py::value_error(fmt::format("no rank '{}'; there are {}", name, known));
}

Result<config::PlanFile> read(const Document& document, const power::Library& parts) {
  if (document.is_file()) return config::read_plan(document.path, parts);
  return config::read_plan_text(document.text, kDictionary, parts);
}

// Those that the file names.
Result<std::vector<plan::Design>> named_designs(const config::PlanFile& file,
                                                const power::Library& parts) {
  if (file.designs.empty())
    return fail("the plan names no designs to compare", {.path = "designs"});
  std::vector<plan::Design> designs;
  Errors errors;
  for (const plan::Candidate& candidate : file.designs) {
    auto design = plan::evaluate(candidate, file.inputs, parts);
    if (design) designs.push_back(std::move(*design));
    if (!design) errors.insert(errors.end(), design.error().begin(), design.error().end());
  }
  if (!errors.empty()) return fail(std::move(errors));
  return designs;
}

// The document that `ebb plan --json` prints.
std::string make_plan(const Document& document, const std::string& data_folder,
                      const std::vector<std::string>& part_files, const std::string& rank,
                      std::size_t top, bool compare) {
  const RankBy by = rank_named(rank);
  const py::gil_scoped_release no_gil;
  const Parts parts = value_or_raise(load_parts(data_folder, part_files));
  const config::PlanFile file = value_or_raise(read(document, *parts));
  auto designs =
      value_or_raise(compare ? named_designs(file, *parts) : plan::propose(file.inputs, *parts));
  plan::rank(designs, by);
  if (designs.size() > top) designs.resize(top);
  return plan::designs_json(designs, file.inputs, {}, {});
}

}  // namespace

void bind_plan(py::module_& module) {
  module.def("plan", &make_plan, py::kw_only(), py::arg("document"), py::arg("data_folder"),
             py::arg("part_files"), py::arg("rank"), py::arg("top"), py::arg("compare"));
}

}  // namespace ebb::python
