// SPDX-License-Identifier: Apache-2.0
//
// Values of options that a shell completes. An option says what it takes by the name of its type:
//
//   command->add_option("--switch", part, "Part for the switches")->type_name("PART");
//
//   FILE, FOLDER      names of files and folders, which the shell has
//   NETWORK           a topology family with its parameters, or a graph file
//   POLICY, WORKLOAD  a name of `ebb list`, then its parameters as key=
//   ROUTING, PART     a name
//   FIGURE, CHECK, RESULT   of `ebb plot`, `ebb validate run` and `ebb repro run`
//   KEY=VALUE         of --set: the keys of the simulation file on the line, then values
//
// An option with a check `one_of` needs no type: its words are in its table. Help and manual pages
// show the type. The folder `completion` defines the function.
#pragma once

#include "shell_integration/completion.hpp"

namespace ebb::cli {

// Empty for types that nothing is known of, such as TEXT or a number.
[[nodiscard]] shell::Completions value_completions(const shell::ValueQuestion& question);

}  // namespace ebb::cli
