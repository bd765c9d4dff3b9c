// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace ebb::counters {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class CounterFiles : public testing::Test {
 protected:
  CounterFiles() { fs::create_directories(folder_); }
  ~CounterFiles() override { fs::remove_all(folder_); }
  CounterFiles(const CounterFiles&) = delete;
  CounterFiles& operator=(const CounterFiles&) = delete;

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  [[nodiscard]] Result<Loads> read(const std::string& name, const std::string& text,
                                   const ReadOptions& options = {}) {
    return read_counters({write(name, text)}, options);
  }
  static float load(const Loads& loads, const std::string& interface, Direction direction,
                    UnixTime at) {
    for (const Track& track : loads.tracks) {
      if (track.interface == interface && track.direction == direction)
        return track.at(at / loads.step);
    }
    return -1;
  }

  fs::path folder_ =
      fs::temp_directory_path() / ("ebb-counters-test-" + std::to_string(::getpid()));
};

TEST_F(CounterFiles, OfCsvHaveAHeader) {
  const auto loads = read("a.csv",
                          "time,device,interface,in_bytes,out_bytes,comment\n"
                          "300,s0,eth0,0,100,x\n300,s1,eth0,5,5,\n"
                          "600,s0,eth0,375000,100,\r\n600,s1,eth0,5,375005,y\n");
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_EQ(loads->step, 300s);
  EXPECT_EQ(load(*loads, "s0:eth0", Direction::in, 300s), 10'000);
  EXPECT_EQ(load(*loads, "s0:eth0", Direction::out, 300s), 0);
  EXPECT_EQ(load(*loads, "s1:eth0", Direction::out, 300s), 10'000);
  EXPECT_EQ(loads->readings, 8U);
}

TEST_F(CounterFiles, OfCsvSayWhatTheyCount) {
  const auto rates = read("a.csv",
                          "interface,time,in_bit_per_s,out_byte_per_s\n"
                          "e,2023-12-29T13:55:00Z,7,8\ne,2023-12-29 14:00:00,,nan\n"
                          "e,1703858700,3,4\n",
                          {.step = 300s});
  ASSERT_TRUE(rates) << to_string(rates.error());
  EXPECT_EQ(load(*rates, "e", Direction::in, 1'703'858'100s), 7);
  EXPECT_EQ(load(*rates, "e", Direction::out, 1'703'858'100s), 64);
  EXPECT_FALSE(is_known(load(*rates, "e", Direction::out, 1'703'858'400s)));
  const auto narrow = read("b.csv",
                           "interface,time,ifInOctets,ifOutOctets\n"
                           "e,300,4294967295,0\ne,600,374999,0\n");
  EXPECT_EQ(load(*narrow, "e", Direction::in, 300s), 10'000);
  const auto told =
      read("c.csv", "interface,time,in_bytes,out_bytes\ne,300,4294967295,0\ne,600,374999,0\n",
           {.csv_width = Width::bits_32});
  EXPECT_EQ(load(*told, "e", Direction::in, 300s), 10'000);
}

TEST_F(CounterFiles, OfHypnosAreNamedAfterTheirInterface) {
  write("interfaces/swiAA1/tengige0_1.csv", "unix time,rx,tx\n1703858100,1,2\n1703858400,3,\n");
  write("interfaces/swiBB1/eth.csv", "unix time,rx,tx\n1703858100,2,1\n1703858400,5,3\n");
  const auto loads = read_counters({(folder_ / "interfaces").string()}, {});
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_EQ(load(*loads, "swiAA1:tengige0_1", Direction::in, 1'703'858'400s), 24);
  EXPECT_FALSE(is_known(load(*loads, "swiAA1:tengige0_1", Direction::out, 1'703'858'400s)));
}

TEST_F(CounterFiles, OfSurfnetHaveAStepEach) {
  write("link_traffic/t-1703858100.csv", "node1,node2,interface,rx,tx\nA,B,x,10,20\n");
  write("link_traffic/t-1703858400.csv", "node1,node2,interface,rx,tx\nA,B,x,30,40\n");
  const auto loads = read_counters({(folder_ / "link_traffic").string()}, {});
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_EQ(load(*loads, "A:B", Direction::out, 1'703'858'400s), 40);
}

TEST_F(CounterFiles, OfSnmpAreWalksInTime) {
  const auto loads = read("walks.txt",
                          "# 300 s0\nIF-MIB::ifName.1 = STRING: eth1\n"
                          "IF-MIB::ifHCInOctets.1 = Counter64: 0\n"
                          "IF-MIB::ifInOctets.1 = Counter32: 17\n"
                          ".1.3.6.1.2.1.31.1.1.1.10.1 = Counter64: 5\n"
                          ".1.3.6.1.2.1.2.2.1.16.2 = Counter32: 4294967295\n"
                          "IF-MIB::ifHCOutOctets.3 = No Such Instance currently exists\n"
                          "# 600 s0\nIF-MIB::ifHCInOctets.1 = Counter64: 375000\n"
                          "IF-MIB::ifHCOutOctets.1 = Counter64: 5\n"
                          "iso.3.6.1.2.1.2.2.1.16.2 = Counter32: 374999\n");
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_EQ(load(*loads, "s0:eth1", Direction::in, 300s), 10'000);
  EXPECT_EQ(load(*loads, "s0:eth1", Direction::out, 300s), 0);
  EXPECT_EQ(load(*loads, "s0:2", Direction::out, 300s), 10'000);
}

TEST_F(CounterFiles, OfPrometheusAreItsAnswer) {
  const auto loads = read("q.json", R"({"status":"success","data":{"resultType":"matrix","result":[
    {"metric":{"__name__":"ifHCInOctets","ifName":"eth1","instance":"s0:9116"},
     "values":[[300,"0"],[600.0,"375000"],[900,"3.75e+05"]]},
    {"metric":{"__name__":"node_network_transmit_bytes_total","device":"e0","instance":"h"},
     "values":[[300,"7"],[600,"NaN"],[900,"7"]]}]}})");
  ASSERT_TRUE(loads) << to_string(loads.error());
  EXPECT_EQ(load(*loads, "s0:eth1", Direction::in, 300s), 10'000);
  EXPECT_EQ(load(*loads, "s0:eth1", Direction::in, 600s), 0);
  EXPECT_FALSE(is_known(load(*loads, "h:e0", Direction::out, 300s)));
}

TEST(ATimeOfACounter, IsReadInItsForms) {
  EXPECT_EQ(parse_time("1703858100"), 1'703'858'100s);
  EXPECT_EQ(parse_time("1703858100.25"), 1'703'858'100'250ms);
  EXPECT_EQ(parse_time("1703858100250"), 1'703'858'100'250ms);
  EXPECT_EQ(parse_time("2023-12-29T13:55:00Z"), 1'703'858'100s);
  EXPECT_EQ(parse_time("2023-12-29 13:55:00.2509"), 1'703'858'100'250ms);
  for (const char* wrong : {"", "-1", "nan", "2023-02-29 00:00:00", "2023-12-29", "1e300", "12:00",
                            "2023-12-29 -1:00:00", "1969-12-31 23:59:59", "2023-12-29 13:55:00.",
                            "2023-12-29 13:55:00.x"})
    EXPECT_FALSE(parse_time(wrong)) << wrong;
}

}  // namespace
}  // namespace ebb::counters
