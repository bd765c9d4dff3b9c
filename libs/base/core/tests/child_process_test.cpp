// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/child_process.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace ebb {
namespace {

TEST(ChildProcess, GetsInputAndEnvironmentAndAnswers) {
  const auto done = run_program({"sh", "-c", "cat; echo $TIDE; echo no >&2; exit 3"},
                                {.input = "in\n", .environment = {"TIDE=low"}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 3);
  EXPECT_EQ(done->output, "in\nlow\n");
  EXPECT_EQ(done->complaints, "no\n");
}

TEST(ChildProcess, ThatDoesNotExistIsAnError) {
  EXPECT_FALSE(run_program({"no-such-program-anywhere"}));
}

TEST(ChildProcess, InheritsTheOneFileItIsGiven) {
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const std::string test = "test -e /proc/self/fd/" + std::to_string(file);
  EXPECT_NE(run_program({"sh", "-c", test})->exit_code, 0);
  EXPECT_EQ(run_program({"sh", "-c", test}, {.inherited_file = file})->exit_code, 0);
  close(file);
}

}  // namespace
}  // namespace ebb
