// SPDX-License-Identifier: Apache-2.0
#if EBB_HAVE_CHAKRA
#include "chakra_nodes.hpp"

#include "ebb/core/names.hpp"
#include "ebb/program/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chakra.pb.h>
#include <chrono>
#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

namespace ebb::trace {
namespace {

namespace wire = ::ChakraProtoMsg;
using program::kMostErrors;

constexpr std::size_t kMostUnpacked = std::size_t{1} << 30U;    // bytes of a compressed file
constexpr std::uint64_t kMostMicroseconds = 1'000'000'000'000;  // 11 days
constexpr std::int64_t kMostBytes = std::int64_t{1} << 57;      // of a message
constexpr std::int64_t kMostNumber = 0x7fff'ffff;               // of a rank or a tag

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

// The first `most` bytes of what was compressed; nothing when it cannot be unpacked.
std::optional<std::string> unpack(std::string_view bytes, std::size_t most) {
  if (bytes.size() > std::size_t{std::numeric_limits<int>::max()}) return std::nullopt;
  google::protobuf::io::ArrayInputStream packed(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::GzipInputStream stream(&packed);
  std::string unpacked;
  const void* data = nullptr;
  int size = 0;
  while (unpacked.size() < most && stream.Next(&data, &size))
    unpacked.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  if (unpacked.size() < most && stream.ZlibErrorCode() < 0) return std::nullopt;
  return unpacked;
}

// Messages, each after its length as a varint.
class Messages {
 public:
  explicit Messages(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  // Where the next message begins.
  [[nodiscard]] std::size_t offset() const { return size_ - rest_.size(); }
  // The bytes of the next message; nothing when the file ends inside of it.
  std::optional<std::string_view> next() {
    constexpr unsigned kMostBits = 35;
    std::uint64_t length = 0;
    for (unsigned shift = 0; shift < kMostBits && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      length |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80U) {
        if (length > rest_.size() || length > std::uint64_t{kMostNumber}) return std::nullopt;
        const std::string_view message = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return message;
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
  std::size_t size_;
};

template <class Message>
bool parse_message(std::string_view bytes, Message& message) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// A message of the format, without fields that it does not know.
template <class Message>
bool is_message(std::string_view bytes, Message& message) {
  return parse_message(bytes, message) &&
         message.GetReflection()->GetUnknownFields(message).empty();
}

std::optional<std::int64_t> whole(double value) {
  constexpr double kMost = 9.0e18;
  if (!(value > -kMost && value < kMost)) return std::nullopt;
  const auto number = static_cast<std::int64_t>(value);
  return static_cast<double>(number) == value ? std::optional(number) : std::nullopt;
}

// Writers differ in the kind of number that an attribute has.
std::optional<std::int64_t> number_of(const wire::AttributeProto& attribute) {
  const auto unsigned_number = [](std::uint64_t value) -> std::optional<std::int64_t> {
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::nullopt;
    return static_cast<std::int64_t>(value);
  };
  switch (attribute.value_case()) {
    case wire::AttributeProto::kDoubleVal:
      return whole(attribute.double_val());
    case wire::AttributeProto::kFloatVal:
      return whole(attribute.float_val());
    case wire::AttributeProto::kInt32Val:
      return attribute.int32_val();
    case wire::AttributeProto::kInt64Val:
      return attribute.int64_val();
    case wire::AttributeProto::kUint32Val:
      return attribute.uint32_val();
    case wire::AttributeProto::kUint64Val:
      return unsigned_number(attribute.uint64_val());
    case wire::AttributeProto::kSint32Val:
      return attribute.sint32_val();
    case wire::AttributeProto::kSint64Val:
      return attribute.sint64_val();
    case wire::AttributeProto::kFixed32Val:
      return attribute.fixed32_val();
    case wire::AttributeProto::kFixed64Val:
      return unsigned_number(attribute.fixed64_val());
    case wire::AttributeProto::kSfixed32Val:
      return attribute.sfixed32_val();
    case wire::AttributeProto::kSfixed64Val:
      return attribute.sfixed64_val();
    case wire::AttributeProto::kBoolVal:
      return attribute.bool_val() ? 1 : 0;
    default:
      return std::nullopt;
  }
}

std::optional<program::Collective::Kind> collective_of(std::int64_t comm_type) {
  using Kind = program::Collective::Kind;
  switch (comm_type) {
    case wire::ALL_REDUCE:
      return Kind::all_reduce;
    case wire::REDUCE:
      return Kind::reduce;
    case wire::ALL_GATHER:
      return Kind::all_gather;
    case wire::GATHER:
      return Kind::gather;
    case wire::SCATTER:
      return Kind::scatter;
    case wire::BROADCAST:
      return Kind::broadcast;
    case wire::ALL_TO_ALL:
      return Kind::all_to_all;
    case wire::REDUCE_SCATTER:
    case wire::REDUCE_SCATTER_BLOCK:
      return Kind::reduce_scatter;
    case wire::BARRIER:
      return Kind::barrier;
    default:
      return std::nullopt;
  }
}

// One message of the format to one node of ours.
class NodeReader {
 public:
  NodeReader(const wire::Node& node, const std::string& file, Errors& errors)
      : node_(node), file_(file), errors_(errors) {}

  ChakraNode read(ChakraCounts& counts) {
    ChakraNode node;
    node.id = node_.id();
    node.data_deps.assign(node_.data_deps().begin(), node_.data_deps().end());
    node.ctrl_deps.assign(node_.ctrl_deps().begin(), node_.ctrl_deps().end());
    node.is_cpu_op = number("is_cpu_op", 1).value_or(0) != 0;
    read_time(node);
    count(node, counts);
    switch (node_.type()) {
      case wire::METADATA_NODE:
        ++counts[ChakraCount::metadata];
        break;
      case wire::MEM_LOAD_NODE:
      case wire::MEM_STORE_NODE:
        ++counts[ChakraCount::memory];
        break;
      case wire::COMP_NODE:
        ++counts[ChakraCount::computations];
        break;
      case wire::COMM_SEND_NODE:
        ++counts[ChakraCount::sends];
        read_message(node, ChakraNode::Kind::send, "comm_dst");
        break;
      case wire::COMM_RECV_NODE:
        ++counts[ChakraCount::receives];
        read_message(node, ChakraNode::Kind::receive, "comm_src");
        break;
      case wire::COMM_COLL_NODE:
        read_collective(node, counts);
        break;
      default:
        report(fmt::format("its type is {}, which no node has", int{node_.type()}));
    }
    return node;
  }

 private:
  void report(std::string message) {
    if (errors_.size() >= kMostErrors) return;
    const std::string place = node_.name().empty()
                                  ? fmt::format("node {}", node_.id())
                                  : fmt::format("node {}, {}", node_.id(), node_.name());
    errors_.push_back({std::move(message), {file_, 0, 0, place}});
  }

  [[nodiscard]] const wire::AttributeProto* find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        node_.attr(), [&](const wire::AttributeProto& one) { return one.name() == name; });
    return found == node_.attr().end() ? nullptr : &*found;
  }
  // From 0 to `most`; nothing when there is none, and an error when it is something else.
  std::optional<std::int64_t> number(std::string_view name, std::int64_t most) {
    const wire::AttributeProto* attribute = find(name);
    if (attribute == nullptr) return std::nullopt;
    const auto value = number_of(*attribute);
    if (value && *value >= 0 && *value <= most) return value;
    report(fmt::format("its {} is no number from 0 to {}", name, most));
    return std::nullopt;
  }
  std::int64_t needed(std::string_view name, std::int64_t most) {
    if (find(name) == nullptr) {
      std::vector<std::string> names;
      names.reserve(static_cast<std::size_t>(node_.attr_size()));
      for (const wire::AttributeProto& one : node_.attr()) names.push_back(one.name());
      const auto closest = closest_name(name, names);
      report(closest ? fmt::format("it has no {}, and '{}' is unknown", name, *closest)
                     : fmt::format("it has no {}", name));
    }
    return number(name, most).value_or(0);
  }

  void read_time(ChakraNode& node) {
    if (node_.duration_micros() > kMostMicroseconds) return report("it takes more than 11 days");
    node.time = std::chrono::microseconds(static_cast<std::int64_t>(node_.duration_micros()));
  }
  void read_message(ChakraNode& node, ChakraNode::Kind kind, std::string_view peer) {
    node.kind = kind;
    node.peer = static_cast<std::uint32_t>(needed(peer, kMostNumber));
    node.tag = static_cast<std::uint32_t>(number("comm_tag", kMostNumber).value_or(0));
    node.size = bytes(needed("comm_size", kMostBytes));
  }
  void read_collective(ChakraNode& node, ChakraCounts& counts) {
    ++counts[ChakraCount::collectives];
    if (node.is_cpu_op && find("comm_type") == nullptr) {
      ++counts[ChakraCount::launches];
      return;
    }
    const std::int64_t comm_type = needed("comm_type", kMostNumber);
    const auto kind = collective_of(comm_type);
    if (!kind)
      return report(fmt::format("its comm_type is {}, which no collective has", comm_type));
    node.kind = ChakraNode::Kind::collective;
    node.collective = *kind;
    if (*kind != program::Collective::Kind::barrier)
      node.size = bytes(needed("comm_size", kMostBytes));
    counts[ChakraCount::collective_bytes] += static_cast<std::uint64_t>(node.size.count() / 8);
    if (const auto* group = find("pg_name"); group != nullptr) node.group = group->string_val();
    if (const auto* list = find("involved_dim"); list != nullptr) {
      const auto& values = list->bool_list().values();
      node.dimensions.assign(values.begin(), values.end());
    }
  }
  void count(const ChakraNode& node, ChakraCounts& counts) const {
    ++counts[ChakraCount::nodes];
    counts[ChakraCount::cpu_ops] += node.is_cpu_op ? 1U : 0U;
    counts[ChakraCount::data_deps] += static_cast<std::uint64_t>(node_.data_deps_size());
    counts[ChakraCount::ctrl_deps] += static_cast<std::uint64_t>(node_.ctrl_deps_size());
    counts[ChakraCount::microseconds] += node_.duration_micros();
  }

  const wire::Node& node_;
  const std::string& file_;
  Errors& errors_;
};

bool defines_groups(const wire::Node& node) {
  return node.type() == wire::METADATA_NODE &&
         node.inputs().values().find("\"pg_name\"") != std::string::npos;
}

Result<ChakraRank> read_messages(std::string_view bytes, const std::string& name) {
  const google::protobuf::LogSilencer no_log_of_the_library;
  ChakraRank rank{name, {}, {}, {}};
  Errors errors;
  std::unordered_set<std::uint64_t> ids;
  Messages messages(bytes);
  for (std::uint64_t number = 0; !messages.at_end() && errors.size() < kMostErrors; ++number) {
    const auto report = [&, at = messages.offset()](std::string_view what) {
      errors.push_back({fmt::format("message {} at byte {} {}", number, at, what), {name}});
    };
    const auto message = messages.next();
    wire::GlobalMetadata metadata;
    wire::Node node;
    if (!message) {
      report("is longer than the rest of the file");
      break;
    }
    if (number == 0) {
      if (!parse_message(*message, metadata)) report("is not the metadata of a Chakra trace");
    } else if (!parse_message(*message, node)) {
      report("is not a node of a Chakra trace");
    } else {
      if (!ids.insert(node.id()).second) report(fmt::format("is a second node {}", node.id()));
      if (defines_groups(node)) rank.group_lists.push_back(node.inputs().values());
      rank.nodes.push_back(NodeReader(node, name, errors).read(rank.counts));
    }
  }
  if (bytes.empty()) errors.push_back({"is empty", {name}});
  if (!errors.empty()) return fail(std::move(errors));
  return rank;
}

}  // namespace

bool is_chakra(std::string_view bytes) {
  constexpr std::size_t kLookAt = 1 << 20;  // metadata may hold a file of another program
  const google::protobuf::LogSilencer no_log_of_the_library;
  std::optional<std::string> unpacked;
  if (is_gzip(bytes)) unpacked = unpack(bytes, kLookAt);
  Messages messages(unpacked ? *unpacked : bytes);
  wire::GlobalMetadata metadata;
  wire::Node node;
  const auto first = messages.next();
  if (!first || !is_message(*first, metadata)) return false;
  if (messages.at_end()) return !first->empty();
  const auto second = messages.next();
  return second && is_message(*second, node) && node.type() != wire::INVALID_NODE;
}

Result<ChakraRank> read_chakra_nodes(std::string_view bytes, const std::string& name) {
  if (!is_gzip(bytes)) return read_messages(bytes, name);
  const auto unpacked = unpack(bytes, kMostUnpacked);
  if (!unpacked) return fail("cannot be unpacked by gzip", {name});
  if (unpacked->size() >= kMostUnpacked)
    return fail("holds more than a gigabyte when it is unpacked: unpack it first", {name});
  return read_messages(*unpacked, name);
}

}  // namespace ebb::trace
#endif
