// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/export.hpp"

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace ebb::results {
namespace {

Record small_record(const std::string& key, std::uint64_t seed) {
  Record record;
  record.run.key = key;
  record.run.setup = "setup";
  record.run.label = "small, \"quoted\"";
  record.run.configuration = "a: 1\n";
  record.run.version = "1";
  record.run.seed = seed;
  record.run.parameters = {{"traffic.load", "15%"}};
  record.run.metrics = {{"power.relative", "1", 0.1}, {"packet_latency.mean", "ps", 1500}};
  record.histograms = {{"packet_latency", {{Duration(2000), 3}}}};
  record.residency = {{"channel", 0, "asleep", Duration(70)}};
  return record;
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The same runs stored in another order.
Store store_of(const std::string& path, bool reversed) {
  auto store = Store::open_to_write(path).value();
  const Record first = small_record("aaaa", 1);
  const Record second = small_record("bbbb", 2);
  EXPECT_TRUE(store.put(reversed ? second : first));
  EXPECT_TRUE(store.put(reversed ? first : second));
  return store;
}

TEST(CsvField, IsQuotedWhenItHasTo) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(Export, GivesTheSameJsonWhateverTheOrderOfStoring) {
  const test::TemporaryFolder folder;
  std::string texts[2];
  for (const bool reversed : {false, true}) {
    const Store store = store_of(folder.file(reversed ? "b.db" : "a.db"), reversed);
    const Errors errors =
        export_json(store, [&](std::string_view text) { texts[reversed ? 1 : 0] += text; });
    EXPECT_TRUE(errors.empty());
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0].rfind("{\"format\":\"ebb-results 1\",\"runs\":[\n{\"key\":\"aaaa\"", 0), 0U);
  EXPECT_NE(texts[0].find("\"parameters\":{\"traffic.load\":\"15%\"}"), std::string::npos);
}

TEST(Export, WritesOneTablePerFile) {
  const test::TemporaryFolder folder;
  const Store store = store_of(folder.file("a.db"), false);
  ASSERT_TRUE(export_csv(store, folder.file("tables")).empty());
  EXPECT_EQ(
      content(folder.file("tables/runs.csv")),
      "key,setup,label,version,seed,status,traffic.load,power.relative,packet_latency.mean_ps\n"
      "aaaa,setup,\"small, \"\"quoted\"\"\",1,1,done,15%,0.1,1500\n"
      "bbbb,setup,\"small, \"\"quoted\"\"\",1,2,done,15%,0.1,1500\n");
  EXPECT_EQ(content(folder.file("tables/histograms.csv")),
            "key,name,upper_ps,count\naaaa,packet_latency,2000,3\nbbbb,packet_latency,2000,3\n");
  EXPECT_EQ(content(folder.file("tables/residency.csv")),
            "key,class,state,name,ps\naaaa,channel,0,asleep,70\nbbbb,channel,0,asleep,70\n");
  EXPECT_EQ(content(folder.file("tables/series.csv")),
            "key,frame,end_ps,channel,busy_share,sent_bit,queued_bit,energy_J,state\n");
}

TEST(Export, TellsThatAFolderCannotBeMade) {
  const test::TemporaryFolder folder;
  const Store store = store_of(folder.file("a.db"), false);
  const Errors errors = export_csv(store, folder.file("a.db/tables"));
  ASSERT_EQ(errors.size(), 1U);
}

}  // namespace
}  // namespace ebb::results
