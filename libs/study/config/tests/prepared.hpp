// SPDX-License-Identifier: Apache-2.0
//
// Simulations of tests: the text of a file with some of its values replaced, made ready to run.
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/files/parts_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::config {

// The parts that are shipped.
inline const power::Library& library() {
  static const auto kLibrary =
      files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  return kLibrary;
}

// The file is read without errors; what can be wrong is found when it is made ready.
inline Result<Simulation> prepared_from(const std::string& file_text,
                                        const std::vector<std::string>& overrides) {
  const auto file = read_sim_text(file_text, "sim.yaml", library(), overrides);
  EXPECT_TRUE(file) << to_string(file.error());
  return prepare(*file, library());
}

}  // namespace ebb::config
