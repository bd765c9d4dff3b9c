// SPDX-License-Identifier: Apache-2.0
#include "kinds.hpp"
#include "layouts.hpp"

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

}  // namespace ebb::openflow
