// SPDX-License-Identifier: Apache-2.0
//
// Programs for tests.
#pragma once

#include "ebb/program/goal.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ebb::program {

// Every feature of the text: attributes, wildcards, both kinds of dependency, both kinds of
// comment, operations without labels, a size apart from its unit, a rank without operations.
inline constexpr std::string_view kEverything = R"(// a comment
num_ranks 4

rank 0 {
a: calc 1000 cpu 1
s1: send 4096b to 1 tag 7 cpu 1 nic 1
s1 requires a
s2: send 8 b to 3 nic 1
s2 irequires s1
}
/* a comment
   of two lines */
rank 1 {
r1: recv 4096b from -1 tag -1
c1: calc 500
c1 requires r1
send 16b to 3 tag 3
}
rank 2 { }
rank 3 {
recv 8b from 0
recv 16b from 1 tag 3
}
)";

inline Program read(std::string_view text) {
  auto program = read_goal_text(text, "test.goal");
  EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
  return std::move(*program);
}

// All messages of the errors, one a line.
inline std::string refused(std::string_view text) {
  const auto program = read_goal_text(text, "test.goal");
  return program ? "" : to_string(program.error());
}

}  // namespace ebb::program
