// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ebb {
namespace {

TEST(Bytes, ComeOutAsTheyWentIn) {
  Bytes bytes;
  append(bytes, std::uint8_t{7});
  append_text(bytes, "");
  append_list(bytes, std::vector<std::int64_t>{-1, 2});
  append_text(bytes, "seven");
  ByteReader reader(bytes);
  EXPECT_EQ(reader.take<std::uint8_t>(), 7);
  EXPECT_EQ(reader.take_text(), "");
  EXPECT_EQ(reader.take_list<std::int64_t>(), (std::vector<std::int64_t>{-1, 2}));
  EXPECT_FALSE(reader.empty());
  EXPECT_EQ(reader.take_text(), "seven");
  EXPECT_TRUE(reader.empty());
}

TEST(BytesDeathTest, ShortMessage) {
  Bytes bytes;
  append(bytes, std::uint16_t{1});
  ByteReader reader(bytes);
  EXPECT_DEATH((void)reader.take<std::uint32_t>(), "shorter than it should be");
}

}  // namespace
}  // namespace ebb
