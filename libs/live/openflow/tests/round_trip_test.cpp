// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

#include "ebb/openflow/message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

namespace ebb::openflow {
namespace {

using rc::gen::arbitrary;
using rc::gen::inRange;

template <class T>
T any() {
  return *arbitrary<T>();
}

Bytes any_bytes() {
  Bytes bytes;
  for (const auto value : any<std::vector<std::uint8_t>>()) bytes.push_back(std::byte{value});
  return bytes;
}

std::uint64_t fits(std::uint64_t value, std::size_t bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

const FieldKind& any_kind() {
  return field_kinds()[*inRange<std::size_t>(0, field_kinds().size())];
}

Field any_field(bool may_be_masked) {
  const FieldKind& kind = any_kind();
  Field field{kind.id, fits(any<std::uint64_t>(), kind.bytes)};
  if (may_be_masked && any<bool>()) field.mask = fits(any<std::uint64_t>(), kind.bytes);
  return field;
}

Match any_match() {
  Match match;
  for (int i = *inRange(0, 6); i > 0; --i) match.fields.push_back(any_field(true));
  return match;
}

Action any_action() {
  const auto bits = [] {
    return Bits{any_kind().id, *inRange<std::uint16_t>(0, 1024), *inRange<std::uint16_t>(1, 65)};
  };
  switch (*inRange(0, 7)) {
    case 0:
      return Output{any<std::uint32_t>(), any<std::uint16_t>()};
    case 1:
      return ToGroup{any<std::uint32_t>()};
    case 2:
      return SetField{any_field(false)};
    case 3:
      return PushVlan{any<std::uint16_t>()};
    case 4:
      return PopVlan{};
    case 5:
      return Move{bits(), any_kind().id, any<std::uint16_t>()};
    default:
      return Load{bits(), any<std::uint64_t>()};
  }
}

Actions any_actions() {
  Actions actions;
  for (int i = *inRange(0, 6); i > 0; --i) actions.push_back(any_action());
  return actions;
}

Instructions any_instructions() {
  Instructions instructions;
  if (any<bool>()) instructions.emplace_back(ApplyActions{any_actions()});
  if (any<bool>()) instructions.emplace_back(WriteActions{any_actions()});
  if (any<bool>()) instructions.emplace_back(GotoTable{any<std::uint8_t>()});
  return instructions;
}

std::vector<Bucket> any_buckets() {
  std::vector<Bucket> buckets;
  for (int i = *inRange(0, 4); i > 0; --i) {
    buckets.push_back(
        {any<std::uint16_t>(), any<std::uint32_t>(), any<std::uint32_t>(), any_actions()});
  }
  return buckets;
}

void expect_round_trip(const Body& body) {
  const Message message{any<std::uint32_t>(), body};
  const auto bytes = encode(message);
  RC_ASSERT(bytes.has_value());
  const auto again = decode(*bytes);
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == message);
}

RC_GTEST_PROP(RoundTrip, FlowMod, ()) {
  FlowMod mod{any<std::uint64_t>(), any<std::uint64_t>(), any<std::uint8_t>(),
              FlowCommand{*inRange<std::uint8_t>(0, 5)}};
  mod.priority = any<std::uint16_t>();
  mod.match = any_match();
  mod.instructions = any_instructions();
  expect_round_trip(mod);
}

RC_GTEST_PROP(RoundTrip, GroupMod, ()) {
  expect_round_trip(GroupMod{GroupCommand{*inRange<std::uint16_t>(0, 3)},
                             GroupType{*inRange<std::uint8_t>(0, 4)}, any<std::uint32_t>(),
                             any_buckets()});
}

RC_GTEST_PROP(RoundTrip, Groups, ()) {
  Groups groups{any<bool>(), {}};
  for (int i = *inRange(0, 4); i > 0; --i)
    groups.groups.push_back({GroupType::all, any<std::uint32_t>(), any_buckets()});
  expect_round_trip(groups);
}

RC_GTEST_PROP(RoundTrip, GroupStats, ()) {
  GroupStats stats{any<bool>(), {}};
  for (int i = *inRange(0, 4); i > 0; --i) {
    stats.groups.push_back({.group = any<std::uint32_t>(), .bytes = any<std::uint64_t>()});
    for (int bucket = *inRange(0, 3); bucket > 0; --bucket)
      stats.groups.back().buckets.push_back({any<std::uint64_t>(), any<std::uint64_t>()});
  }
  expect_round_trip(stats);
}

RC_GTEST_PROP(RoundTrip, FlowStats, ()) {
  FlowStats stats{any<bool>(), {}};
  for (int i = *inRange(0, 4); i > 0; --i) {
    stats.flows.push_back({.table = any<std::uint8_t>(),
                           .packets = any<std::uint64_t>(),
                           .match = any_match(),
                           .instructions = any_instructions()});
  }
  expect_round_trip(stats);
}

RC_GTEST_PROP(RoundTrip, Packets, ()) {
  expect_round_trip(
      PacketOut{any<std::uint32_t>(), any<std::uint32_t>(), any_actions(), any_bytes()});
  expect_round_trip(
      PacketIn{.buffer = any<std::uint32_t>(), .match = any_match(), .data = any_bytes()});
}

RC_GTEST_PROP(RoundTrip, Small, ()) {
  expect_round_trip(Hello{any<std::uint8_t>(), any<std::uint32_t>()});
  expect_round_trip(EchoRequest{any_bytes()});
  expect_round_trip(ErrorMessage{.type = 1, .code = any<std::uint16_t>(), .data = any_bytes()});
  expect_round_trip(RoleReply{Role{*inRange<std::uint32_t>(0, 4)}, any<std::uint64_t>()});
  expect_round_trip(OtherMessage{17, any_bytes()});
}

// A stream cut anywhere gives the same messages.
RC_GTEST_PROP(Framer, AnyCuts, ()) {
  const std::vector<Message> sent{
      {1, Hello{}}, {2, arp_responder()}, {3, BarrierRequest{}}, {4, failover()}};
  Bytes stream;
  for (const Message& message : sent)
    append_all(stream, std::span<const std::byte>(*encode(message)));
  Framer framer;
  std::vector<Message> received;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t size = std::min(*inRange<std::size_t>(1, 200), stream.size() - at);
    framer.feed(std::span(stream).subspan(at, size));
    at += size;
    for (auto next = framer.next(); !next->empty(); next = framer.next())
      received.push_back(*decode(*next));
  }
  RC_ASSERT(received == sent);
}

std::string framing_error(const Bytes& bytes) {
  Framer framer;
  framer.feed(bytes);
  for (;;) {
    const auto next = framer.next();
    if (!next) return next.error().front().message;
    if (next->empty()) return "";
  }
}

TEST(FramerTest, RefusesWhatCannotBe) {
  EXPECT_EQ(framing_error(bytes_of({4, 0, 0, 7})),
            "OpenFlow: a message of 7 bytes at byte 0 of the stream");
  EXPECT_EQ(framing_error(bytes_of({4, 6, 0, 8})),
            "OpenFlow: the stream begins with a message of type 6 instead of hello");
  EXPECT_EQ(framing_error(bytes_of({6, 0, 0, 8, 0, 0, 0, 1, 1, 2, 0, 8})),
            "OpenFlow: version 0x01 instead of 0x04 at byte 8 of the stream");
}

std::string decoding_error(const Bytes& bytes) {
  const auto message = decode(bytes);
  return message ? "" : message.error().front().message;
}

TEST(Decode, SaysWhatIsWrongAndWhere) {
  auto bytes = *encode({1, coordinate_rule()});
  EXPECT_EQ(decoding_error(Bytes(bytes.begin(), bytes.end() - 8)),
            "OpenFlow: a message of 112 bytes says it has 120");
  bytes[107] = std::byte{5};  // the length of the action
  EXPECT_EQ(decoding_error(bytes), "OpenFlow flow_mod: an action of 5 bytes at byte 104");
  EXPECT_EQ(decoding_error(bytes_of({4, 99, 0, 8, 0, 0, 0, 0})),
            "OpenFlow: no message has the type 99 (at byte 1)");
  EXPECT_EQ(decoding_error(bytes_of(
                {4, 24, 0, 24, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})),
            "OpenFlow role request: the value 9 is not one of 0 to 3 at byte 8");
}

// Whatever byte is changed: refused, or a message that is written and read as itself.
TEST(Decode, AnyByteChanged) {
  for (const Body& body : {Body{arp_responder()}, Body{failover()}, Body{tree_edge()},
                           Body{Ports{false, {some_port()}}}}) {
    const auto bytes = *encode({1, body});
    for (std::size_t at = 4; at < bytes.size(); ++at) {
      for (const int value : {0, 1, 7, 8, 127, 255}) {
        auto changed = bytes;
        changed[at] = static_cast<std::byte>(value);
        const auto message = decode(changed);
        if (message) {
          EXPECT_EQ(*decode(*encode(*message)), *message) << at << ' ' << value;
        }
      }
    }
  }
}

TEST(Encode, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(encode({1, EchoRequest{Bytes(kMostBytes)}}));
  EXPECT_TRUE(encode({1, EchoRequest{Bytes(kMostBytes - kHeaderBytes)}}));
  EXPECT_FALSE(
      encode({1, FlowMod{.instructions = {ApplyActions{{Load{{FieldId::eth_dst, 0, 0}, 1}}}}}}));
}

TEST(ErrorText, HasNames) {
  EXPECT_EQ(to_text(ErrorMessage{.type = 5, .code = 2}), "flow_mod_failed: bad_table_id");
  EXPECT_EQ(to_text(ErrorMessage{.type = 11, .code = 0}), "role_request_failed: stale");
  EXPECT_EQ(to_text(ErrorMessage{kExperimenterError, 2313, kOnf}), "bundle_failed: msg_failed");
  EXPECT_EQ(to_text(ErrorMessage{.type = 77, .code = 3}), "error type 77, code 3");
}

TEST(HelloTest, VersionsInCommon) {
  EXPECT_TRUE(speaks_1_3({6, 1U << 4U | 1U << 6U}));
  EXPECT_FALSE(speaks_1_3({6, 1U << 6U}));
  EXPECT_TRUE(speaks_1_3({5, 0}));
  EXPECT_FALSE(speaks_1_3({1, 0}));
}

Bytes file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  Bytes bytes;
  append_all(bytes, std::span<const char>(text));
  return bytes;
}

// Recorded from Open vSwitch 3.1.0, and the findings of the fuzzer.
TEST(Corpus, OpenFlow) {
  int switches_own = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(EBB_SOURCE_DIR "/fuzz/corpus/openflow")) {
    const auto message = decode(file_bytes(entry.path()));
    if (entry.path().filename().string().starts_with("ovs-")) {
      ++switches_own;
      ASSERT_TRUE(message) << entry.path() << to_string(message.error());
      EXPECT_FALSE(std::holds_alternative<OtherMessage>(message->body)) << entry.path();
    }
    if (message) {
      EXPECT_EQ(*decode(*encode(*message)), *message) << entry.path();
    }
  }
  EXPECT_GE(switches_own, 10);
}

}  // namespace
}  // namespace ebb::openflow
