// SPDX-License-Identifier: Apache-2.0
//
// The seeds of the fuzzers, and what they found, as a regression test of the ordinary build: each
// file must be answered, and what is accepted must survive a round trip.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

namespace ebb::test {

// Runs `check` on each file of fuzz/corpus/<name>; it tells whether the file was accepted. Returns
// how many were accepted.
inline int replay_corpus(const std::string& name,
                         const std::function<bool(const std::string&)>& check) {
  int accepted = 0;
  const std::string folder = std::string(EBB_SOURCE_DIR) + "/fuzz/corpus/" + name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path(), std::ios::binary);
    EXPECT_TRUE(file);
    std::ostringstream text;
    text << file.rdbuf();
    if (check(text.str())) ++accepted;
  }
  return accepted;
}

}  // namespace ebb::test
