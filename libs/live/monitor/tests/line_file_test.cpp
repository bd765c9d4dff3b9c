// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/line_file.hpp"

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ebb::monitor {
namespace {

class ALineFile : public testing::Test {
 protected:
  static std::string text(const std::string& of) {
    std::ostringstream all;
    all << std::ifstream(of).rdbuf();
    return all.str();
  }

  test::TemporaryFolder folder;
  std::string path = folder.file("audit.jsonl");
};

TEST_F(ALineFile, IsAppendedTo) {
  for (const char* line : {"one", "two"}) {
    const auto file = LineFile::open(path);
    ASSERT_TRUE(file);
    (*file)->add(line);
    (*file)->sync();
  }
  EXPECT_EQ(text(path), "one\ntwo\n");
}

TEST_F(ALineFile, IsBounded) {
  const auto file = LineFile::open(path, {.most_bytes = 12});
  for (int i = 0; i < 10; ++i) (*file)->add("line" + std::to_string(i));
  EXPECT_EQ(text(path), "line8\nline9\n");
  EXPECT_EQ(text(path + ".1"), "line6\nline7\n");
  EXPECT_EQ((*file)->lost(), 0U);
}

TEST_F(ALineFile, DoesNotLetACutLineSwallowTheNext) {
  std::ofstream(path) << "cut";
  (*LineFile::open(path))->add("whole");
  EXPECT_EQ(text(path), "cut\nwhole\n");
}

TEST_F(ALineFile, SaysWhatIsWrong) {
  const auto file = LineFile::open(folder.file("none/x"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error()[0].message, "No such file or directory");
}

TEST_F(ALineFile, CountsWhatCouldNotBeWritten) {
  const auto file = LineFile::open("/dev/full");
  ASSERT_TRUE(file);
  (*file)->add("one");
  EXPECT_EQ((*file)->lost(), 1U);
}

}  // namespace
}  // namespace ebb::monitor
