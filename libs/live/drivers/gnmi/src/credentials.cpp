// SPDX-License-Identifier: Apache-2.0
#include "credentials.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace ebb::gnmi {
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
