// SPDX-License-Identifier: Apache-2.0
//
// Every file in tests/malformed/graphs states in "# expect:" lines what is wrong with it. The
// reader must say all of that and nothing else.
#include "ebb/config/topology_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ebb::config {
namespace {

std::vector<std::string> expected_errors(const std::filesystem::path& path) {
  const std::string mark = "# expect: ";
  std::vector<std::string> expected;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(mark, 0) == 0) expected.push_back(line.substr(mark.size()));
  }
  return expected;
}

std::vector<std::string> actual_errors(const std::string& path) {
  const auto graph = read_topology(path);
  if (graph) return {"accepted"};
  std::vector<std::string> actual;
  for (const Error& error : graph.error()) {
    const std::string text = to_string(error);
    actual.push_back(text.rfind(path + ":", 0) == 0 ? text.substr(path.size() + 1) : text);
  }
  return actual;
}

TEST(MalformedGraphs, AreRefusedWithWhatIsWrong) {
  std::size_t files = 0;
  const std::string folder = std::string(EBB_SOURCE_DIR) + "/tests/malformed/graphs";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    const auto expected = expected_errors(entry.path());
    EXPECT_FALSE(expected.empty()) << entry.path();
    EXPECT_EQ(actual_errors(entry.path().string()), expected) << entry.path();
  }
  EXPECT_GE(files, 22U);
}

}  // namespace
}  // namespace ebb::config
