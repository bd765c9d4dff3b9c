// SPDX-License-Identifier: Apache-2.0
//
// Paths and values of gNMI messages to ours and back, for both sides. What comes from outside is
// cut to sizes that a tree of OpenConfig needs.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/gnmi/openconfig.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/tls.hpp"

#include <gnmi.pb.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <memory>
#include <string>
#include <vector>

namespace ebb::gnmi {

namespace wire = ::gnmi;

struct LeafValue {
  LeafOf leaf;
  Value value;

  bool operator==(const LeafValue&) const = default;
};

void write(const Path& path, wire::Path& message);
// The value as text of JSON when it says so, else as it is.
void write(const LeafValue& one, wire::Encoding encoding, wire::Update& message);

// `prefix` stands before `path`.
[[nodiscard]] Result<Path> read(const wire::Path& prefix, const wire::Path& path);
// Scalars; of JSON as well.
[[nodiscard]] Result<Value> read(const wire::TypedValue& message);
// What of it are leaves of ours with values that can be read.
[[nodiscard]] std::vector<LeafValue> read(const wire::Notification& message);
// Also of a string of digits; nothing when it is none.
[[nodiscard]] std::optional<std::uint64_t> as_number(const Value& value);

// Addresses and certificates as gRPC wants them.

[[nodiscard]] std::string grpc_address(const transport::Address& address);

// Both sides show a certificate and verify the other's; without TLS for other kinds of addresses.
[[nodiscard]] Result<std::shared_ptr<grpc::ServerCredentials>> server_credentials(
    transport::Kind kind, const transport::TlsFiles& files);
[[nodiscard]] Result<std::shared_ptr<grpc::ChannelCredentials>> client_credentials(
    transport::Kind kind, const transport::TlsFiles& files);

}  // namespace ebb::gnmi
