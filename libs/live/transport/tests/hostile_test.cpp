// SPDX-License-Identifier: Apache-2.0
//
// What keeps a server alive whoever connects.
#include "support/certificates.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/transport/stream.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace ebb::transport {
namespace {

using namespace std::chrono_literals;

constexpr Milliseconds kLong = 30s;  // for sanitizers on a busy machine

std::vector<std::string> lines_of(LineFramer& framer, std::string_view text) {
  framer.feed(text);
  std::vector<std::string> lines;
  for (auto next = framer.next(); next && *next; next = framer.next()) lines.push_back(**next);
  return lines;
}

TEST(LineFramer, CutsLinesHoweverTheyCome) {
  LineFramer framer(8);
  EXPECT_EQ(lines_of(framer, "one\n\ntwo\nthr"), (std::vector<std::string>{"one", "", "two"}));
  EXPECT_EQ(lines_of(framer, "ee\n"), std::vector<std::string>{"three"});
  EXPECT_EQ(lines_of(framer, "12345678"), std::vector<std::string>{});
  EXPECT_EQ(lines_of(framer, "\n"), std::vector<std::string>{"12345678"});
}

TEST(LineFramer, RefusesLongLinesEndedOrNot) {
  for (const auto* text : {"123456789", "123456789\n", "one\n123456789\n"}) {
    LineFramer framer(8);
    lines_of(framer, text);
    EXPECT_FALSE(framer.next()) << text;
  }
}

TEST(Corpus, Lines) {
  std::size_t lines = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/lines")) {
    std::ifstream file(entry.path(), std::ios::binary);
    LineFramer framer(40);
    lines += lines_of(framer, std::string((std::istreambuf_iterator<char>(file)), {})).size();
  }
  EXPECT_EQ(lines, 3U + 3U + 1U);
}

TEST(Listener, SocketIsItsOwnersAlone) {
  const test::TemporaryFolder folder;
  const mode_t before = umask(0);
  Loop loop;
  const auto listener =
      Listener::open(loop, *parse_address("unix:" + folder.file("s")), {}, [](Stream) {});
  umask(before);
  struct stat found {};
  ASSERT_EQ(stat(folder.file("s").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

// Each has its turn although some come and come.
TEST(Listener, CrowdDoesNotKeepOthersWaiting) {
  const test::TemporaryFolder folder;
  Loop loop;
  std::size_t came = 0;
  std::size_t came_when_due = 0;
  const auto listener =
      Listener::open(loop, *parse_address("unix:" + folder.file("s")), {}, [&](Stream) { ++came; });
  std::deque<Stream> crowd;
  for (int i = 0; i < 200; ++i) crowd.push_back(*Stream::connect(loop, listener->address()));
  loop.after(0ms, [&] { came_when_due = came; });
  EXPECT_TRUE(loop.run_until([&] { return came == 200; }, kLong));
  EXPECT_LT(came_when_due, 100U);
}

// A listener for each switch: its certificate must have the switch's name.
TEST(TlsListener, RefusesAnotherNameOfTheSameAuthority) {
  const test::TemporaryFolder folder;
  const test::Certificates authority(folder, "authority");
  for (const auto* who : {"controller", "s0", "s1"}) authority.sign(who);
  const auto options = [&](const std::string& who, const std::string& peer) {
    return StreamOptions{.tls = *TlsContext::load({authority.certificate(who), authority.key(who),
                                                   authority.authority(), peer}),
                         .handshake = kLong};
  };
  Loop loop;
  for (const std::string who : {"s0", "s1"}) {
    std::string refusal;
    bool opened = false;
    std::optional<Stream> kept;
    const auto listener =
        Listener::open(loop, *parse_address("tls:127.0.0.1:0"),
                       {.streams = options("controller", "s0")}, [&](Stream stream) {
                         kept = std::move(stream);
                         kept->on({.opened = [&] { opened = true; },
                                   .closed = [&](const auto& why) { refusal = why; }});
                       });
    auto stream = Stream::connect(loop, listener->address(), options(who, "controller"));
    EXPECT_TRUE(loop.run_until([&] { return opened || !refusal.empty(); }, kLong));
    EXPECT_EQ(refusal, who == "s0" ? "" : "TLS: the peer's certificate: hostname mismatch");
  }
}

}  // namespace
}  // namespace ebb::transport
