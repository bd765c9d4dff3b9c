// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/store.hpp"

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <thread>
#include <vector>

namespace ebb::results {
namespace {

Record record(const std::string& key, std::uint64_t seed) {
  Record made;
  made.run = {.key = key,
              .setup = "5e70",
              .label = "test",
              .configuration = "seed: 1\n",
              .version = "0.1.0",
              .seed = seed,
              .parameters = {{"z.last", "15%"}, {"a.first", "x"}},
              .metrics = {{"power.relative", "1", 0.1}, {"messages", "1", 3}}};
  made.histograms = {{"message_latency", {{Duration(5), 1}, {Duration(1'000'000'000'000), 7}}},
                     {"packet_latency", {{Duration(1), 2}}}};
  made.residency = {{"channel", 0, "asleep", Duration(10)}, {"channel", 1, "changing", {}}};
  made.channels = {{.number = 0,
                    .from = "h0",
                    .to = "s0",
                    .meter_class = "channel",
                    .busy = Duration(4),
                    .sent = bits(9),
                    .energy_joules = 1e-9,
                    .transitions = 2,
                    .state_times = {Duration(10), Duration(0)}}};
  made.series = Series{.every = Duration(5),
                       .ends = {TimePoint(Duration(5)), TimePoint(Duration(8))},
                       .channels = 1,
                       .busy_share = {0.25F, 1.0F},
                       .sent_bits = {1.0F, 16384.0F},
                       .queued_bits = {0, 3},
                       .energy_joules = {1e-9F, -0.0F},
                       .states = {0, 255}};
  return made;
}

// Runs SQL on the file, as another program would.
void sql(const std::string& path, const char* text) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(connection, text, nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(connection);
}

std::string message(const Errors& errors) { return to_string(errors); }

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Store, GivesBackWhatWasPut) {
  const test::TemporaryFolder folder;
  Record put = record("aaaa1", 7);
  {
    auto store = Store::open_to_write(folder.file("r.db")).value();
    put.run.id = store.put(put).value();
  }
  const auto store = Store::open_to_read(folder.file("r.db")).value();
  const auto runs = store.runs().value();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0], put.run);
  EXPECT_EQ(store.record(runs[0]).value(), put);
}

// Each makes the tables, changes the journal mode and changes it back.
TEST(Store, ManyOpenItAtOnce) {
  for (int round = 0; round < 10; ++round) {
    const test::TemporaryFolder folder;
    std::vector<std::thread> writers;
    std::atomic<int> opened = 0;
    for (int i = 0; i < 8; ++i) {
      writers.emplace_back([&] {
        const auto store = Store::open_to_write(folder.file("r.db"));
        EXPECT_TRUE(store.has_value()) << to_string(store.error());
        if (store) ++opened;
      });
    }
    for (std::thread& writer : writers) writer.join();
    ASSERT_EQ(opened, 8);
  }
}

TEST(Store, LeavesOneFile) {
  const test::TemporaryFolder folder;
  (void)Store::open_to_write(folder.file("r.db"))->put(record("aaaa1", 7)).value();
  EXPECT_FALSE(std::filesystem::exists(folder.file("r.db-wal")));
  EXPECT_EQ(Store::open_to_read(folder.file("r.db"))->runs()->size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder.file("r.db-shm")));
}

TEST(Store, IsReadWhileItIsWritten) {
  const test::TemporaryFolder folder;
  auto writer = Store::open_to_write(folder.file("r.db")).value();
  (void)writer.put(record("aaaa1", 7)).value();
  const auto reader = Store::open_to_read(folder.file("r.db")).value();
  EXPECT_EQ(reader.runs()->size(), 1U);
  auto second = Store::open_to_write(folder.file("r.db")).value();
  (void)second.put(record("bbbb1", 8)).value();
  (void)writer.put(record("cccc1", 9)).value();
  EXPECT_EQ(reader.runs()->size(), 3U);
}

// A writer that was killed in the middle of a transaction leaves pages that only its journal can
// put right: SQLite does so at the next opening, if it may write.
TEST(Store, IsReadAfterItsWriterWasKilled) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("whole.db");
  (void)Store::open_to_write(path)->put(record("aaaa1", 7)).value();
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  // Writes to the file before the end, as a transaction larger than the cache does.
  ASSERT_EQ(sqlite3_exec(connection,
                         "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1;"
                         "PRAGMA cache_spill = 1; BEGIN; DELETE FROM runs;"
                         "CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
                         " SELECT i + 1 FROM n WHERE i < 2000) SELECT i, randomblob(100) FROM n;",
                         nullptr, nullptr, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(connection);
  const std::string killed = folder.file("killed.db");
  std::filesystem::copy_file(path, killed);
  std::filesystem::copy_file(path + "-journal", killed + "-journal");
  sqlite3_close(connection);
  const auto store = Store::open_to_read(killed);
  ASSERT_TRUE(store) << message(store.error());
  EXPECT_EQ(store->runs()->size(), 1U);
}

TEST(Store, ReplacesTheSameKeyAndKeepsItsNumber) {
  const test::TemporaryFolder folder;
  auto store = Store::open_to_write(folder.file("r.db")).value();
  const auto first = store.put(record("aaaa1", 1), 2.5).value();
  (void)store.put(record("bbbb1", 2)).value();
  Record failed;
  failed.run = record("aaaa1", 1).run;
  failed.run.id = first;
  failed.run.status = Status::failed;
  failed.run.error = "stalled";
  failed.run.metrics.clear();
  EXPECT_EQ(store.put(failed).value(), first);
  const auto runs = store.runs().value();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(store.record(runs[0]).value(), failed) << "nothing of the former run is left";
  EXPECT_EQ(store.keys().value().front().status, Status::failed);
}

TEST(Store, OrderOfStoringDoesNotShow) {
  const test::TemporaryFolder folder;
  auto store = Store::open_to_write(folder.file("r.db")).value();
  for (const char* load : {"100%", "5%", "15%"}) {
    Record made = record(std::string("aaaa") + load, 1);
    made.run.parameters = {{"load", load}};
    (void)store.put(made).value();
  }
  const auto runs = store.runs().value();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].parameter("load"), "5%");
  EXPECT_EQ(runs[1].parameter("load"), "15%");
  EXPECT_EQ(runs[2].parameter("load"), "100%");
}

TEST(Store, RefusesWhatIsNotItsOwn) {
  const test::TemporaryFolder folder;
  const auto missing = Store::open_to_read(folder.file("none.db"));
  ASSERT_FALSE(missing);
  EXPECT_TRUE(contains(message(missing.error()), "none.db: error: there is no such file"));

  sql(folder.file("other.db"), "CREATE TABLE t (x)");
  EXPECT_TRUE(contains(message(Store::open_to_write(folder.file("other.db")).error()),
                       "not one of ebb's results"));

  std::ofstream(folder.file("text.db")) << std::string(5000, 'x');
  EXPECT_TRUE(contains(message(Store::open_to_write(folder.file("text.db")).error()),
                       "file is not a database"));

  (void)Store::open_to_write(folder.file("new.db")).value();
  sql(folder.file("new.db"), "PRAGMA user_version = 99");
  for (const auto& opened : {Store::open_to_read(folder.file("new.db")).error(),
                             Store::open_to_write(folder.file("new.db")).error()}) {
    EXPECT_TRUE(contains(message(opened), "version 99, this ebb knows 1; use the newer ebb"));
  }
  EXPECT_FALSE(Store::open_to_write(folder.file("no/such/folder.db")));
}

TEST(Store, SaysWhenASeriesIsDamaged) {
  const test::TemporaryFolder folder;
  auto store = Store::open_to_write(folder.file("r.db")).value();
  const auto id = store.put(record("aaaa1", 1)).value();
  sql(folder.file("r.db"), "UPDATE series SET data = x'00' WHERE quantity = 'busy'");
  const auto series = store.series(id);
  ASSERT_FALSE(series);
  EXPECT_TRUE(contains(message(series.error()), "the series 'busy' of run 1 is damaged"));
}

// SQLite says "disk I/O error" or "unable to open database file".
TEST(Store, SaysThatADirectoryIsOne) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("runs"));
  const std::string expected = folder.file("runs") + ": error: is a directory";
  const auto written = Store::open_to_write(folder.file("runs"));
  const auto read = Store::open_to_read(folder.file("runs"));
  ASSERT_FALSE(written);
  ASSERT_FALSE(read);
  EXPECT_TRUE(contains(to_string(written.error()), expected));
  EXPECT_TRUE(contains(to_string(read.error()), expected));
}

TEST(Store, KnowsTheStatusOfAKey) {
  const test::TemporaryFolder folder;
  auto store = Store::open_to_write(folder.file("r.db")).value();
  EXPECT_EQ(store.status_of("aaaa1").value(), std::nullopt);
  Record failed = record("aaaa2", 2);
  failed.run.status = Status::failed;
  (void)store.put(record("aaaa1", 1)).value();
  (void)store.put(failed).value();
  EXPECT_EQ(store.status_of("aaaa1").value(), Status::done);
  EXPECT_EQ(store.status_of("aaaa2").value(), Status::failed);
}

TEST(Store, FindsARunByNumberOrKey) {
  std::vector<results::Run> runs(3);
  runs[0] = {.id = 1, .key = "abcd1234"};
  runs[1] = {.id = 2, .key = "abcd5678"};
  runs[2] = {.id = 1234, .key = "ffff0000"};
  EXPECT_EQ(*find_run(runs, "2"), &runs[1]);
  EXPECT_EQ(*find_run(runs, "1234"), &runs[2]);
  EXPECT_EQ(*find_run(runs, "abcd5"), &runs[1]);
  EXPECT_TRUE(contains(message(find_run(runs, "abcd").error()), "begins the keys of 2 runs"));
  EXPECT_TRUE(contains(message(find_run(runs, "ff").error()), "no run has"));
}

}  // namespace
}  // namespace ebb::results
