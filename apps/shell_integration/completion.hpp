// SPDX-License-Identifier: Apache-2.0
//
// Completions of a command line, from the option tables that --help prints. The scripts of bash,
// zsh and fish (share/completion) hold no names: they call the program back with the words up to
// the cursor and show what it prints.
//
//   $ ebb --complete plan --pol        the last word is the one that is typed, and may be empty
//   --policy<TAB>What a policy of `ebb list` saves in a year ...
//
// A line ":files" or ":folders" asks the shell to add the names of files or folders.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ebb::shell {

struct Candidate {
  std::string text;  // one that ends with '=' is to be continued: the shell adds no space
  std::string description = {};
};

struct Completions {
  std::vector<Candidate> candidates = {};
  bool files = false;
  bool folders = false;
};

// A value that is being typed.
struct ValueQuestion {
  std::string type;  // of the option, as help shows it: FILE, POLICY, PART
  std::string typed;
  std::vector<std::string> before;  // values that the same option has already
  // All values on the line by the name of their option: "file", "--parts".
  const std::map<std::string, std::vector<std::string>>& given;
};

// What a value can be; the candidates may include some that do not begin with what is typed.
using ValueSource = std::function<Completions(const ValueQuestion&)>;

// Names of files for FILE, of folders for FOLDER, and nothing for other types.
[[nodiscard]] Completions file_values(const ValueQuestion& question);

// `words` are those after the program's name up to the cursor; the last one is being typed.
[[nodiscard]] Completions complete(const CLI::App& program, const std::vector<std::string>& words,
                                   const ValueSource& values);

// The lines that the scripts of the shells read.
[[nodiscard]] std::string to_lines(const Completions& completions);

}  // namespace ebb::shell
