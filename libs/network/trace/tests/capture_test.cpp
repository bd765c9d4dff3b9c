// SPDX-License-Identifier: Apache-2.0
//
// Captures that libpcap writes of packets made here, read as flows.
#include "support/corpus.hpp"

#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"
#include "ebb/trace/flow_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#ifdef EBB_HAVE_PCAP
#include <pcap/pcap.h>
#endif

namespace ebb::trace {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string path_of(const std::string& end) {
  return std::filesystem::path(testing::TempDir()) /
         (testing::UnitTest::GetInstance()->current_test_info()->name() + end);
}

#ifdef EBB_HAVE_PCAP

void put_word(Bytes& bytes, std::size_t value) {
  bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

Bytes join(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Headers of TCP, with twelve bytes of options, and of UDP, and their payload.
Bytes tcp(std::uint16_t from, std::uint16_t to, std::size_t payload) {
  Bytes bytes;
  put_word(bytes, from);
  put_word(bytes, to);
  bytes.resize(32);
  bytes[12] = 8U << 4U;
  bytes.resize(32 + payload);
  return bytes;
}

Bytes udp(std::uint16_t from, std::uint16_t to, std::size_t payload) {
  Bytes bytes;
  put_word(bytes, from);
  put_word(bytes, to);
  put_word(bytes, 8 + payload);
  bytes.resize(8 + payload);
  return bytes;
}

// From 10.0.0.SOURCE to 10.0.0.DESTINATION.
Bytes ipv4(int source, int destination, int protocol, const Bytes& content,
           std::uint16_t fragment = 0) {
  Bytes bytes = {0x45, 0};
  put_word(bytes, 20 + content.size());
  put_word(bytes, 1);
  put_word(bytes, fragment);
  for (const int byte : {64, protocol, 0, 0, 10, 0, 0, source, 10, 0, 0, destination})
    bytes.push_back(static_cast<std::uint8_t>(byte));
  return join(bytes, content);
}

// From 2001:db8::SOURCE to 2001:db8::DESTINATION, with an extension header of 8 bytes before UDP.
Bytes ipv6(int source, int destination, const Bytes& content) {
  Bytes bytes = {0x60, 0, 0, 0};
  put_word(bytes, 8 + content.size());
  bytes.insert(bytes.end(), {60, 64});  // destination options, hop limit
  for (const int host : {source, destination}) {
    bytes.insert(bytes.end(), {0x20, 0x01, 0x0d, 0xb8});
    bytes.resize(bytes.size() + 11);
    bytes.push_back(static_cast<std::uint8_t>(host));
  }
  bytes.insert(bytes.end(), {17, 0, 0, 0, 0, 0, 0, 0});
  return join(bytes, content);
}

Bytes ethernet(std::uint16_t type, const Bytes& content) {
  Bytes bytes(12);
  put_word(bytes, type);
  bytes = join(bytes, content);
  if (bytes.size() < 60) bytes.resize(60);  // padded to the shortest frame
  return bytes;
}

class CaptureFile {
 public:
  explicit CaptureFile(int link = DLT_EN10MB)
      : capture_(pcap_open_dead_with_tstamp_precision(link, 96, PCAP_TSTAMP_PRECISION_NANO)),
        path_(path_of(".pcap")),
        dumper_(pcap_dump_open(capture_, path_.c_str())) {}
  ~CaptureFile() {
    close();
    pcap_close(capture_);
  }
  CaptureFile(const CaptureFile&) = delete;
  CaptureFile& operator=(const CaptureFile&) = delete;

  // Only the first 96 bytes are kept, as by `tcpdump -s 96`.
  void add(std::int64_t nanoseconds, const Bytes& frame) {
    pcap_pkthdr header{};
    header.ts.tv_sec = 1'700'000'000 + nanoseconds / 1'000'000'000;
    header.ts.tv_usec = nanoseconds % 1'000'000'000;
    header.len = static_cast<bpf_u_int32>(frame.size());
    header.caplen = std::min<bpf_u_int32>(header.len, 96);
    pcap_dump(reinterpret_cast<unsigned char*>(dumper_), &header, frame.data());
  }
  void close() {
    if (dumper_ != nullptr) pcap_dump_close(dumper_);
    dumper_ = nullptr;
  }
  Result<Trace> read(const std::string& addresses, const ParameterTexts& parameters = {}) {
    close();
    std::ofstream(path_of(".addresses")) << addresses;
    return read_trace(path_,
                      {.format = {}, .parameters = parameters, .addresses = path_of(".addresses")});
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  pcap_t* capture_;
  std::string path_;
  pcap_dumper_t* dumper_;
};

std::string goal_of(const Result<Trace>& trace) {
  if (!trace) return to_string(trace.error());
  EXPECT_EQ(to_string(check(trace->program, program::Markers::refuse)), "");
  std::ostringstream text;
  write_goal_text(trace->program, text);
  return text.str();
}

std::string goal_of_csv(const std::string& text, const std::string& hosts) {
  const auto path = path_of(".csv");
  std::ofstream(path) << text;
  return goal_of(
      read_trace(path, {.format = {}, .parameters = {{"hosts", hosts}}, .addresses = {}}));
}

constexpr auto kAddresses = "10.0.0.1 0\n10.0.0.2 1\n2001:db8::/32 2\n10.0.0.128/25 2\n";

// One TCP connection in both directions, one idle gap of 2 ms, and UDP of the same hosts.
TEST(Capture, JoinsPacketsOfADirectionUntilTheyPause) {
  CaptureFile file;
  file.add(0, ethernet(0x0800, ipv4(1, 2, 6, tcp(99, 80, 1000))));
  file.add(100'000, ethernet(0x0800, ipv4(2, 1, 6, tcp(80, 99, 0))));
  file.add(200'001, ethernet(0x0800, ipv4(1, 2, 6, tcp(99, 80, 500))));
  file.add(300'000, ethernet(0x0800, ipv4(2, 1, 6, tcp(80, 99, 7))));
  file.add(400'000, ethernet(0x0800, ipv4(1, 2, 17, udp(99, 80, 20))));
  file.add(2'300'000, ethernet(0x0800, ipv4(1, 2, 6, tcp(99, 80, 3))));
  const auto trace = file.read(kAddresses);
  EXPECT_EQ(goal_of(trace), goal_of_csv("at_us,src,dst,bytes\n0,0,1,1500\n300,1,0,7\n400,0,1,20\n"
                                        "2300,0,1,3\n",
                                        "3"));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->format, "capture");
  EXPECT_EQ(trace->repairs, std::vector<std::string>{"1 packets without payload are left out"});
  EXPECT_EQ(summarize(file.read(kAddresses, {{"gap", "3ms"}})->program).sends, 3U);
}

TEST(Capture, ReadsIpv6VlansAndPrefixes) {
  CaptureFile file;
  Bytes vlan;
  put_word(vlan, 5);
  put_word(vlan, 0x86dd);
  file.add(0, ethernet(0x8100, join(vlan, ipv6(1, 2, udp(1, 2, 9)))));  // within host 2
  file.add(0, ethernet(0x0800, ipv4(1, 200, 17, udp(1, 2, 2000))));     // by the prefix
  file.add(5, ethernet(0x0800, ipv4(200, 1, 1, Bytes(64))));            // ICMP
  file.add(6, ethernet(0x0806, Bytes(28)));                             // ARP
  file.add(7, ethernet(0x0800, ipv4(9, 1, 17, udp(1, 2, 3))));          // an unknown address
  file.add(8, ethernet(0x0800, ipv4(1, 200, 17, Bytes(800), 0x0010)));  // a later fragment
  const auto trace = file.read(kAddresses);
  EXPECT_EQ(goal_of(trace),
            goal_of_csv("at_ns,src,dst,bytes\n0,0,2,2000\n5,2,0,64\n8,0,2,800\n", "3"));
  EXPECT_EQ(trace->repairs,
            (std::vector<std::string>{
                "1 packets that are not IP, or whose headers were not captured, are left out",
                "1 packets are left out because an address is not in " + path_of(".addresses") +
                    " (first: 10.0.0.9)",
                "1 packets within a host are left out (first: from 2001:db8::1)",
                "1 fragments after the first of a packet are flows of their own, without ports"}));
}

// The time of a flow is that of its earliest packet, also when a later one was captured first.
TEST(Capture, GoesOnFromTheLastPacketOfAFlow) {
  CaptureFile file;
  file.add(5'000, ethernet(0x0800, ipv4(1, 2, 17, udp(1, 2, 100))));
  file.add(2'000, ethernet(0x0800, ipv4(1, 2, 17, udp(1, 2, 100))));
  file.add(0, ethernet(0x0800, ipv4(2, 1, 17, udp(1, 2, 100))));
  for (const int ms : {1, 2, 3})
    file.add(ms * 900'000, ethernet(0x0800, ipv4(2, 1, 17, udp(1, 2, 100))));
  EXPECT_EQ(goal_of(file.read(kAddresses)),
            goal_of_csv("at_us,src,dst,bytes\n2,0,1,200\n0,1,0,400\n", "3"));
}

TEST(Capture, CountsNoPaddingOfTheLink) {
  CaptureFile file;
  file.add(0, ethernet(0x0800, ipv4(1, 2, 17, udp(1, 2, 3))));
  Bytes frame = ethernet(0x86dd, ipv6(1, 2, udp(1, 2, 9)));
  frame.resize(frame.size() + 4);
  file.add(1'000, frame);
  EXPECT_EQ(goal_of(file.read("10.0.0.1 0\n10.0.0.2 1\n2001:db8::1 0\n2001:db8::2 1\n")),
            goal_of_csv("at_us,src,dst,bytes\n0,0,1,3\n1,0,1,9\n", "2"));
}

TEST(Capture, HasLinksWithoutEthernet) {
  CaptureFile raw(DLT_RAW);
  raw.add(0, ipv4(1, 2, 17, udp(1, 2, 11)));
  const auto expected = goal_of_csv("at_ns,src,dst,bytes\n0,0,1,11\n", "3");
  EXPECT_EQ(goal_of(raw.read(kAddresses)), expected);
  CaptureFile cooked(DLT_LINUX_SLL);
  Bytes header(14);
  put_word(header, 0x0800);
  cooked.add(0, join(header, ipv4(1, 2, 17, udp(1, 2, 11))));
  EXPECT_EQ(goal_of(cooked.read(kAddresses)), expected);
  CaptureFile cooked_2(DLT_LINUX_SLL2);
  Bytes header_2 = {0x08, 0x00};
  header_2.resize(20);
  cooked_2.add(0, join(header_2, ipv4(1, 2, 17, udp(1, 2, 11))));
  EXPECT_EQ(goal_of(cooked_2.read(kAddresses)), expected);
  CaptureFile wireless(DLT_IEEE802_11);
  EXPECT_NE(goal_of(wireless.read(kAddresses)).find("link type IEEE802_11 are not read"),
            std::string::npos);
}

TEST(Capture, ThatEndsInsideOfAPacketIsReadUpToIt) {
  CaptureFile file;
  file.add(0, ethernet(0x0800, ipv4(1, 2, 17, udp(1, 2, 11))));
  file.add(0, ethernet(0x0800, ipv4(2, 1, 17, udp(1, 2, 11))));
  file.close();
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 10);
  const auto trace = file.read(kAddresses);
  ASSERT_TRUE(trace);
  EXPECT_EQ(summarize(trace->program).sends, 1U);
  ASSERT_EQ(trace->repairs.size(), 1U);
  EXPECT_EQ(trace->repairs[0].find("the capture ends inside of a packet"), 0U);
}

TEST(Capture, NeedsATableOfAddresses) {
  CaptureFile file;
  file.close();
  const auto trace = read_trace(file.path(), {});
  ASSERT_FALSE(trace);
  EXPECT_NE(to_string(trace.error()).find("--addresses FILE"), std::string::npos);
}

TEST(Corpus, CapturesAreAnswered) {
  std::ofstream(path_of(".addresses")) << kAddresses;
  const auto format = std::ranges::find(formats(), "capture", &Format::name);
  const auto defaults = Parameters::resolve(format->parameters, {}).value();
  const auto replay = [&](const std::string& text) {
    const auto trace =
        read_capture(std::as_bytes(std::span(text)), "corpus", path_of(".addresses"), defaults);
    return trace.has_value();
  };
  EXPECT_GE(test::replay_corpus("capture", replay), 4);
}

#else

TEST(Capture, IsRefusedWithoutLibpcap) {
  std::ofstream(path_of(".pcap")) << "\xd4\xc3\xb2\xa1";
  const auto trace = read_trace(path_of(".pcap"), {});
  ASSERT_FALSE(trace);
  EXPECT_NE(to_string(trace.error()).find("without libpcap"), std::string::npos);
}

#endif

}  // namespace
}  // namespace ebb::trace
