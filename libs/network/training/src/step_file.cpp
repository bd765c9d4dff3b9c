// SPDX-License-Identifier: Apache-2.0
//
// Training files: the parameters of a step as keys, and a model.
#include "shared_keys.hpp"

#include "ebb/training/step.hpp"

#include <utility>

namespace ebb::training {
namespace {

constexpr std::string_view kFirstLine = "ebb: training";

}  // namespace

bool is_step(std::string_view text) { return begins_with_line(text, kFirstLine); }

Result<Step> read_step(std::string_view text, const std::string& name) {
  files::Diagnostics errors(name);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  files::Section section(*root, errors);
  (void)section.require_one_of("ebb", {"training"});
  section.require_schema_version(1);
  auto model = read_model_key(section, errors);
  const files::KeyValues given = parameter_keys(section);
  auto resolved = Parameters::resolve(step_parameters(), files::parameter_texts(given, errors));
  if (!resolved) {
    files::report_parameters(std::move(resolved.error()), given, *root, errors);
  } else if (model && errors.empty()) {
    auto step = make_step(*std::move(model), *resolved);
    if (step) return step;
    files::report_parameters(std::move(step.error()), given, *root, errors);
  }
  return fail(errors.take());
}

}  // namespace ebb::training
