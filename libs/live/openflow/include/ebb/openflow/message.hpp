// SPDX-License-Identifier: Apache-2.0
//
// The messages of OpenFlow 1.3 that ebb speaks, and bundles as an extension (ONF EXT-230). Names
// and members follow the specification, "OpenFlow Switch Specification 1.3.5", chapter 7.
//
//   const auto bytes = encode({.xid = 7, .body = FlowMod{.priority = 100, .match = ...}});
//   const auto message = decode(*bytes);
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/core/result.hpp"
#include "ebb/openflow/action.hpp"

#include <array>
#include <string>

namespace ebb::openflow {

constexpr std::uint8_t kVersion = 0x04;
constexpr std::size_t kHeaderBytes = 8;
constexpr std::size_t kMostBytes = 0xffff;  // of a message: its length has 16 bits
constexpr std::uint32_t kNoBuffer = 0xffff'ffff;

// Which versions the sender speaks, as bits: bit 4 is OpenFlow 1.3. Zero where it did not say.
struct Hello {
  std::uint8_t version = kVersion;  // of the header: the highest that the sender speaks
  std::uint32_t versions = 1U << kVersion;
  bool operator==(const Hello&) const = default;
};
[[nodiscard]] bool speaks_1_3(const Hello& hello);

struct EchoRequest {
  Bytes data;
  bool operator==(const EchoRequest&) const = default;
};
struct EchoReply {
  Bytes data;
  bool operator==(const EchoReply&) const = default;
};

constexpr std::uint16_t kExperimenterError = 0xffff;
struct ErrorMessage {
  std::uint16_t type = 0;
  std::uint16_t code = 0;
  std::uint32_t experimenter = 0;  // where `type` is kExperimenterError
  Bytes data;                      // the beginning of the message that is refused
  bool operator==(const ErrorMessage&) const = default;
};
// "flow_mod_failed: bad_table_id"; numbers where there is no name.
[[nodiscard]] std::string to_text(const ErrorMessage& error);

struct FeaturesRequest {
  bool operator==(const FeaturesRequest&) const = default;
};
struct FeaturesReply {
  std::uint64_t datapath = 0;
  std::uint32_t buffers = 0;
  std::uint8_t tables = 0;
  std::uint8_t auxiliary = 0;
  std::uint32_t capabilities = 0;
  std::uint32_t reserved = 0;
  bool operator==(const FeaturesReply&) const = default;
};

struct SetConfig {
  std::uint16_t flags = 0;
  std::uint16_t miss_send_length = 128;
  bool operator==(const SetConfig&) const = default;
};

struct PacketIn {
  std::uint32_t buffer = kNoBuffer;
  std::uint16_t total_length = 0;
  std::uint8_t reason = 0;
  std::uint8_t table = 0;
  std::uint64_t cookie = 0;
  Match match;
  Bytes data;
  bool operator==(const PacketIn&) const = default;
};

struct PacketOut {
  std::uint32_t buffer = kNoBuffer;
  std::uint32_t in_port = port::kController;
  Actions actions;
  Bytes data;
  bool operator==(const PacketOut&) const = default;
};

struct FlowRemoved {
  std::uint64_t cookie = 0;
  std::uint16_t priority = 0;
  std::uint8_t reason = 0;
  std::uint8_t table = 0;
  std::uint32_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  std::uint16_t idle_timeout = 0;
  std::uint16_t hard_timeout = 0;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  Match match;
  bool operator==(const FlowRemoved&) const = default;
};

// Bits of Port::config and Port::state.
constexpr std::uint32_t kPortDown = 1U << 0U;
constexpr std::uint32_t kLinkDown = 1U << 0U;
constexpr std::uint32_t kLive = 1U << 2U;

struct Port {
  std::uint32_t number = 0;
  std::uint64_t address = 0;  // 48 bits
  std::string name;           // at most 15 characters
  std::uint32_t config = 0;
  std::uint32_t state = 0;
  std::uint32_t current = 0;
  std::uint32_t advertised = 0;
  std::uint32_t supported = 0;
  std::uint32_t peer = 0;
  std::uint32_t current_speed = 0;  // kb/s
  std::uint32_t max_speed = 0;      // kb/s
  bool operator==(const Port&) const = default;
};

enum class PortChange : std::uint8_t { added = 0, removed = 1, modified = 2 };
struct PortStatus {
  PortChange reason = PortChange::modified;
  Port port;
  bool operator==(const PortStatus&) const = default;
};

// The address must be that of the port, or the switch refuses.
struct PortMod {
  std::uint32_t port = 0;
  std::uint64_t address = 0;
  std::uint32_t config = 0;
  std::uint32_t mask = 0;  // the bits of `config` to change
  std::uint32_t advertise = 0;
  bool operator==(const PortMod&) const = default;
};

enum class FlowCommand : std::uint8_t {
  add = 0,
  modify = 1,
  modify_strict = 2,
  remove = 3,
  remove_strict = 4,
};
constexpr std::uint16_t kSendFlowRemoved = 1U << 0U;
constexpr std::uint16_t kCheckOverlap = 1U << 1U;
constexpr std::uint8_t kAllTables = 0xff;

struct FlowMod {
  std::uint64_t cookie = 0;
  std::uint64_t cookie_mask = 0;
  std::uint8_t table = 0;
  FlowCommand command = FlowCommand::add;
  std::uint16_t idle_timeout = 0;  // seconds; 0: never
  std::uint16_t hard_timeout = 0;
  std::uint16_t priority = 0x8000;
  std::uint32_t buffer = kNoBuffer;
  std::uint32_t out_port = port::kAny;  // of rules to remove
  std::uint32_t out_group = group::kAny;
  std::uint16_t flags = 0;
  Match match;
  Instructions instructions;
  bool operator==(const FlowMod&) const = default;
};

enum class GroupCommand : std::uint16_t { add = 0, modify = 1, remove = 2 };
enum class GroupType : std::uint8_t { all = 0, select = 1, indirect = 2, fast_failover = 3 };

struct Bucket {
  std::uint16_t weight = 0;  // only in `select`
  std::uint32_t watch_port = port::kAny;
  std::uint32_t watch_group = group::kAny;
  Actions actions;
  bool operator==(const Bucket&) const = default;
};

struct GroupMod {
  GroupCommand command = GroupCommand::add;
  GroupType type = GroupType::all;
  std::uint32_t group = 0;
  std::vector<Bucket> buckets;
  bool operator==(const GroupMod&) const = default;
};

struct DescriptionRequest {
  bool operator==(const DescriptionRequest&) const = default;
};
// At most 255 characters each, the serial number 31.
struct Description {
  std::string manufacturer;
  std::string hardware;
  std::string software;
  std::string serial;
  std::string datapath;
  bool operator==(const Description&) const = default;
};

struct PortsRequest {
  bool operator==(const PortsRequest&) const = default;
};
// `more`: another message with the same xid follows. So for all lists below.
struct Ports {
  bool more = false;
  std::vector<Port> ports;
  bool operator==(const Ports&) const = default;
};

struct PortStatsRequest {
  std::uint32_t port = port::kAny;
  bool operator==(const PortStatsRequest&) const = default;
};
// All ones where the switch does not count.
struct PortCounters {
  std::uint32_t port = 0;
  std::uint64_t rx_packets = 0;
  std::uint64_t tx_packets = 0;
  std::uint64_t rx_bytes = 0;
  std::uint64_t tx_bytes = 0;
  std::uint64_t rx_dropped = 0;
  std::uint64_t tx_dropped = 0;
  std::uint64_t rx_errors = 0;
  std::uint64_t tx_errors = 0;
  std::uint64_t rx_frame_errors = 0;
  std::uint64_t rx_overruns = 0;
  std::uint64_t rx_crc_errors = 0;
  std::uint64_t collisions = 0;
  std::uint32_t seconds = 0;  // since the port exists
  std::uint32_t nanoseconds = 0;
  bool operator==(const PortCounters&) const = default;
};
struct PortStats {
  bool more = false;
  std::vector<PortCounters> ports;
  bool operator==(const PortStats&) const = default;
};

struct FlowStatsRequest {
  std::uint8_t table = kAllTables;
  std::uint32_t out_port = port::kAny;
  std::uint32_t out_group = group::kAny;
  std::uint64_t cookie = 0;
  std::uint64_t cookie_mask = 0;
  Match match;
  bool operator==(const FlowStatsRequest&) const = default;
};
struct FlowEntry {
  std::uint8_t table = 0;
  std::uint32_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  std::uint16_t priority = 0;
  std::uint16_t idle_timeout = 0;
  std::uint16_t hard_timeout = 0;
  std::uint16_t flags = 0;
  std::uint64_t cookie = 0;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  Match match;
  Instructions instructions;
  bool operator==(const FlowEntry&) const = default;
};
struct FlowStats {
  bool more = false;
  std::vector<FlowEntry> flows;
  bool operator==(const FlowStats&) const = default;
};

struct GroupsRequest {
  bool operator==(const GroupsRequest&) const = default;
};
struct GroupEntry {
  GroupType type = GroupType::all;
  std::uint32_t group = 0;
  std::vector<Bucket> buckets;
  bool operator==(const GroupEntry&) const = default;
};
struct Groups {
  bool more = false;
  std::vector<GroupEntry> groups;
  bool operator==(const Groups&) const = default;
};

inline constexpr std::uint32_t kAllGroups = 0xfffffffc;
struct GroupStatsRequest {
  std::uint32_t group = kAllGroups;
  bool operator==(const GroupStatsRequest&) const = default;
};
struct BucketCounters {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  bool operator==(const BucketCounters&) const = default;
};
// What a group was given, in all and by bucket; all ones where the switch does not count.
struct GroupCounters {
  std::uint32_t group = 0;
  std::uint32_t references = 0;  // flows and groups that send to it
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint32_t seconds = 0;  // since it exists
  std::uint32_t nanoseconds = 0;
  std::vector<BucketCounters> buckets;
  bool operator==(const GroupCounters&) const = default;
};
struct GroupStats {
  bool more = false;
  std::vector<GroupCounters> groups;
  bool operator==(const GroupStats&) const = default;
};

struct BarrierRequest {
  bool operator==(const BarrierRequest&) const = default;
};
struct BarrierReply {
  bool operator==(const BarrierReply&) const = default;
};

enum class Role : std::uint32_t { no_change = 0, equal = 1, master = 2, slave = 3 };
// A switch refuses a generation older than one it has seen.
struct RoleRequest {
  Role role = Role::no_change;
  std::uint64_t generation = 0;
  bool operator==(const RoleRequest&) const = default;
};
struct RoleReply {
  Role role = Role::no_change;
  std::uint64_t generation = 0;
  bool operator==(const RoleReply&) const = default;
};

// Which reasons of which messages a controller hears, as bits: first as equal or master, then as
// slave.
struct AsyncMasks {
  std::array<std::uint32_t, 2> packet_in{};
  std::array<std::uint32_t, 2> port_status{};
  std::array<std::uint32_t, 2> flow_removed{};
  bool operator==(const AsyncMasks&) const = default;
};
struct GetAsyncRequest {
  bool operator==(const GetAsyncRequest&) const = default;
};
struct GetAsyncReply {
  AsyncMasks masks;
  bool operator==(const GetAsyncReply&) const = default;
};
struct SetAsync {
  AsyncMasks masks;
  bool operator==(const SetAsync&) const = default;
};

constexpr std::uint32_t kOnf = 0x4f4e4600;
enum class BundleStep : std::uint16_t {
  open = 0,
  opened = 1,
  close = 2,
  closed = 3,
  commit = 4,
  committed = 5,
  discard = 6,
  discarded = 7,
};
constexpr std::uint16_t kAtomic = 1U << 0U;
constexpr std::uint16_t kOrdered = 1U << 1U;

struct BundleControl {
  std::uint32_t bundle = 0;
  BundleStep step = BundleStep::open;
  std::uint16_t flags = kAtomic | kOrdered;
  bool operator==(const BundleControl&) const = default;
};
// The message inside has the xid of the one around it.
struct BundleAdd {
  std::uint32_t bundle = 0;
  std::uint16_t flags = kAtomic | kOrdered;
  Bytes message;
  bool operator==(const BundleAdd&) const = default;
};

// A message of the standard that ebb has no use for.
struct OtherMessage {
  std::uint8_t type = 0;
  Bytes body;
  bool operator==(const OtherMessage&) const = default;
};

using Body =
    std::variant<Hello, EchoRequest, EchoReply, ErrorMessage, FeaturesRequest, FeaturesReply,
                 SetConfig, PacketIn, PacketOut, FlowRemoved, PortStatus, PortMod, FlowMod,
                 GroupMod, DescriptionRequest, Description, PortsRequest, Ports, PortStatsRequest,
                 PortStats, FlowStatsRequest, FlowStats, GroupsRequest, Groups, GroupStatsRequest,
                 GroupStats, BarrierRequest, BarrierReply, RoleRequest, RoleReply, GetAsyncRequest,
                 GetAsyncReply, SetAsync, BundleControl, BundleAdd, OtherMessage>;

struct Message {
  std::uint32_t xid = 0;
  Body body;
  bool operator==(const Message&) const = default;
};

// Refused when the message does not fit into 64 KiB.
[[nodiscard]] Result<Bytes> encode(const Message& message);

// One whole message. What cannot be is refused with its place: "OpenFlow flow_mod: an action of
// 5 bytes at byte 72". Never reads beyond the bytes, nor keeps more than they hold.
[[nodiscard]] Result<Message> decode(std::span<const std::byte> bytes);

// Cuts a stream of bytes into whole messages. It holds at most one unfinished message beside what
// was fed and not yet taken.
//
//   framer.feed(bytes);
//   for (;;) { const auto message = framer.next(); if (!message || message->empty()) break; ... }
class Framer {
 public:
  void feed(std::span<const std::byte> bytes);

  // The next whole message; empty when more bytes are needed. Fails on a length below a header's,
  // on a stream that does not begin with hello, and on a version other than 1.3 after it. A
  // stream that failed once is lost: the next message cannot be found in it.
  [[nodiscard]] Result<Bytes> next();

 private:
  Bytes waiting_;
  std::size_t taken_ = 0;     // bytes at the front of `waiting_` that were given out
  std::uint64_t offset_ = 0;  // of the next message in the stream
  bool hello_received_ = false;
};

}  // namespace ebb::openflow
