// SPDX-License-Identifier: Apache-2.0
//
// Every file of a folder of tests/malformed states in "# expect:" lines what is wrong with it. Its
// reader must say all of that and nothing else.
#pragma once

#include "ebb/core/result.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace ebb::test {

inline std::vector<std::string> expected_errors(const std::filesystem::path& path) {
  const std::string mark = "# expect: ";
  std::vector<std::string> expected;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(mark, 0) == 0) expected.push_back(line.substr(mark.size()));
  }
  return expected;
}

// As if ebb ran in the folder of the file.
inline std::vector<std::string> without_path(const Errors& errors,
                                             const std::filesystem::path& path) {
  const std::string folder = path.parent_path().string() + "/";
  const std::string file = path.filename().string() + ":";
  std::vector<std::string> actual;
  for (const Error& error : errors) {
    std::string text = to_string(error);
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    actual.push_back(text.rfind(file, 0) == 0 ? text.substr(file.size()) : text);
  }
  return actual;
}

// `errors_of` reads a file. The folder has at least `least_files` files.
inline void check_malformed(const std::string& kind,
                            const std::function<Errors(const std::string&)>& errors_of,
                            std::size_t least_files) {
  std::size_t files = 0;
  const std::string folder = std::string(EBB_SOURCE_DIR) + "/tests/malformed/" + kind;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    const std::string path = entry.path().string();
    const auto expected = expected_errors(path);
    EXPECT_FALSE(expected.empty()) << path;
    EXPECT_EQ(without_path(errors_of(path), path), expected) << path;
  }
  EXPECT_GE(files, least_files);
}

}  // namespace ebb::test
