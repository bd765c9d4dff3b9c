// SPDX-License-Identifier: Apache-2.0
#include "ebb/ovsdb/session.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

namespace ebb::ovsdb {
namespace {

// Objects with brackets, quotes and backslashes in their strings, cut anywhere.
RC_GTEST_PROP(JsonFramer, AnyCuts, ()) {
  std::vector<std::string> sent;
  std::string stream;
  for (const auto& text : *rc::gen::arbitrary<std::vector<std::string>>()) {
    const auto escaped = nlohmann::json{{"a", {text + "}{\\\"", {{"b", text}}}}};
    sent.push_back(escaped.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    stream += sent.back() + (*rc::gen::arbitrary<bool>() ? "\n " : "");
  }
  JsonFramer framer;
  std::vector<std::string> received;
  for (std::size_t at = 0; at < stream.size();) {
    const std::string piece = stream.substr(at, *rc::gen::inRange<std::size_t>(1, 20));
    at += piece.size();
    framer.feed(piece);
    for (auto next = framer.next(); !next->empty(); next = framer.next()) received.push_back(*next);
  }
  RC_ASSERT(received == sent);
}

std::string problem(const std::string& text, FrameLimits limits = {}) {
  JsonFramer framer(limits);
  framer.feed(text);
  for (;;) {
    const auto next = framer.next();
    if (!next) return next.error().front().message;
    if (next->empty()) return "";
  }
}

TEST(JsonFramerTest, RefusesWhatIsTooMuch) {
  EXPECT_EQ(problem("{} x"), "JSON: no object begins at byte 3 of the stream");
  EXPECT_EQ(problem("[1]"), "JSON: no object begins at byte 0 of the stream");
  EXPECT_EQ(problem(R"({"a":[[)", {.depth = 2}),
            "JSON: the object at byte 0 of the stream is deeper than 2");
  EXPECT_EQ(problem(R"({"a":"0123456789)", {.bytes = 10}),
            "JSON: the object at byte 0 of the stream exceeds 10 bytes");
  EXPECT_EQ(problem(R"({"a":"012"} {"a)", {.bytes = 11}), "");
}

TEST(Corpus, Ovsdb) {
  int seeds = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/ovsdb")) {
    std::ifstream file(entry.path(), std::ios::binary);
    EXPECT_EQ(problem(std::string((std::istreambuf_iterator<char>(file)), {})), "") << entry.path();
    ++seeds;
  }
  EXPECT_GE(seeds, 3);
}

}  // namespace
}  // namespace ebb::ovsdb
