// SPDX-License-Identifier: Apache-2.0
//
// Inputs of which every reader says what is wrong with them, and where.
#include "support/corpus.hpp"

#include "ebb/counters/lldp.hpp"
#include "ebb/counters/reader.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/units/data.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::counters {
namespace {

struct Broken {
  const char* name;  // of the test
  std::string text;
  std::string error;  // line: message; or the begin of it, before "..."
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

void expect_error(const Errors& errors, const std::string& file, const Broken& broken) {
  ASSERT_FALSE(errors.empty());
  const std::string said = std::to_string(errors[0].where.line) + ": " + errors[0].message;
  if (broken.error.ends_with("...")) {
    const std::string begin = broken.error.substr(0, broken.error.size() - 3);
    EXPECT_TRUE(said.starts_with(begin)) << said;
  } else {
    EXPECT_EQ(said, broken.error);
  }
  EXPECT_EQ(errors[0].where.file, file);
}

std::string name_of(const testing::TestParamInfo<Broken>& info) { return info.param.name; }

// ---- counters

class BrokenCounters : public testing::TestWithParam<Broken> {};

TEST_P(BrokenCounters, AreRefused) {
  CounterReader reader({});
  reader.text(GetParam().text, "counters.txt");
  const auto loads = std::move(reader).finish();
  ASSERT_FALSE(loads);
  expect_error(loads.error(), "counters.txt", GetParam());
}

const std::string kCsv = "interface,time,in_bytes,out_bytes\n";

INSTANTIATE_TEST_SUITE_P(
    Csv, BrokenCounters,
    testing::Values(
        Broken{"Empty", "", "0: an empty file"}, Broken{"Blank", "\n \n", "0: an empty file"},
        Broken{"NoHeader", "a,b\n1,2\n",
               "1: the first line must name the columns; missing: in_bytes, out_bytes, time"},
        Broken{"OneDirection", "interface,time,in_bytes\n",
               "1: the first line must name the columns; missing: out_bytes"},
        Broken{"ManyColumns", kCsv.substr(0, kCsv.size() - 1) + std::string(61, ',') + "\n",
               "1: the first line must name the columns; missing: fewer columns"},
        Broken{"ShortRow", kCsv + "e,1,2\n", "2: a row has 4 fields"},
        Broken{"LongRow", kCsv + "e,1,2,3,4\n", "2: a row has 4 fields"},
        Broken{"NoTime", kCsv + "e,yesterday,2,3\n",
               "2: 'yesterday' is no time: seconds since 1970, or 2024-01-01T00:00:00Z"},
        Broken{"NegativeTime", kCsv + "e,-300,2,3\n",
               "2: '-300' is no time: seconds since 1970, or 2024-01-01T00:00:00Z"},
        Broken{"NoSuchDay", kCsv + "e,2023-02-29 00:00:00,2,3\n",
               "2: '2023-02-29 00:00:00' is no time: seconds since 1970, or 2024-01-01T00:00:00Z"},
        Broken{"NoInterface", kCsv + ",1,2,3\n", "2: a row without an interface"},
        Broken{"NegativeCounter", kCsv + "e,1,2,3\n\ne,2,-2,3\n",
               "4: '-2' is not a counter, a whole number below 2^64"},
        Broken{"LargeCounter", kCsv + "e,1,2,18446744073709551616\n",
               "2: '18446744073709551616' is not a counter, a whole number below 2^64"},
        Broken{"FractionOfACounter", kCsv + "e,1,2.5,3\n",
               "2: '2.5' is not a counter, a whole number below 2^64"},
        Broken{"TextAsRate", "interface,time,in_bit_per_s,out_bit_per_s\ne,1,fast,3\n",
               "2: 'fast' is not a number"},
        Broken{"NoRows", kCsv, "0: no readings"},
        Broken{"OneReading", kCsv + "e,1,2,3\n", "0: no interface was read twice"},
        Broken{"SurfnetWithoutATime", "node1,node2,interface,rx,tx\nA,B,x,1,2\n",
               "1: the first line must name the columns; missing: a time at the end of the file's "
               "name"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Snmp, BrokenCounters,
    testing::Values(
        Broken{"NoBegin", "IF-MIB::ifName.1 = STRING: e\n",
               "1: a walk begins with a line such as '# 1703858100 s0'"},
        Broken{"NoTime", "# now s0\n",
               "1: a walk begins with its time and its device, as in '# 1703858100 s0'"},
        Broken{"NoDevice", "# 300\n",
               "1: a walk begins with its time and its device, as in '# 1703858100 s0'"},
        Broken{"TextAsCounter", "# 300 s0\nIF-MIB::ifInOctets.1 = Counter32: many\n",
               "2: 'Counter32: many' is not a counter, as in 'Counter64: 123456'"},
        Broken{"GaugeAsCounter", "# 300 s0\n\nIF-MIB::ifHCInOctets.1 = Gauge32: 5\n",
               "3: 'Gauge32: 5' is not a counter, as in 'Counter64: 123456'"},
        Broken{"NoCounter", "# 300 s0\nIF-MIB::ifName.1 = STRING: e\n", "0: no readings"}),
    name_of);

std::string answer(const std::string& result) {
  return R"({"status":"success","data":{"resultType":"matrix","result":[)" + result + "]}}";
}
std::string series(const std::string& values) {
  return answer(R"({"metric":{"__name__":"ifInOctets","ifName":"e"},"values":)" + values + "}");
}

INSTANTIATE_TEST_SUITE_P(
    Prometheus, BrokenCounters,
    testing::Values(
        Broken{"Cut", "{\"status\":", "0: is not JSON, at byte ..."},
        Broken{"SomethingElse", "{}",
               "0: no data.result: not the answer of a Prometheus server to query_range"},
        Broken{"Error", R"({"status":"error","error":"bad query"})", "0: the status is 'error'"},
        Broken{"Vector", R"({"status":"success","data":{"resultType":"vector","result":[]}})",
               "0: the result is a vector, not a matrix: ask by /api/v1/query_range"},
        Broken{"Instant", answer(R"({"metric":{"__name__":"ifInOctets"},"value":[1,"2"]})"),
               "0: a series of 'ifInOctets' without a label..."},
        Broken{"Rate", answer(R"({"metric":{"device":"e"},"values":[[1,"2"]]})"),
               "0: a series without a name: ask for the counters themselves, not for rate()"},
        Broken{"NoDirection", answer(R"({"metric":{"__name__":"up","device":"e"},"values":[]})"),
               "0: 'up' does not say whether it counts what comes in or goes out"},
        Broken{"NoInterface", answer(R"({"metric":{"__name__":"ifInOctets"},"values":[]})"),
               "0: a series of 'ifInOctets' without a label..."},
        Broken{"NoMetric", answer(R"({"values":[[1,"2"]]})"),
               "0: values before the labels of their series"},
        Broken{"TextAsValue", series(R"([[1,"two"]])"), "0: 'two' is not a number"},
        Broken{"NoValue", series("[[1]]"), "0: a value is [time, \"number\"]"},
        Broken{"ThreeFields", series(R"([[1,"2","3"]])"), "0: a value is [time, \"number\"]"},
        Broken{"NegativeTime", series(R"([[-1,"2"]])"), "0: a time is seconds since 1970"},
        Broken{"LateTime", series(R"([[1e30,"2"]])"), "0: a time is seconds since 1970"},
        Broken{"Deep", answer(std::string(30, '[')), "0: nested too deep"},
        Broken{"NoSeries", answer(""), "0: no readings"}),
    name_of);

const std::string kFlows = "firstSeen,lastSeen,routerIP,input,output,bytes\n";

INSTANTIATE_TEST_SUITE_P(
    Nfdump, BrokenCounters,
    testing::Values(
        Broken{"NoInterfaces", "firstSeen,duration,proto,packets,bytes,flows\n",
               "1: flow records need their interfaces, times and bytes, as of nfdump -o "
               "csv:%ts,%te,%ra,%in,%out,%byt; missing: te or lastSeen, in or input, out or "
               "output"},
        Broken{"ShortRow", kFlows + "300,600,r,1,2\n", "2: a row has 6 fields"},
        Broken{"NoTime", kFlows + "now,600,r,1,2,3\n",
               "2: 'now' is no time: 2024-01-01 00:00:00, or seconds since 1970"},
        Broken{"NegativeIndex", kFlows + "300,600,r,-1,2,3\n",
               "2: '-1' is not an index of interfaces"},
        Broken{"LargeIndex", kFlows + "300,600,r,1,4294967296,3\n",
               "2: '4294967296' is not an index of interfaces"},
        Broken{"ScaledBytes", kFlows + "300,600,r,1,2,1.2 M\n",
               "2: '1.2 M' is not a number of bytes"},
        Broken{"EndsFirst", kFlows + "600,300,r,1,2,3\n", "2: the flow ends before it begins"},
        Broken{"LastsForYears", kFlows + "0,1704067200,r,1,2,3\n", "2: the flow lasts 19723 days"},
        Broken{"NoRows", kFlows + "Summary\nflows,bytes\n0,0\n", "0: no readings"},
        Broken{"Moment", kFlows + "300,301,r,1,2,3\n", "0: no readings"}),
    name_of);

// ---- mappings

class BrokenMappings : public testing::TestWithParam<Broken> {};

TEST_P(BrokenMappings, AreRefused) {
  const auto graph =
      topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  const auto files = read_mapping_text(GetParam().text, "s0", *graph);
  ASSERT_FALSE(files);
  expect_error(files.error(), "s0", GetParam());
}

const std::string kRows = "interface,from,to\n";

INSTANTIATE_TEST_SUITE_P(
    Rows, BrokenMappings,
    testing::Values(
        Broken{"Empty", "\n", "0: an empty file"},
        Broken{"NoHeader", "a,s0,s1\n", "1: the first line must be 'interface,from,to'"},
        Broken{"NoNode", kRows + "a,s0,s7\n", "2: unknown node 's7'..."},
        Broken{"ShortRow", kRows + "a,s0\n", "2: a row has three fields: interface, from, to"},
        Broken{"NoSecondLink", kRows + "a,s0,s1.2\n", "2: no such link from s0 to s1.2"},
        Broken{"NoNumber", kRows + "a,s0,s1.x\n", "2: no such link from s0 to s1.x"},
        Broken{"LargeNumber", kRows + "a,s0,s1.99999999999\n",
               "2: no such link from s0 to s1.99999999999"},
        Broken{"Twice", kRows + "a,s0,s1\na,s0,s2\n", "3: 'a' is there twice"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Lldp, BrokenMappings,
    testing::Values(
        Broken{"Cut", "{\"lldp\":", "0: is not JSON"},
        Broken{"SomethingElse", "{}",
               "0: no \"lldp\": {...}: not the output of 'lldpcli show neighbors -f json'"},
        Broken{"Json0", R"({"lldp":[{}]})",
               "0: no \"lldp\": {...}: not the output of 'lldpcli show neighbors -f json'"},
        Broken{"NoInterface", R"({"lldp":{"interface":["eth0"]}})",
               "0: not an interface: {\"eth0\": {...}}"},
        Broken{"NoChassis", R"({"lldp":{"interface":{"eth0":{"port":{}}}}})",
               "0: a neighbour without its chassis"},
        Broken{"NoPort", R"({"lldp":{"interface":{"eth0":{"chassis":{}}}}})",
               "0: a neighbour without its port"},
        Broken{"NoPortId", R"({"lldp":{"interface":{"eth0":{"chassis":{},"port":{}}}}})",
               "0: a neighbour whose port has no id"},
        Broken{"WalkWithoutABegin", "LLDP-MIB::lldpLocPortId.3 = STRING: \"eth0\"\n",
               "1: a walk begins with a line such as '# 1703858100 s0'"},
        Broken{"WalkOfNobody", "# 300 s9\n", "1: unknown node 's9'..."},
        Broken{"WalkWithoutATime", "# now s0\n",
               "1: a walk begins with its time and its device, as in '# 1703858100 s0'"},
        Broken{"ShortIndex", "# 300 s0\nLLDP-MIB::lldpRemSysName.3 = STRING: \"s1\"\n",
               "2: a row of the remote table has the index time.port.row"}),
    name_of);

TEST(BrokenMapping, OfADeviceWithoutAName) {
  const auto graph =
      topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  const auto files = read_mapping_text("{}", "tables/leaf.json", *graph);
  ASSERT_FALSE(files);
  EXPECT_TRUE(files.error()[0].message.starts_with(
      "the file of a table is named after its device, as s0.json: unknown node 'leaf'"));
}

// ---- what fuzzers began with, and found

bool counters_accepted(const std::string& begin, const std::string& name, const std::string& text) {
  CounterReader reader({.most_loads = 1'000'000});
  reader.text(begin + text, name);
  return std::move(reader).finish().has_value();
}

TEST(Corpus, CountersAreAnswered) {
  EXPECT_GE(test::replay_corpus("counters",
                                [](const std::string& text) {
                                  return counters_accepted("", "s0/link-1704067200.csv", text);
                                }),
            3);
  EXPECT_GE(test::replay_corpus("snmpwalk",
                                [](const std::string& text) {
                                  return counters_accepted("# 300 s0\n", "walks", text);
                                }),
            1);
  EXPECT_GE(test::replay_corpus(
                "prometheus",
                [](const std::string& text) { return counters_accepted("", "answer", text); }),
            1);
  EXPECT_GE(test::replay_corpus("nfdump",
                                [](const std::string& text) {
                                  return counters_accepted("ts,te,ra,in,out,ibyt,obyt\n", "flows",
                                                           text);
                                }),
            1);
}

TEST(Corpus, MappingsAreAnswered) {
  const auto graph =
      topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  EXPECT_GE(
      test::replay_corpus("mapping",
                          [&](const std::string& text) {
                            return read_mapping_text(kRows + text, "rows", *graph).has_value();
                          }),
      1);
  EXPECT_GE(
      test::replay_corpus("lldp",
                          [&](const std::string& text) {
                            const std::string begin = text.starts_with('{') ? "" : "# 300 s0\n";
                            return read_mapping_text(begin + text, "s0.json", *graph).has_value();
                          }),
      2);
}

}  // namespace
}  // namespace ebb::counters
