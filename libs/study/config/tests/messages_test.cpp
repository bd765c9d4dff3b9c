// SPDX-License-Identifier: Apache-2.0
//
// The key `traffic.messages`: a list of messages in a file, or in the key itself.
#include "prepared.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/config/simulation.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace ebb::config {
namespace {

const std::string kBefore =
    "schema_version: 1\n"
    "topology: {family: fbfly, hosts: 2, dims: 2}\n"
    "routing: minimal-adaptive\n"
    "traffic: {messages: ";
const std::string kAfter =
    "}\n"
    "policy: always-on\n"
    "parts: {switch: isca10-chip, rate_table: ideal-link}\n";

// `text` as a scalar of YAML.
Result<Simulation> with_messages(const std::string& text) {
  return prepared_from(kBefore + text + kAfter, {});
}

std::string errors_of(const std::string& text) {
  const auto file = read_sim_text(kBefore + text + kAfter, "sim.yaml", library(), {});
  if (!file) return to_string(file.error());
  const auto made = prepare(*file, library());
  return made ? "accepted" : to_string(made.error());
}

TEST(Messages, AreWhatTheHostsSend) {
  const auto made =
      with_messages(R"("# a trace\nat_ps,source,destination,bytes\n0,0,3,100\n\n5,2,1,200\n")");
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->sending_hosts, 2U);
  const auto offered = traffic::offered(*made->workload, 1, TimePoint(Duration(6)));
  EXPECT_EQ(offered.messages(), 2);
  EXPECT_EQ(offered.sent_to(1), bytes(200));
}

TEST(Messages, OfAFileAreAPartOfTheConfiguration) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("trace.csv");
  std::ofstream(path) << "at_ps,source,destination,bytes\n0,0,3,100\n";
  const auto by_file = with_messages(path);
  ASSERT_TRUE(by_file) << to_string(by_file.error());
  const auto inline_text = with_messages(R"("at_ps,source,destination,bytes\n0,0,3,100\n")");
  ASSERT_TRUE(inline_text);
  const std::string resolved = resolved_text(by_file->spec);
  EXPECT_EQ(resolved, resolved_text(inline_text->spec));
  const auto again = prepared_from(resolved, {});
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->spec, by_file->spec);
}

TEST(Messages, AreRefusedWithAllTheirMistakes) {
  const std::string wrong = errors_of(
      R"("at_ps,source,destination,bytes\n0,0,4,100\n-1,0,1,1\n0,1,1,9\n0,1\n0,1,2,0\n0,1,2,3,4\n")");
  for (const char* part :
       {"message 0: '4' is no host: a whole number from 0 to 3", "message 1: '-1' is no time",
        "message 2: a host sends nothing to itself", "message 3: a message has four fields",
        "message 4: '0' is no size", "message 5: a message has four fields"}) {
    EXPECT_NE(wrong.find(part), std::string::npos) << part << " is not in\n" << wrong;
  }
  EXPECT_NE(wrong.find("(at traffic.messages)"), std::string::npos) << wrong;
  EXPECT_NE(errors_of("\"0,0,3,100\\n\"").find("the first line must be"), std::string::npos);
  EXPECT_NE(errors_of("missing.csv").find("missing.csv: no such file"), std::string::npos)
      << errors_of("missing.csv");
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("empty.csv")).flush();
  EXPECT_NE(errors_of(folder.file("empty.csv")).find("empty.csv: no line 'at_ps"),
            std::string::npos);
  EXPECT_NE(errors_of("missing.csv, pattern: uniform").find("pattern"), std::string::npos);
}

}  // namespace
}  // namespace ebb::config
