// SPDX-License-Identifier: Apache-2.0
//
// An option in the words of a user, from the parser's table. Help, manual pages and completions all
// read an option through these functions, so they cannot say different things of it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ebb::shell {

// The words that an option takes, where it takes only some; else empty.
[[nodiscard]] std::vector<std::string> valid_words(const CLI::Option& option);

// The parser's name of the type: FILE, POLICY, TEXT; "N" for whole numbers.
[[nodiscard]] std::string type_text(const CLI::Option& option);

// The valid words as a|b|c where only some are valid, else the type.
[[nodiscard]] std::string value_text(const CLI::Option& option);

// The description, with the range of a number: "Show the best N (1 to 10000)".
[[nodiscard]] std::string description_text(const CLI::Option& option);

[[nodiscard]] bool takes_value(const CLI::Option& option);
[[nodiscard]] bool takes_many_values(const CLI::Option& option);

// "-o", "--output": every name with its dashes. Empty for a positional argument.
[[nodiscard]] std::vector<std::string> dashed_names(const CLI::Option& option);

// "ebb fabric run", from the program down to the verb.
[[nodiscard]] std::string command_of(const CLI::App& verb);

}  // namespace ebb::shell
