// SPDX-License-Identifier: Apache-2.0
//
// What `ebb` says about itself: the verbs by task, the help of each, and the answer to a mistyped
// verb, option or word.
#pragma once

#include "shell_integration/manual.hpp"

#include "ebb/core/names.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ebb::cli {

// Sorts the verbs of the parser by task, and writes the help of options in the words of a user.
void set_help(CLI::App& app);

// What `ebb` alone prints: every verb by task, with one example that can be typed.
[[nodiscard]] std::string overview(const CLI::App& app);

// What the manual pages say beyond the options: an example for each verb, exit codes, variables.
[[nodiscard]] shell::ManualNotes manual_notes(const std::string& version);

// A verb that is mistyped or missing, and every option that the verb does not have, each with the
// nearest name; empty when there is no such mistake.
[[nodiscard]] std::string command_line_mistakes(const CLI::App& app,
                                                const std::vector<std::string>& words);

// A check that takes one of several words; the help lists them.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

// The same for the names of an enumeration.
template <class Enum>
[[nodiscard]] CLI::Validator one_of(const std::map<std::string, Enum>& named) {
  std::vector<std::string> words;
  words.reserve(named.size());
  for (const auto& [word, value] : named) words.push_back(word);
  CLI::Validator check = one_of(words);
  return check.operation([named, words = std::move(words)](std::string& text) -> std::string {
    const auto found = named.find(text);
    if (found == named.end()) return unknown_name("word", text, words);
    text = std::to_string(static_cast<int>(found->second));
    return {};
  });
}

}  // namespace ebb::cli
