// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/reader.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::counters {
namespace {

using namespace std::chrono_literals;

const std::string kColumns = "firstSeen,lastSeen,routerIP,input,output,bytes\n";

class FlowRecords : public testing::Test {
 protected:
  static Result<Loads> read(const std::vector<std::string>& texts,
                            const ReadOptions& options = {}) {
    CounterReader reader(options);
    for (const std::string& text : texts) reader.text(text, "flows");
    return std::move(reader).finish();
  }
  static float load(const Loads& loads, const std::string& interface, Direction direction,
                    UnixTime at) {
    for (const Track& track : loads.tracks) {
      if (track.interface == interface && track.direction == direction)
        return track.at(at / loads.step);
    }
    return -1;
  }
};

TEST_F(FlowRecords, AreSpreadOverTheirTime) {
  // 375,000 bytes in 300 s are 10 kb/s; the second record has a third of its time in the first
  // step.
  const auto loads =
      read({kColumns + "0,300,r0,1,2,375000\n200,500,r0,2,3,375000\n600,900,r0,1,2,0\n"});
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_EQ(loads->step, 300s);
  EXPECT_FLOAT_EQ(load(*loads, "r0:1", Direction::in, 0s), 10'000);
  EXPECT_FLOAT_EQ(load(*loads, "r0:2", Direction::out, 0s), 10'000);
  EXPECT_FLOAT_EQ(load(*loads, "r0:2", Direction::in, 0s), 10'000.0F / 3);
  EXPECT_FLOAT_EQ(load(*loads, "r0:3", Direction::out, 300s), 20'000.0F / 3);
  EXPECT_EQ(load(*loads, "r0:1", Direction::in, 300s), 0) << "other interfaces had records";
  EXPECT_EQ(load(*loads, "r0:1", Direction::out, 0s), -1) << "nothing is said of it";
}

TEST_F(FlowRecords, OfNobodyLeaveAGap) {
  const auto loads = read(
      {kColumns + "0,300,r0,1,2,375000\n0,300,r1,1,2,8\n900,1200,r0,1,2,8\n300,1200,r1,1,2,8\n"});
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_FALSE(is_known(load(*loads, "r0:1", Direction::in, 300s)));
  EXPECT_FALSE(is_known(load(*loads, "r0:1", Direction::in, 600s)));
  EXPECT_TRUE(is_known(load(*loads, "r1:1", Direction::in, 600s)));
  ASSERT_FALSE(loads->anomalies.empty());
  EXPECT_EQ(loads->anomalies[0].kind, AnomalyKind::gap);
}

TEST_F(FlowRecords, AreSummedOverFiles) {
  const auto loads = read({kColumns + "0,300,r0,1,2,375000\n", kColumns + "0,300,r0,1,2,375000\n"});
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_FLOAT_EQ(load(*loads, "r0:1", Direction::in, 0s), 20'000);
}

TEST_F(FlowRecords, OfBothDirectionsCountBack) {
  const auto loads =
      read({"ts,te,td,ibyt,obyt,in,out,ra\n"
            "1970-01-01 00:00:00,1970-01-01 00:05:00,300.000,375000,750000,1,2,r0\n"
            "1970-01-01 00:05:00,1970-01-01 00:10:00.000,300,8,8,1,0,0.0.0.0\n"
            "Summary\nflows,bytes,packets,avg_bps,avg_pps,avg_bpp\n2,8,2,0,0,8\n"});
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_FLOAT_EQ(load(*loads, "r0:1", Direction::in, 0s), 10'000);
  EXPECT_FLOAT_EQ(load(*loads, "r0:1", Direction::out, 0s), 20'000);
  EXPECT_FLOAT_EQ(load(*loads, "r0:2", Direction::in, 0s), 20'000);
  EXPECT_GT(load(*loads, "1", Direction::in, 300s), 0) << "a device without an address";
  EXPECT_EQ(loads->tracks.size(), 6U) << "index 0 is no interface";
}

TEST_F(FlowRecords, AtTheEdgesCountForWhatWasSeen) {
  const auto loads = read({kColumns + "100,300,r0,1,2,250000\n300,400,r0,1,2,5\n"});
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_FLOAT_EQ(load(*loads, "r0:1", Direction::in, 0s), 10'000) << "200 s of 300 s";
  EXPECT_FALSE(is_known(load(*loads, "r0:1", Direction::in, 300s))) << "100 s of 300 s";
}

TEST_F(FlowRecords, HaveTheStepOfOtherCounters) {
  const std::string counters =
      "interface,time,in_bytes,out_bytes\ne,0,0,0\ne,1800,5,5\ne,3600,9,9\n";
  const auto both = read({counters, kColumns + "0,300,r0,1,2,5\n"});
  ASSERT_FALSE(both);
  EXPECT_EQ(
      both.error()[0].message,
      "flow records are summed in steps of 300s, other counters come every 1800s: give --step");
  const auto told = read({counters, kColumns + "0,1800,r0,1,2,225000\n"}, {.step = 1800s});
  ASSERT_TRUE(told) << to_string(told.error());
  EXPECT_FLOAT_EQ(load(*told, "r0:1", Direction::in, 0s), 1'000);
}

}  // namespace
}  // namespace ebb::counters
