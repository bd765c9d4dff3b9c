// SPDX-License-Identifier: Apache-2.0
#include "shell_integration/option_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace ebb::shell {
namespace {

// "1 to 1024", of a check that is a range.
std::string range_text(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find(" in [");
  if (open == std::string::npos) return "";
  std::string range = type.substr(open + 5, type.find(']', open) - open - 5);
  if (const auto dash = range.find(" - "); dash != std::string::npos)
    range.replace(dash, 3, " to ");
  return range;
}

}  // namespace

std::vector<std::string> valid_words(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // "TEXT", "TEXT:{x,y}", "INT:INT in [1 - 9]"
  const auto open = type.find('{');
  std::vector<std::string> words;
  if (open == std::string::npos) return words;
  std::istringstream listed(type.substr(open + 1, type.find('}', open) - open - 1));
  for (std::string word; std::getline(listed, word, ',');) words.push_back(word);
  return words;
}

std::string type_text(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string plain = type.substr(0, type.find(':'));
  return plain == "INT" || plain == "UINT" ? "N" : plain;
}

std::string value_text(const CLI::Option& option) {
  const auto words = valid_words(option);
  return words.empty() ? type_text(option) : fmt::format("{}", fmt::join(words, "|"));
}

std::string description_text(const CLI::Option& option) {
  const std::string range = range_text(option);
  return option.get_description() + (range.empty() ? "" : " (" + range + ")");
}

bool takes_value(const CLI::Option& option) { return option.get_type_size() != 0; }

bool takes_many_values(const CLI::Option& option) {
  return option.get_expected_max() == CLI::detail::expected_max_vector_size;
}

std::vector<std::string> dashed_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string command_of(const CLI::App& verb) {
  return verb.get_parent() == nullptr ? verb.get_name()
                                      : command_of(*verb.get_parent()) + " " + verb.get_name();
}

}  // namespace ebb::shell
