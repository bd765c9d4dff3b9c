// SPDX-License-Identifier: Apache-2.0
//
// Manual pages in man(7), made from the option tables that --help prints: one page for a program
// and one for each of its verbs, `ebb-sim(1)`, in which the verbs below it are sections.
//
//   ebb --manual-pages FOLDER     writes ebb.1, ebb-sim.1, ...
//
// The build runs this command (ebb_shell_files in CMakeLists.txt). Pages hold no date, so that two
// builds of the same sources are the same.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace ebb::shell {

// What a page says beyond the option tables.
struct ManualNotes {
  std::string version;
  std::map<std::string, std::string> examples = {};                 // by verb
  std::vector<std::pair<int, std::string>> exit_codes = {};         // none: no such section
  std::vector<std::pair<std::string, std::string>> variables = {};  // of the environment
  std::vector<std::string> see_also = {};                           // other programs, as ebb-host
};

struct ManualPage {
  std::string name;  // "ebb-sim", of the file ebb-sim.1
  std::string text;
};

// The page of the program, then one for each verb. The application's name is the program's.
[[nodiscard]] std::vector<ManualPage> manual_pages(const CLI::App& program,
                                                   const ManualNotes& notes);

// Writes NAME.1 for each page. Returns the exit code: 0, or 3 when a file cannot be written, which
// it prints.
[[nodiscard]] int write_manual_pages(const std::vector<ManualPage>& pages,
                                     const std::string& folder);

}  // namespace ebb::shell
