// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace ebb::gnmi {
namespace {

using Json = nlohmann::json;

constexpr int kMostElements = 32;
constexpr std::size_t kLongestName = 256;
constexpr std::size_t kMostKeys = 8;
constexpr std::size_t kLongestScalar = 1024;  // as JSON

Result<Element> read_element(const wire::PathElem& message) {
  if (message.name().empty() || message.name().size() > kLongestName)
    return fail("an element of a path without a name, or with a very long one");
  if (message.key().size() > kMostKeys) return fail("an element of a path with very many keys");
  Element element{message.name(), {}};
  for (const auto& [key, value] : message.key()) {
    if (key.size() > kLongestName || value.size() > kLongestName)
      return fail("a very long key in a path");
    element.keys.emplace(key, value);
  }
  return element;
}

Result<void> append(const wire::Path& message, Path& path) {
  if (message.element_size() > 0) return fail("a path in the form of gNMI before 0.4");
  if (!message.origin().empty() && message.origin() != "openconfig")
    return fail("a path of another origin than openconfig");
  if (message.elem_size() > kMostElements) return fail("a very long path");
  for (const wire::PathElem& one : message.elem()) {
    auto element = read_element(one);
    if (!element) return fail(element.error());
    path.elements.push_back(std::move(*element));
  }
  return {};
}

// A number may come as a string: whoever wants a number reads both.
Result<Value> read_json(const std::string& text) {
  if (text.size() > kLongestScalar) return fail("a very long value");
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number_unsigned()) return Value(json.get<std::uint64_t>());
  if (json.is_string()) return Value(json.get<std::string>());
  return fail("a value that is no scalar of JSON");
}

// Numbers of 64 bits are strings there (RFC 7951); of ours all but VLANs are.
Json as_json(const LeafValue& one) {
  const auto* number = std::get_if<std::uint64_t>(&one.value);
  if (number != nullptr && one.leaf.leaf != Leaf::access_vlan) return std::to_string(*number);
  return std::visit([](const auto& value) -> Json { return value; }, one.value);
}

std::string json_text(const LeafValue& one) {
  return as_json(one).dump(-1, ' ', true, Json::error_handler_t::replace);
}

struct WriteAsItIs {
  wire::TypedValue& message;

  void operator()(bool value) const { message.set_bool_val(value); }
  void operator()(std::uint64_t value) const { message.set_uint_val(value); }
  void operator()(const std::string& value) const { message.set_string_val(value); }
};

}  // namespace

void write(const Path& path, wire::Path& message) {
  for (const Element& element : path.elements) {
    wire::PathElem& one = *message.add_elem();
    one.set_name(element.name);
    for (const auto& [key, value] : element.keys) (*one.mutable_key())[key] = value;
  }
}

void write(const LeafValue& one, wire::Encoding encoding, wire::Update& message) {
  write(path_of(one.leaf), *message.mutable_path());
  wire::TypedValue& value = *message.mutable_val();
  if (encoding == wire::JSON) return value.set_json_val(json_text(one));
  if (encoding == wire::JSON_IETF) return value.set_json_ietf_val(json_text(one));
  std::visit(WriteAsItIs{value}, one.value);
}

Result<Path> read(const wire::Path& prefix, const wire::Path& path) {
  Path whole;
  if (auto done = append(prefix, whole); !done) return fail(done.error());
  if (auto done = append(path, whole); !done) return fail(done.error());
  return whole;
}

Result<Value> read(const wire::TypedValue& message) {
  switch (message.value_case()) {
    case wire::TypedValue::kStringVal:
      return Value(message.string_val());
    case wire::TypedValue::kAsciiVal:
      return Value(message.ascii_val());
    case wire::TypedValue::kBoolVal:
      return Value(message.bool_val());
    case wire::TypedValue::kUintVal:
      return Value(message.uint_val());
    case wire::TypedValue::kIntVal:
      if (message.int_val() < 0) return fail("a negative number");
      return Value(static_cast<std::uint64_t>(message.int_val()));
    case wire::TypedValue::kJsonVal:
      return read_json(message.json_val());
    case wire::TypedValue::kJsonIetfVal:
      return read_json(message.json_ietf_val());
    case wire::TypedValue::VALUE_NOT_SET:
      break;
  }
  return fail("no value, or one of a kind that is not known");
}

std::vector<LeafValue> read(const wire::Notification& message) {
  std::vector<LeafValue> found;
  for (const wire::Update& update : message.update()) {
    const auto path = read(message.prefix(), update.path());
    const auto leaf = path ? leaf_at(*path) : std::nullopt;
    auto value = read(update.val());
    if (leaf && value) found.push_back({*leaf, std::move(*value)});
  }
  return found;
}

std::optional<std::uint64_t> as_number(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return *number;
  constexpr std::size_t kMostDigits = 19;  // without overflow
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || text->empty() || text->size() > kMostDigits ||
      text->find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return std::stoull(*text);
}

namespace {

struct Pem {
  std::string certificate;
  std::string key;
  std::string authority;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// gRPC says of bad files only that a handshake failed, and when somebody connects; OpenSSL looks at
// them here.
Result<Pem> load(const transport::TlsFiles& files) {
  if (const auto good = transport::TlsContext::load(files); !good) return fail(good.error());
  return Pem{content(files.certificate), content(files.key), content(files.authority)};
}

}  // namespace

std::string grpc_address(const transport::Address& address) {
  if (address.kind == transport::Kind::unix_socket) return "unix:" + address.path;
  const bool six = address.host.find(':') != std::string::npos;
  return six ? fmt::format("[{}]:{}", address.host, address.port)
             : fmt::format("{}:{}", address.host, address.port);
}

Result<std::shared_ptr<grpc::ServerCredentials>> server_credentials(
    transport::Kind kind, const transport::TlsFiles& files) {
  if (kind != transport::Kind::tls) return grpc::InsecureServerCredentials();
  auto pem = load(files);
  if (!pem) return fail(pem.error());
  grpc::SslServerCredentialsOptions options(
      GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = std::move(pem->authority);
  options.pem_key_cert_pairs.push_back({std::move(pem->key), std::move(pem->certificate)});
  return grpc::SslServerCredentials(options);
}

Result<std::shared_ptr<grpc::ChannelCredentials>> client_credentials(
    transport::Kind kind, const transport::TlsFiles& files) {
  if (kind != transport::Kind::tls) return grpc::InsecureChannelCredentials();
  auto pem = load(files);
  if (!pem) return fail(pem.error());
  return grpc::SslCredentials(
      {std::move(pem->authority), std::move(pem->key), std::move(pem->certificate)});
}

}  // namespace ebb::gnmi
