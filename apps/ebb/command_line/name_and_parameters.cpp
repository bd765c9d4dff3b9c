// SPDX-License-Identifier: Apache-2.0
#include "command_line/name_and_parameters.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::cli {

bool names_a_file(const std::vector<std::string>& what) {
  return what.size() == 1 &&
         (what[0].find('.') != std::string::npos || what[0].find('/') != std::string::npos);
}

Result<ParameterTexts> parameters_after_name(const std::vector<std::string>& what) {
  ParameterTexts parameters;
  Errors errors;
  for (std::size_t i = 1; i < what.size(); ++i) {
    const auto equals = what[i].find('=');
    if (equals == std::string::npos)
      errors.push_back({fmt::format("'{}' is not key=value", what[i]), {}});
    if (equals != std::string::npos)
      parameters.emplace_back(what[i].substr(0, equals), what[i].substr(equals + 1));
  }
  if (!errors.empty()) return fail(std::move(errors));
  return parameters;
}

}  // namespace ebb::cli
