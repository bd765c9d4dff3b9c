// SPDX-License-Identifier: Apache-2.0
//
// Runs a program without a shell: text in, bytes out.
#pragma once

#include "ebb/core/result.hpp"

#include <string>
#include <vector>

namespace ebb::figures {

struct Finished {
  int exit_code = 0;  // 128 + signal when it was killed
  std::string output;
  std::string complaints;  // standard error
};

// words: the program, searched on the path, and its arguments.
// Standard input, output and error are files without a name, so neither side waits for the other.
[[nodiscard]] Result<Finished> run_program(std::vector<std::string> words,
                                           const std::string& input);

}  // namespace ebb::figures
