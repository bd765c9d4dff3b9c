// SPDX-License-Identifier: Apache-2.0
#include "kinds.hpp"
#include "layouts.hpp"

#include "ebb/openflow/message.hpp"

#include <fmt/format.h>

namespace ebb::openflow {
namespace {

constexpr std::uint16_t kMore = 1;  // flag of a multipart message

bool is_multipart(std::uint8_t type) {
  return type == kMultipartRequest || type == kMultipartReply;
}

// What stands between the header and the body of multipart and experimenter messages.
template <class T>
void write_prefix(Writer& writer, const T& message) {
  constexpr Kind kind = kKind<T>;
  if (is_multipart(kind.type)) {
    writer.number(static_cast<std::uint16_t>(kind.sub));
    std::uint16_t flags = 0;
    if constexpr (requires { message.more; }) flags = message.more ? kMore : 0;
    writer.number(flags);
    writer.pad(4);
  } else if (kind.type == kExperimenterType) {
    writer.number(kOnf);
    writer.number(kind.sub);
  }
}

template <class T>
void write_body(Writer& writer, const T& message) {
  write_prefix(writer, message);
  layout(writer, message);
}

template <class T>
void read_prefix(Reader& reader, T& message) {
  constexpr Kind kind = kKind<T>;
  if (is_multipart(kind.type)) {
    reader.pad(2);
    [[maybe_unused]] const auto flags = reader.take<std::uint16_t>();
    if constexpr (requires { message.more; }) message.more = (flags & kMore) != 0;
    reader.pad(4);
  } else if (kind.type == kExperimenterType) {
    reader.pad(8);
  }
}

template <class T>
T read_body(Reader& reader) {
  T message;
  read_prefix(reader, message);
  layout(reader, message);
  reader.expect_end();
  return message;
}

struct Numbers {
  std::uint8_t type = 0;
  std::uint32_t sub = 0;
};

// The number after the type, where the type alone does not tell.
std::uint32_t sub_of(std::uint8_t type, const Reader& reader) {
  constexpr std::uint32_t kNone = 0xffff'ffff;
  if (is_multipart(type)) {
    return reader.left() < 8 ? kNone : static_cast<std::uint32_t>(reader.peek(0, 2));
  }
  if (type != kExperimenterType) return 0;
  return reader.peek(0, 4) == kOnf ? static_cast<std::uint32_t>(reader.peek(4, 4)) : kNone;
}

struct Found {
  std::optional<Body> body;
  std::string_view name;
};

// Reads the alternative that has these numbers; none has them: OtherMessage.
template <class... T>
Found read_any(Numbers numbers, Reader& reader, const std::variant<T...>* /*alternatives*/) {
  Found found;
  const auto matches = [&](Kind kind) {
    return kind.type == numbers.type && kind.sub == numbers.sub;
  };
  (void)((matches(kKind<T>) &&
          (found.name = kKind<T>.name, found.body = read_body<T>(reader), true)) ||
         ...);
  if (!found.body) {
    OtherMessage other{numbers.type, {}};
    reader.rest(other.body);
    found = {std::move(other), "message"};
  }
  return found;
}

std::uint8_t type_of(const Body& body) {
  if (const auto* other = std::get_if<OtherMessage>(&body)) return other->type;
  return std::visit([]<class T>(const T& /*message*/) { return kKind<T>.type; }, body);
}

std::string_view name_of(const Body& body) {
  return std::visit([]<class T>(const T& /*message*/) { return kKind<T>.name; }, body);
}

// Checks the header of a message that is whole, and gives its type.
Result<std::uint8_t> read_header(Reader& reader, std::size_t size) {
  if (size < kHeaderBytes) return fail(fmt::format("OpenFlow: {} bytes are no message", size));
  const auto version = reader.take<std::uint8_t>();
  const auto type = reader.take<std::uint8_t>();
  const auto length = reader.take<std::uint16_t>();
  if (length != size)
    return fail(fmt::format("OpenFlow: a message of {} bytes says it has {}", size, length));
  if (type != kHelloType && version != kVersion) {
    return fail(
        fmt::format("OpenFlow: version {:#04x} instead of {:#04x} at byte 0", version, kVersion));
  }
  if (type > kLastType)
    return fail(fmt::format("OpenFlow: no message has the type {} (at byte 1)", type));
  return type;
}

}  // namespace

bool speaks_1_3(const Hello& hello) {
  if (hello.versions != 0) return (hello.versions >> kVersion & 1U) != 0;
  return hello.version >= kVersion;
}

Result<Bytes> encode(const Message& message) {
  Writer writer;
  const auto* hello = std::get_if<Hello>(&message.body);
  writer.number(hello != nullptr ? hello->version : kVersion);
  writer.number(type_of(message.body));
  writer.pad(2);
  writer.number(message.xid);
  std::visit([&](const auto& body) { write_body(writer, body); }, message.body);
  writer.set_length(2, writer.size());
  if (writer.problem())
    return fail(fmt::format("OpenFlow {}: {}", name_of(message.body), *writer.problem()));
  return writer.take();
}

Result<Message> decode(std::span<const std::byte> bytes) {
  Reader::Problem problem;
  Reader reader(bytes, 0, problem);
  const auto type = read_header(reader, bytes.size());
  if (!type) return fail(type.error());
  const auto xid = reader.take<std::uint32_t>();
  auto found = read_any({*type, sub_of(*type, reader)}, reader, static_cast<const Body*>(nullptr));
  if (problem) return fail(fmt::format("OpenFlow {}: {}", found.name, *problem));
  if (auto* hello = std::get_if<Hello>(&*found.body))
    hello->version = std::to_integer<std::uint8_t>(bytes[0]);
  return Message{xid, std::move(*found.body)};
}

void Framer::feed(std::span<const std::byte> bytes) {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken_));
  taken_ = 0;
  append_all(waiting_, bytes);
}

Result<Bytes> Framer::next() {
  const std::span<const std::byte> rest = std::span(waiting_).subspan(taken_);
  if (rest.size() < 4) return Bytes{};
  const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(rest[i]); };
  const std::size_t length = at(2) << 8U | at(3);
  if (length < kHeaderBytes) {
    return fail(
        fmt::format("OpenFlow: a message of {} bytes at byte {} of the stream", length, offset_));
  }
  if (!hello_received_ && at(1) != kHelloType) {
    return fail(fmt::format(
        "OpenFlow: the stream begins with a message of type {} instead of hello", at(1)));
  }
  if (hello_received_ && at(0) != kVersion) {
    return fail(fmt::format("OpenFlow: version {:#04x} instead of {:#04x} at byte {} of the stream",
                            at(0), kVersion, offset_));
  }
  if (rest.size() < length) return Bytes{};
  hello_received_ = true;
  taken_ += length;
  offset_ += length;
  return Bytes(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
}

// Names of errors: OpenFlow 1.3.5, chapter 7.4.4, and ONF EXT-230 for bundles.
namespace {

struct ErrorKind {
  std::string_view name;
  std::vector<std::string_view> codes;
};

const std::vector<ErrorKind>& error_kinds() {
  static const std::vector<ErrorKind> kinds{
      {"hello_failed", {"incompatible", "eperm"}},
      {"bad_request",
       {"bad_version", "bad_type", "bad_multipart", "bad_experimenter", "bad_exp_type", "eperm",
        "bad_len", "buffer_empty", "buffer_unknown", "bad_table_id", "is_slave", "bad_port",
        "bad_packet", "multipart_buffer_overflow"}},
      {"bad_action",
       {"bad_type", "bad_len", "bad_experimenter", "bad_exp_type", "bad_out_port", "bad_argument",
        "eperm", "too_many", "bad_queue", "bad_out_group", "match_inconsistent",
        "unsupported_order", "bad_tag", "bad_set_type", "bad_set_len", "bad_set_argument"}},
      {"bad_instruction",
       {"unknown_inst", "unsup_inst", "bad_table_id", "unsup_metadata", "unsup_metadata_mask",
        "bad_experimenter", "bad_exp_type", "bad_len", "eperm"}},
      {"bad_match",
       {"bad_type", "bad_len", "bad_tag", "bad_dl_addr_mask", "bad_nw_addr_mask", "bad_wildcards",
        "bad_field", "bad_value", "bad_mask", "bad_prereq", "dup_field", "eperm"}},
      {"flow_mod_failed",
       {"unknown", "table_full", "bad_table_id", "overlap", "eperm", "bad_timeout", "bad_command",
        "bad_flags"}},
      {"group_mod_failed",
       {"group_exists", "invalid_group", "weight_unsupported", "out_of_groups", "out_of_buckets",
        "chaining_unsupported", "watch_unsupported", "loop", "unknown_group", "chained_group",
        "bad_type", "bad_command", "bad_bucket", "bad_watch", "eperm"}},
      {"port_mod_failed", {"bad_port", "bad_hw_addr", "bad_config", "bad_advertise", "eperm"}},
      {"table_mod_failed", {"bad_table", "bad_config", "eperm"}},
      {"queue_op_failed", {"bad_port", "bad_queue", "eperm"}},
      {"switch_config_failed", {"bad_flags", "bad_len", "eperm"}},
      {"role_request_failed", {"stale", "unsup", "bad_role"}},
  };
  return kinds;
}

// From 2300 on, in experimenter errors of the ONF.
const ErrorKind& bundle_failed() {
  static const ErrorKind kind{
      "bundle_failed",
      {"unknown", "eperm", "bad_id", "bundle_exist", "bundle_closed", "out_of_bundles", "bad_type",
       "bad_flags", "msg_bad_len", "msg_bad_xid", "msg_unsup", "msg_conflict", "msg_too_many",
       "msg_failed", "timeout", "bundle_in_progress"}};
  return kind;
}

std::string named(const ErrorKind& kind, std::size_t code) {
  if (code < kind.codes.size()) return fmt::format("{}: {}", kind.name, kind.codes[code]);
  return fmt::format("{}: code {}", kind.name, code);
}

}  // namespace

std::string to_text(const ErrorMessage& error) {
  constexpr std::uint16_t kFirstBundleError = 2300;
  if (error.type < error_kinds().size()) return named(error_kinds()[error.type], error.code);
  if (error.type != kExperimenterError)
    return fmt::format("error type {}, code {}", error.type, error.code);
  if (error.experimenter == kOnf && error.code >= kFirstBundleError) {
    return named(bundle_failed(), error.code - kFirstBundleError);
  }
  return fmt::format("error of experimenter {:#x}, type {}", error.experimenter, error.code);
}

}  // namespace ebb::openflow
