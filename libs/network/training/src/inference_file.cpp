// SPDX-License-Identifier: Apache-2.0
//
// Inference files: the parameters of an inference as keys, a model, and requests.
#include "shared_keys.hpp"

#include "ebb/training/inference.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::training {
namespace {

constexpr std::string_view kInferenceLine = "ebb: inference";
constexpr std::size_t kLargestRequestsFile = std::size_t{1} << 28U;
constexpr std::int64_t kMostReplicas = 1'000'000;

// `requests` as a text or a file, or drawn by their parameters.
std::optional<std::vector<Request>> read_requests_key(files::Section& section,
                                                      files::Diagnostics& errors) {
  const auto value = section.require("requests");
  if (!value) return std::nullopt;
  if (!value->is_map()) {
    const auto found = files::text_or_file(*value, kLargestRequestsFile, kRequestsHeader, errors);
    if (!found) return std::nullopt;
    auto requests = read_requests(found->text, found->file.empty() ? "requests" : found->file);
    if (requests) return *std::move(requests);
    for (const Error& error : requests.error()) {
      value->report(errors, fmt::format("{}, line {}: {}", error.where.file, error.where.line,
                                        error.message));
    }
    return std::nullopt;
  }
  files::Section drawn(*value, errors);
  const files::KeyValues given = drawn.entries();
  const auto resolved =
      Parameters::resolve(drawn_request_parameters(), files::parameter_texts(given, errors));
  auto requests =
      resolved ? draw_requests(*resolved) : Result<std::vector<Request>>(fail(resolved.error()));
  if (requests) return *std::move(requests);
  files::report_parameters(std::move(requests.error()), given, *value, errors);
  return std::nullopt;
}

std::optional<Disaggregated> read_disaggregated(files::Section& section,
                                                files::Diagnostics& errors) {
  const auto value = section.find("disaggregated");
  if (!value) return std::nullopt;
  files::Section roles(*value, errors);
  Disaggregated read;
  read.prefill =
      static_cast<std::uint32_t>(roles.require_integer("prefill", 1, kMostReplicas).value_or(1));
  read.decode =
      static_cast<std::uint32_t>(roles.require_integer("decode", 1, kMostReplicas).value_or(1));
  roles.finish();
  if (const auto replicas = section.find("replicas"))
    replicas->report(errors, "has no effect beside 'disaggregated', which says how many there are");
  return read;
}

// Errors of what does not fit together, at their keys. `disaggregated` is no parameter but a map.
void report_unfit(Errors found, const files::KeyValues& given, files::Section& section,
                  files::Diagnostics& errors) {
  const auto roles = section.find("disaggregated");
  std::erase_if(found, [&](const Error& error) {
    if (!roles || error.where.path != "disaggregated") return false;
    roles->report(errors, error.message);
    return true;
  });
  files::report_parameters(std::move(found), given, section.value(), errors);
}

}  // namespace

bool is_inference(std::string_view text) { return begins_with_line(text, kInferenceLine); }

Result<Inference> read_inference(std::string_view text, const std::string& name) {
  files::Diagnostics errors(name);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  files::Section section(*root, errors);
  (void)section.require_one_of("ebb", {"inference"});
  section.require_schema_version(1);
  auto model = read_model_key(section, errors);
  auto requests = read_requests_key(section, errors);
  const auto roles = read_disaggregated(section, errors);
  constexpr std::string_view kOwnKeys[] = {"requests", "disaggregated"};
  const files::KeyValues given = parameter_keys(section, kOwnKeys);
  auto resolved =
      Parameters::resolve(inference_parameters(), files::parameter_texts(given, errors));
  if (!resolved) {
    files::report_parameters(std::move(resolved.error()), given, *root, errors);
  } else if (model && requests && errors.empty()) {
    auto inference = make_inference(*std::move(model), *std::move(requests), roles, *resolved);
    if (inference) return inference;
    report_unfit(std::move(inference.error()), given, section, errors);
  }
  return fail(errors.take());
}

}  // namespace ebb::training
