// SPDX-License-Identifier: Apache-2.0
//
// Against a real ovsdb-server and a real ovs-vswitchd.
#include "ebb/ovsdb/database.hpp"

#include "support/open_vswitch.hpp"

#include "ebb/ovsdb/session.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ebb::ovsdb {
namespace {

using namespace std::chrono_literals;
using transport::Stream;

constexpr Milliseconds kLong = 20s;

class Server : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::OpenVswitch::is_installed()) GTEST_SKIP() << "no Open vSwitch";
    ovs_.emplace();
    ovs_->add_bridge("br0", 2);
  }
  Stream connect(const std::string& socket) {
    return *Stream::connect(loop_, *transport::parse_address("unix:" + ovs_->file(socket)));
  }
  std::unique_ptr<Database> database(SessionTiming timing = {}) {
    return std::make_unique<Database>(loop_, connect("db.sock"), "Open_vSwitch", timing,
                                      [this](const std::string& reason) { closed_ = reason; });
  }
  template <class T, class Ask>
  Reply<T> answer(Ask ask) {
    std::optional<Reply<T>> got;
    ask([&](Reply<T> given) { got = std::move(given); });
    EXPECT_TRUE(loop_.run_until([&] { return got.has_value(); }, kLong));
    return *got;
  }
  Reply<std::vector<json>> transact(Database& database, const std::vector<json>& operations) {
    return answer<std::vector<json>>(
        [&](const auto& then) { database.transact(operations, then); });
  }

  transport::Loop loop_;
  std::optional<test::OpenVswitch> ovs_;
  std::string closed_;
};

TEST_F(Server, NamesItsDatabasesAndColumns) {
  const auto client = database();
  const auto names =
      answer<std::vector<std::string>>([&](const auto& then) { client->names_of_all(then); });
  ASSERT_TRUE(names);
  EXPECT_NE(std::find(names->begin(), names->end(), "Open_vSwitch"), names->end());
  const auto schema = answer<json>([&](const auto& then) { client->schema(then); });
  EXPECT_TRUE(schema->contains(json::json_pointer("/tables/Interface/columns/bfd")));
}

TEST_F(Server, SelectsAndMutates) {
  const auto client = database();
  const auto done = transact(*client, {mutate("Interface", by_name("br0p1"),
                                              {{"bfd", "insert", map_of({{"enable", "true"}})}}),
                                       select("Interface", by_name("br0p1"), {"name", "bfd"})});
  ASSERT_TRUE(done) << done.error().error;
  EXPECT_EQ(done->at(0), (json{{"count", 1}}));
  EXPECT_EQ(entries_of(done->at(1)["rows"][0]["bfd"]),
            (std::map<std::string, std::string>{{"enable", "true"}}));
}

TEST_F(Server, SaysWhichOperationItRefuses) {
  const auto client = database();
  const auto unknown =
      transact(*client, {select("Interface", {}, {"name"}), select("Nothing", {}, {"name"})});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().why, Why::refused);
  EXPECT_EQ(unknown.error().operation, 1U);
  // Refused as a whole: a row that nothing refers to may be inserted, a second root not.
  const auto second = transact(*client, {insert("Open_vSwitch", json::object(), "another")});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().error, "constraint violation");
  EXPECT_EQ(second.error().operation, 1U);
}

TEST_F(Server, ConfiguresTheSwitch) {
  const auto client = database();
  for (int i = 0; i < 3; ++i) {
    const auto done = answer<void>([&](const auto& then) {
      client->configure(
          {update("Bridge", by_name("br0"),
                  {{"other_config",
                    map_of({{"datapath-id", "000000000000000" + std::to_string(i + 1)}})}})},
          then);
    });
    ASSERT_TRUE(done) << done.error().error;
    // What the switch made of it is there when it has answered.
    const auto read = transact(*client, {select("Bridge", by_name("br0"), {"datapath_id"})});
    EXPECT_EQ(read->at(0)["rows"][0]["datapath_id"], "000000000000000" + std::to_string(i + 1));
  }
}

TEST_F(Server, ASwitchThatDoesNotFollowIsNoticed) {
  const auto client = database({.answer = 300ms});
  ovs_->daemon().pause();
  const auto done = answer<void>([&](const auto& then) { client->configure({}, then); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().why, Why::timed_out);
  ovs_->daemon().go_on();
}

TEST_F(Server, TellsOfChanges) {
  const auto client = database();
  json changed;
  const auto now = answer<json>([&](const auto& then) {
    client->monitor(
        {{"Interface", {"name", "admin_state"}}}, [&](const json& changes) { changed = changes; },
        then);
  });
  EXPECT_EQ(now->at("Interface").size(), 3U);
  ovs_->appctl("netdev-dummy/set-admin-state br0p1 down");
  EXPECT_TRUE(loop_.run_until([&] { return !changed.is_null(); }, kLong));
  EXPECT_EQ(changed["Interface"].front()["new"]["admin_state"], "down");
}

TEST_F(Server, KeepsAliveAndNoticesSilence) {
  const auto client = database({.keepalive = {.idle = 50ms, .reply = 300ms}});
  loop_.run_until([] { return false; }, 500ms);
  EXPECT_EQ(closed_, "") << "a server that answers echoes is alive";
  ovs_->database().pause();
  EXPECT_TRUE(loop_.run_until([&] { return !closed_.empty(); }, kLong));
  EXPECT_EQ(closed_, "the peer did not answer whether it is alive");
  ovs_->database().go_on();
}

TEST_F(Server, DaemonTakesCommands) {
  const auto client = database();
  ASSERT_TRUE(answer<void>([&](const auto& then) {
    client->configure(
        {mutate("Interface", by_name("br0p1"), {{"bfd", "insert", map_of({{"enable", "true"}})}})},
        then);
  }));
  Control control(loop_, connect("vswitchd.ctl"), {}, [](const auto&) {});
  const auto command = [&](const std::string& name, const std::vector<std::string>& words) {
    return answer<std::string>([&](const auto& then) { control.command(name, words, then); });
  };
  const auto set = command("bfd/set-forwarding", {"br0p1", "false"});
  ASSERT_TRUE(set) << set.error().error;
  EXPECT_EQ(*set, "OK");
  EXPECT_NE(command("bfd/show", {"br0p1"})->find("Forwarding: false"), std::string::npos);
  const auto wrong = command("bfd/set-forwarding", {"nothing", "false"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().error, "no such BFD object");
}

}  // namespace
}  // namespace ebb::ovsdb
