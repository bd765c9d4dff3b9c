// SPDX-License-Identifier: Apache-2.0
#include "ebb/measurements/series.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::measurements {
namespace {

constexpr const char* kHeader = "time,interface,setup,plugged,enabled,up,out_octets,out_packets\n";

Result<Series> read(const std::string& power, const std::string& ports) {
  return read_series({"power.csv", power}, {"ports.csv", kHeader + ports});
}

std::size_t left_out(const Series& series, LeftOut reason) {
  return series.left_out.at(static_cast<std::size_t>(reason));
}

// Two ports of one setup and one of another, over ten seconds.
TEST(Series, AddsUpWhatPortsOfASetupDo) {
  const auto series = read("time,power_w\n0,99\n5,100\n10,102\n",
                           "0,a,100G DAC,1,1,1,0,0\n"
                           "0,b,100G DAC,1,1,0,7,7\n"
                           "0,c,400G FR4,1,0,0,5,5\n"
                           "10,c,400G FR4,1,0,0,5,5\n"
                           "10,b,100G DAC,1,1,0,7,7\n"
                           "10,a,100G DAC,1,1,1,1250,20\n");
  ASSERT_TRUE(series) << to_string(series.error());
  EXPECT_EQ(series->watts, (std::vector<double>{101}));
  EXPECT_EQ(series->regressors, (std::vector<double>{1, 2, 2, 1, 1000, 2, 0, 1, 0, 0, 0}));
  EXPECT_EQ(series->most_ports, 3U);
  EXPECT_EQ(to_text(series->parameters[4]), "energy per bit of 100G DAC");
}

TEST(Series, TakesColumnsInAnyOrder) {
  const auto series =
      read_series({"power.csv", "name,Power_W,time\nx,100,2024-01-01T00:00:10Z\n"},
                  {"ports.csv",
                   "up,enabled,plugged,out_packets,out_octets,setup,interface,time\n"
                   "1,1,1,0,0,100G DAC,a,2024-01-01T00:00:00Z\n1,1,1,10,100,100G "
                   "DAC,a,2024-01-01T00:00:10Z\n"});
  ASSERT_TRUE(series) << to_string(series.error());
  EXPECT_EQ(series->regressors, (std::vector<double>{1, 1, 1, 1, 80, 1}));
}

// An interval of which something is not known is no interval of zeros.
TEST(Series, LeavesOutWhatIsNotKnown) {
  const auto series =
      read("time,power_w\n1,100\n2,nan\n3,100\n4,-5\n5,\n7,100\n8,100\n9,100\n10,100\n",
           "0,a,100G DAC,1,1,1,100,10\n"
           "1,a,100G DAC,1,1,1,200,20\n"    // known
           "2,a,100G DAC,1,1,1,300,30\n"    // power is NaN
           "3,a,100G DAC,1,1,1,,40\n"       // no counter
           "4,a,100G DAC,1,1,1,500,50\n"    // negative power
           "5,a,100G DAC,1,1,1,600,60\n"    // power empty
           "6,a,100G DAC,1,1,1,700,70\n"    // no power at all
           "7,a,100G DAC,1,1,1,10,80\n"     // reset
           "8,a,100G DAC,1,1,0,20,90\n"     // went down
           "9,b,100G DAC,1,1,0,20,90\n"     // another port
           "10,b,100G DAC,1,1,0,20,90\n");  // known
  ASSERT_TRUE(series) << to_string(series.error());
  EXPECT_EQ(series->intervals(), 2U);
  EXPECT_EQ(left_out(*series, LeftOut::no_power), 4U);
  EXPECT_EQ(left_out(*series, LeftOut::no_counter), 1U);
  EXPECT_EQ(left_out(*series, LeftOut::reset), 1U);
  EXPECT_EQ(left_out(*series, LeftOut::state_changed), 1U);
  EXPECT_EQ(left_out(*series, LeftOut::other_ports), 1U);
}

// A gap among the samples of an interval: its mean is not known.
TEST(Series, NeedsEverySampleOfAnInterval) {
  const auto series = read("time,power_w\n1,100\n2,nan\n3,100\n",
                           "0,a,100G DAC,1,1,1,1,1\n3,a,100G DAC,1,1,1,2,2\n");
  EXPECT_EQ(series->intervals(), 0U);
}

TEST(Series, TellsEveryMistakeWithItsPlace) {
  const auto series = read("time,power_w\nnever,100\n5,much\n4,1\n3,1\n5,1,1\n",
                           "0,a,100G DAC,1,1,up,1,1\n"
                           "0,a,,1,1,1,1,1\n"
                           "1,,100G DAC,1,1,1,x,1\n"
                           "0,a,100G DAC,1,1,1,1,-1\n");
  ASSERT_FALSE(series);
  EXPECT_EQ(to_string(series.error()),
            "power.csv:2: error: 'never' is no time: seconds since 1970, or 2024-01-01T00:00:00Z\n"
            "power.csv:3: error: expected watts up to 1000000, got 'much'\n"
            "power.csv:5: error: times must ascend\n"
            "power.csv:6: error: a row has 2 fields, this one has 3\n"
            "ports.csv:2: error: expected 0 or 1, got 'up'\n"
            "ports.csv:3: error: a row without a setup, as 100G LR\n"
            "ports.csv:3: error: 'a' has a row of this time already\n"
            "ports.csv:4: error: a row without an interface\n"
            "ports.csv:4: error: expected a counter, got 'x'\n"
            "ports.csv:5: error: expected a counter, got '-1'\n"
            "ports.csv:5: error: 'a' has a row of this time already\n");
}

TEST(Series, NeedsItsColumns) {
  const auto series = read_series({"power.csv", ""}, {"ports.csv", "time,interface,setup,up\n"});
  ASSERT_FALSE(series);
  EXPECT_EQ(to_string(series.error()),
            "power.csv:1: error: the file is empty\n"
            "ports.csv:1: error: the first line must name the columns; missing: plugged, enabled, "
            "out_octets, out_packets\n");
}

}  // namespace
}  // namespace ebb::measurements
