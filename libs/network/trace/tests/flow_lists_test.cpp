// SPDX-License-Identifier: Apache-2.0
#include "ebb/trace/flow_lists.hpp"

#include "support/corpus.hpp"

#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ebb::trace {
namespace {

using program::Operation;
using program::Summary;

Parameters parameters_of(std::string_view format, const ParameterTexts& given = {}) {
  const auto found = std::ranges::find(formats(), format, &Format::name);
  return Parameters::resolve(found->parameters, given).value();
}

Result<Trace> csv(std::string_view text, const ParameterTexts& given = {}) {
  return read_flow_csv(text, "list", "", parameters_of("flows-csv", given));
}

Result<Trace> hpcc(std::string_view text, const ParameterTexts& given = {}) {
  return read_hpcc(text, "list", parameters_of("hpcc", given));
}

Result<Trace> htsim(std::string_view text, const ParameterTexts& given = {}) {
  return read_htsim(text, "list", parameters_of("htsim", given));
}

std::string text_of(const Result<Trace>& trace) {
  if (!trace) return to_string(trace.error());
  EXPECT_EQ(to_string(check(trace->program, program::Markers::refuse)), "");
  std::ostringstream text;
  write_goal_text(trace->program, text);
  return text.str();
}

std::string repairs_of(const Result<Trace>& trace) {
  std::string all;
  for (const std::string& repair : trace->repairs) all += repair + "\n";
  return all;
}

TEST(FlowCsv, BecomesClocksSendsAndReceives) {
  const auto trace = csv("time_us,source,destination,bytes\n0,0,1,100\n2.5,0,1,7\n1,1,0,1\n");
  EXPECT_EQ(text_of(trace),
            "num_ranks 2\n\nrank 0 {\n"
            "l0: recv 1b from 1 tag 0 cpu 0 nic 0\n"
            "l1: send 100b to 1 tag 0 cpu 0 nic 0\n"
            "l2: calc 2500 cpu 1\n"
            "l3: send 7b to 1 tag 1 cpu 0 nic 0\n"
            "l3 requires l2\n}\n\nrank 1 {\n"
            "l0: recv 100b from 0 tag 0 cpu 0 nic 0\n"
            "l1: recv 7b from 0 tag 1 cpu 0 nic 0\n"
            "l2: calc 1000 cpu 1\n"
            "l3: send 1b to 0 tag 0 cpu 0 nic 0\n"
            "l3 requires l2\n}\n");
  EXPECT_TRUE(trace->repairs.empty());
  EXPECT_EQ(trace->program.line(0, 3), 3);
}

TEST(FlowCsv, HasColumnsInAnyOrderWithOtherNamesAndUnits) {
  const auto expected =
      text_of(csv("time_us,source,destination,bytes\n5,0,1,1000\n7,1,2,2000000\n"));
  EXPECT_EQ(text_of(csv("Size;Dst;Src;Start (ns)\n1000;1;0;5000\n2MB;2;1;7e3\n")), expected);
  EXPECT_EQ(text_of(csv("at\tfrom\tto\tlength\n5us\t0\t1\t1000\n0.007ms\t1\t2\t2MB\n")), expected);
  EXPECT_EQ(text_of(csv("time,src,dst,bytes\n5,0,1,1000\n7,1,2,2MB\n", {{"unit", "us"}})),
            expected);
}

TEST(FlowCsv, ListsWhatItLeavesOutAndCutsOff) {
  const auto trace =
      csv("at_ps,source,destination,bytes,proto\n999,0,1,1,udp\n1000,1,0,1,udp\n2001,1,0,1,tcp\n");
  EXPECT_EQ(repairs_of(trace),
            "columns that are no part of a flow are left out: proto\n"
            "2 start times are cut to whole nanoseconds, by at most 999ps (first in line 2)\n");
}

TEST(FlowCsv, CountsFromTheFirstStartOnDemand) {
  const auto unix_times = "time_s,src,dst,bytes\n1700000000.000000001,0,1,9\n1700000000.5,1,0,9\n";
  EXPECT_NE(text_of(csv(unix_times)).find("list:2: error: a flow starts 1700000000000000001 ns"),
            std::string::npos);
  const auto trace = csv(unix_times, {{"begin", "first"}});
  EXPECT_NE(text_of(trace).find("calc 499999999 cpu 1"), std::string::npos);
  EXPECT_NE(repairs_of(trace).find("first start, 1700000000000000001 ns after"), std::string::npos);
}

TEST(FlowCsv, ReportsEveryMistakeWithItsLine) {
  EXPECT_EQ(text_of(csv("time_us,source,destination,bytes\n"
                        "1,0,0,1\n-1,0,1,1\n1,0,1\n1,a,1,1\n1,0,1,12kB3\n\n1,0,1000000,1.5\n")),
            "list:2: error: a host sends nothing to itself\n"
            "list:3: error: '-1' is no time from 0 on\n"
            "list:4: error: the line has 3 fields, and the header has 4\n"
            "list:5: error: a host is a whole number from 0 to 999999, not 'a'\n"
            "list:6: error: a size in bytes is a whole number from 0 to 1152921504606846975, not "
            "'12kB3'\n"
            "list:8: error: a host is a whole number from 0 to 999999, not '1000000'\n"
            "list:8: error: a size in bytes is a whole number from 0 to 1152921504606846975, not "
            "'1.5'\n");
  EXPECT_EQ(text_of(csv("time,source,destination,bytes\n1,0,1,1\n")),
            "list:2: error: the time '1' has no unit: name its column like time_us, or --set "
            "unit=us\n");
  EXPECT_EQ(text_of(csv("src,source,dst\n")),
            "list:1: error: no column 'time' (ebb trace formats)\n"
            "list:1: error: no column 'bytes' (ebb trace formats)\n"
            "list:1: error: two columns are 'source'\n");
  EXPECT_EQ(text_of(csv("time_s,src,dst,bytes\n1,0,9,1\n", {{"hosts", "8"}})),
            "list: error: a flow names host 9, and the parameter hosts is 8\n");
}

TEST(FlowCsv, TakesNamesAndAddressesOfATable) {
  const auto path = std::filesystem::path(testing::TempDir()) / "flow_hosts";
  std::ofstream(path) << "# hosts\nnode1 0\n10.0.0.0/8 1\n10.1.0.0/16 2\n2001:db8::/32 3\n";
  const auto read = [&](std::string_view text) {
    return read_flow_csv(text, "list", path, parameters_of("flows-csv"));
  };
  EXPECT_EQ(text_of(read("time_s,src,dst,bytes\n0,node1,10.9.9.9,1\n0,10.1.2.3,2001:db8::7,2\n")),
            text_of(csv("time_s,src,dst,bytes\n0,0,1,1\n0,2,3,2\n")));
  EXPECT_EQ(text_of(read("time_s,src,dst,bytes\n0,node2,11.0.0.1,1\n")),
            "list:2: error: 'node2' is not in " + path.string() +
                "; did you mean 'node1'?\nlist:2: error: '11.0.0.1' is not in " + path.string() +
                "\n");
  std::ofstream(path) << "10.0.0.1 0\n10.0.0.1/32 1\n10.0.0.0/33 1\nnode\nnode -1\n";
  EXPECT_EQ(text_of(read("")).find(path.string() +
                                   ":2: error: '10.0.0.1/32' is in the table twice"
                                   "\n" +
                                   path.string() + ":3: error: '10.0.0.0/33' is no prefix"),
            0U);
}

TEST(Hpcc, ReadsAsManyFlowsAsItsFirstLineSays) {
  const auto trace = hpcc("2\n0 2 3 100 1000 2.0\n1 2 3 100 64 2.0000105\n0 1 3 1 1 3\nprose\n",
                          {{"begin", "first"}});
  EXPECT_EQ(text_of(trace), text_of(csv("at_ns,src,dst,bytes\n0,0,2,1000\n10500,1,2,64\n")));
  EXPECT_EQ(repairs_of(trace),
            "2 lines after the 2 flows that the first line announces are left out (first in line "
            "4)\n"
            "time begins at the first start, 2000000000 ns after time 0 of the file\n");
}

TEST(Hpcc, ReportsEveryMistakeWithItsLine) {
  EXPECT_EQ(text_of(hpcc("3\n0 1 3 100 1\n0 0 3 1 1 1\n")),
            "list:2: error: a flow is: source destination priority-group port bytes seconds\n"
            "list:3: error: a host sends nothing to itself\n");
  EXPECT_EQ(text_of(hpcc("3\n0 1 3 100 1 1\n")),
            "list:2: error: the file ends after 1 flows, and its first line says 3\n");
}

TEST(Htsim, StartsConnectionsByTimeInPicoseconds) {
  const auto trace = htsim(
      "# comment\nNodes 4\nConnections 2\n0->1 id 1 start 2000 size 9\n3->1 start 0 size 8 msg\n");
  EXPECT_EQ(text_of(trace), text_of(csv("at_ns,src,dst,bytes\n2,0,1,9\n0,3,1,8\n")));
  EXPECT_TRUE(trace->repairs.empty());
}

TEST(Htsim, WarnsOfStartsThatWereMeantAsMicroseconds) {
  const auto text = "Nodes 2\nConnections 1\n0->1 start 16 size 8\n";
  EXPECT_NE(repairs_of(htsim(text)).find("the last start is 16ps"), std::string::npos);
  EXPECT_EQ(text_of(htsim(text, {{"unit", "us"}})),
            text_of(csv("at_us,src,dst,bytes\n16,0,1,8\n")));
}

// Rank 0 sends two after one another; rank 1 answers when it has the first.
TEST(Htsim, TriggersWithinANodeAreDependencies) {
  const auto trace = htsim(
      "Nodes 3\nConnections 3\nTriggers 2\n"
      "0->1 id 1 start 0 size 10 send_done_trigger 1 recv_done_trigger 2\n"
      "0->2 id 2 trigger 1 size 20\n1->0 id 3 trigger 2 size 30\n"
      "trigger id 1 oneshot\ntrigger id 2 multishot\n");
  EXPECT_TRUE(trace->repairs.empty());
  const std::string text = text_of(trace);
  EXPECT_NE(text.find("l1: send 10b to 1 tag 0 cpu 0 nic 0\nl2: send 20b to 2 tag 0 cpu 0 nic 0\n"
                      "l2 requires l1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("l0: recv 10b from 0 tag 0 cpu 0 nic 0\nl1: send 30b to 0 tag 0 cpu 0 nic 0\n"
                      "l1 requires l0\n"),
            std::string::npos)
      << text;
}

// Two flows of rank 2 wait for both flows of a barrier, one of which ends on rank 1, one on rank 2.
TEST(Htsim, TriggersBetweenNodesAreMessages) {
  const auto trace = htsim(
      "Nodes 4\nConnections 4\nTriggers 1\n"
      "0->1 start 0 size 10 recv_done_trigger 9\n0->2 start 0 size 11 recv_done_trigger 9\n"
      "2->3 trigger 9 size 12\n2->3 trigger 9 size 13\ntrigger id 9 barrier count 2\n");
  EXPECT_EQ(repairs_of(trace),
            "1 messages of 0 bytes tell other hosts that a flow is done, because flows there wait "
            "for it\n");
  const Summary summary = summarize(trace->program);
  EXPECT_EQ(summary.sends, 5U);
  EXPECT_EQ(summary.receives, 5U);
  EXPECT_EQ(summary.after_end, 5U);  // four of the flows that wait, one of the message
  EXPECT_NE(text_of(trace).find("rank 2 {\n"
                                "l0: recv 11b from 0 tag 0 cpu 0 nic 0\n"
                                "l1: recv 0b from 1 tag 0 cpu 0 nic 0\n"
                                "l2: send 12b to 3 tag 0 cpu 0 nic 0\n"
                                "l3: send 13b to 3 tag 1 cpu 0 nic 0\n"
                                "l2 requires l0\nl3 requires l0\nl2 requires l1\nl3 requires l1\n"),
            std::string::npos)
      << text_of(trace);
}

TEST(Htsim, AMultishotTriggerStartsOneFlowForEachThatIsDone) {
  const auto trace = htsim(
      "Nodes 2\nConnections 3\nTriggers 1\nFailures 1\n"
      "0->1 start 0 size 1 send_done_trigger 1\n0->1 start 0 size 2 send_done_trigger 1 prio 4\n"
      "0->1 trigger 1 size 3\ntrigger id 1 multishot\n"
      "failure switch_type TOR switch_id 0 link_id 0\n");
  EXPECT_NE(text_of(trace).find("l2 requires l0\n}"), std::string::npos);
  EXPECT_EQ(repairs_of(trace),
            "1 failures of links are left out, because a program has no network (first in line 9)\n"
            "1 priorities of connections are left out (first in line 6)\n"
            "1 multishot triggers start their n-th flow when the n-th flow of the file that fires "
            "them is done, whichever is done n-th (first in line 8)\n");
}

TEST(Htsim, ReportsEveryMistakeWithItsLine) {
  EXPECT_EQ(
      text_of(htsim("Nodes 2\nConnections 2\nTriggers 3\nNodse 2\n0->2 start 0 size 1\n"
                    "0->1 start 0 trigger 1 size 1\n0->1 id 0 start 0 sise 1\n1->0 start 0\n"
                    "1->1 start 0 size 1\n0->1 trigger 4 size 1 recv_done_trigger 5\n"
                    "trigger id 1 oneshot 3\ntrigger id 5 singleshot\ntrigger id 6 barrier\n")),
      "list:4: error: unknown statement 'Nodse'; did you mean 'Nodes'?\n"
      "list:5: error: a node is a whole number from 0 to 1, not '2'\n"
      "list:6: error: a connection has either 'start' or 'trigger'\n"
      "list:7: error: id is a whole number from 1 to 4294967295, not '0'\n"
      "list:7: error: unknown field 'sise'; did you mean 'size'?\n"
      "list:8: error: a connection has a 'size'\n"
      "list:9: error: a node sends nothing to itself\n"
      "list:11: error: after the kind of a trigger only 'count N' may follow\n"
      "list:12: error: unknown kind of trigger 'singleshot'; did you mean 'oneshot'?\n"
      "list:13: error: a barrier has a 'count'\n"
      "list:13: error: 'Connections 2' is announced, and 6 follow\n"
      "list:10: error: trigger 4 is named and not defined\n"
      "list:10: error: trigger 5 is named and not defined\n");
  EXPECT_EQ(text_of(htsim("Nodes 2\nConnections 3\n0->1 start 0 size 1 send_done_trigger 1\n"
                          "1->0 start 0 size 1 send_done_trigger 1\n0->1 trigger 1 size 1\n"
                          "trigger id 1 oneshot\n")),
            "list:6: error: trigger 1 is a oneshot, and 2 flows fire it\n");
}

TEST(Formats, OfFlowsAreRecognized) {
  const auto path = std::filesystem::path(testing::TempDir()) / "recognized_flows";
  const auto format = [&](std::string_view text) {
    std::ofstream(path) << text;
    const auto trace = read_trace(path, {});
    return trace ? std::string(trace->format) : to_string(trace.error());
  };
  EXPECT_EQ(format("# made by hand\nNodes 2\nConnections 1\n0->1 start 0 size 8"), "htsim");
  EXPECT_EQ(format("1\n0 1 3 100 8 2.0\n"), "hpcc");
  EXPECT_EQ(format("at_ps,source,destination,bytes\n0,0,1,8\n"), "flows-csv");
}

TEST(Corpus, ListsOfFlowsAreAnswered) {
  const auto replay = [](const std::string& text) {
    return htsim(text).has_value() || hpcc(text).has_value() || csv(text).has_value();
  };
  EXPECT_GE(test::replay_corpus("flows", replay), 5);
}

}  // namespace
}  // namespace ebb::trace
