// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/schedule.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

namespace ebb::training {
namespace {

// "F0 F1 B0", and with virtual stages "F0.1" for micro-batch 0 in chunk 1.
std::string text_of(const Pipeline& pipeline, std::uint32_t stage) {
  std::string text;
  for (const Pass& pass : passes_of(pipeline, stage)) {
    text += (text.empty() ? "" : " ") + std::string(pass.is_forward ? "F" : "B") +
            std::to_string(pass.micro_batch);
    if (pipeline.virtual_stages > 1) text += "." + std::to_string(pass.chunk);
  }
  return text;
}

TEST(Schedule, IsOneForwardOneBackward) {
  EXPECT_EQ(text_of({4, 1, 4}, 0), "F0 F1 F2 F3 B0 B1 B2 B3");
  EXPECT_EQ(text_of({4, 1, 4}, 2), "F0 F1 B0 F2 B1 F3 B2 B3");
  EXPECT_EQ(text_of({4, 1, 4}, 3), "F0 B0 F1 B1 F2 B2 F3 B3");
  EXPECT_EQ(text_of({4, 1, 2}, 0), "F0 F1 B0 B1");
}

TEST(Schedule, IsInterleaved) {
  EXPECT_EQ(text_of({2, 2, 4}, 1),
            "F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0");
}

TEST(Schedule, HasEveryPassOnce) {
  for (const Pipeline pipeline : {Pipeline{1, 1, 3}, {4, 1, 9}, {4, 3, 8}, {8, 2, 8}, {2, 5, 6}}) {
    for (std::uint32_t stage = 0; stage < pipeline.stages; ++stage) {
      std::set<std::tuple<bool, std::uint32_t, std::uint32_t>> seen;
      for (const Pass& pass : passes_of(pipeline, stage)) {
        EXPECT_TRUE(seen.emplace(pass.is_forward, pass.chunk, pass.micro_batch).second);
        EXPECT_TRUE(pass.is_forward || seen.contains({true, pass.chunk, pass.micro_batch}));
      }
      EXPECT_EQ(seen.size(), 2U * pipeline.virtual_stages * pipeline.micro_batches);
    }
  }
}

}  // namespace
}  // namespace ebb::training
