// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/dmp_frame.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ebb::dmp {
namespace {

constexpr MacBytes kOwn = {0x52, 0x54, 0x00, 0x12, 0x34, 0x56};
constexpr MacBytes kGiven = {0x02, 0x00, 0x00, 0x01, 0x02, 0x03};

Frame answer() {
  Frame frame = request(kOwn, 77);
  std::copy(kGiven.begin(), kGiven.end(), frame.begin() + 6);
  return frame;
}

TEST(ARequest, GoesToAnAddressThatBridgesNeverForward) {
  const Frame frame = request(kOwn, 77);
  EXPECT_EQ((std::vector<std::uint8_t>(frame.begin(), frame.begin() + 14)),
            (std::vector<std::uint8_t>{0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e, 0x52, 0x54, 0x00, 0x12,
                                       0x34, 0x56, 0x88, 0xb5}));
}

TEST(AnAnswer, HasTheAddressAsItsSource) { EXPECT_EQ(*read_answer(answer(), kOwn, 77), kGiven); }

TEST(AnAnswer, ToSomebodyElseIsRefused) {
  EXPECT_FALSE(read_answer(answer(), kOwn, 78));
  Frame other = answer();
  other[13] = 0xb6;
  EXPECT_FALSE(read_answer(other, kOwn, 77));
}

TEST(AnAnswer, ThatIsTheRequestComingBackIsRefused) {
  EXPECT_FALSE(read_answer(request(kOwn, 77), kOwn, 77));
}

TEST(AnAnswer, ToAHostThatAsksAgainIsWhatItHas) {
  EXPECT_EQ(*read_answer(request(kGiven, 77), kGiven, 77), kGiven);
}

TEST(AnAnswer, MayNotGiveAGroupOrAForeignAddress) {
  Frame frame = answer();
  frame[6] = 0x03;
  EXPECT_FALSE(read_answer(frame, kOwn, 77));
  frame[6] = 0x00;
  EXPECT_FALSE(read_answer(frame, kOwn, 77));
}

TEST(AnAnswer, ThatIsCutOffIsRefused) {
  const Frame frame = answer();
  for (std::size_t length = 0; length < 30; ++length)
    EXPECT_FALSE(read_answer(std::span(frame).first(length), kOwn, 77)) << length;
}

TEST(AnAddress, HasAnIpOfItsLowBits) {
  EXPECT_EQ(ip_of(kGiven), (std::array<std::uint8_t, 4>{10, 1, 2, 3}));
}

// Each seed: the asker's MAC, two bytes of the nonce, a frame.
TEST(Corpus, Answers) {
  int right = 0;
  for (const auto& entry : std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/dmp")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(file)), {});
    ASSERT_GE(bytes.size(), 8U);
    MacBytes own{};
    std::copy_n(bytes.begin(), own.size(), own.begin());
    right += read_answer(std::span(bytes).subspan(8), own, bytes[6] * 257U + bytes[7]) ? 1 : 0;
  }
  EXPECT_EQ(right, 1);
}

}  // namespace
}  // namespace ebb::dmp
