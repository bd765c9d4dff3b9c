// SPDX-License-Identifier: Apache-2.0
#include "ebb/trace/trace.hpp"

#include "formats.hpp"

#include "ebb/core/names.hpp"

#include <algorithm>
#include <utility>

namespace ebb::trace {
namespace {

Result<const Format*> format_of(const Input& input, const std::string& name) {
  if (!name.empty()) return find_format(name);
  const auto found =
      std::ranges::find_if(formats(), [&](const Format& one) { return one.recognizes(input); });
  if (found == formats().end()) {
    return fail("is no trace of a format that ebb reads (ebb trace formats lists them)",
                {input.path});
  }
  return &*found;
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> all = {
      goal_format(),  chakra_format(),   otf2_format(),      capture_format(),
      dumpi_format(), simgrid_format(),  htsim_format(),     simai_format(),
      hpcc_format(),  training_format(), inference_format(), flow_csv_format(),
  };
  return all;
}

Result<const Format*> find_format(std::string_view name) {
  return find_named("format", formats(), name, &Format::name);
}

Result<Trace> read_trace(const std::string& path, const Reading& reading) {
  auto file = MappedFile::open(path);
  if (!file) return fail(file.error());
  const Input input{path, *std::move(file), reading.addresses};
  const auto format = format_of(input, reading.format);
  if (!format) return fail(format.error());
  const auto parameters = Parameters::resolve((*format)->parameters, reading.parameters);
  if (!parameters) return fail(parameters.error());
  auto trace = (*format)->read(input, *parameters);
  if (trace) trace->format = (*format)->name;
  return trace;
}

}  // namespace ebb::trace
