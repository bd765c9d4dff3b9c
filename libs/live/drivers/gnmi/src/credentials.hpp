// SPDX-License-Identifier: Apache-2.0
//
// Addresses and certificates as gRPC wants them.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/tls.hpp"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <memory>
#include <string>

namespace ebb::gnmi {

[[nodiscard]] std::string grpc_address(const transport::Address& address);

// Both sides show a certificate and verify the other's; without TLS for other kinds of addresses.
[[nodiscard]] Result<std::shared_ptr<grpc::ServerCredentials>> server_credentials(
    transport::Kind kind, const transport::TlsFiles& files);
[[nodiscard]] Result<std::shared_ptr<grpc::ChannelCredentials>> client_credentials(
    transport::Kind kind, const transport::TlsFiles& files);

}  // namespace ebb::gnmi
