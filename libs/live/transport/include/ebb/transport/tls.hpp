// SPDX-License-Identifier: Apache-2.0
//
// Who we are and whom we trust, for TLS 1.2 and later. Both sides show a certificate, and both
// verify the other's: that cannot be switched off.
#pragma once

#include "ebb/core/result.hpp"

#include <chrono>
#include <memory>
#include <string>

struct ssl_ctx_st;

namespace ebb::transport {

struct TlsFiles {
  std::string certificate;   // PEM, ours
  std::string key;           // PEM, ours
  std::string authority;     // PEM, of whoever signs our peers' certificates; no other is trusted
  std::string peer_name;     // that a peer's certificate must have; empty: any that is signed
  std::string revoked = {};  // PEM, the authority's list of revoked certificates; empty: no list
};

// Loading it makes the process ignore SIGPIPE: OpenSSL writes to sockets that a peer may have
// closed.
class TlsContext {
 public:
  static Result<TlsContext> load(const TlsFiles& files);

  [[nodiscard]] ssl_ctx_st* get() const { return context_.get(); }

 private:
  explicit TlsContext(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}

  std::shared_ptr<ssl_ctx_st> context_;
};

// When a certificate is valid, relative to now.
struct Validity {
  std::chrono::seconds begins_in;  // negative: it has begun
  std::chrono::seconds ends_in;    // negative: it has ended
};

// Of the first certificate in a PEM file.
[[nodiscard]] Result<Validity> validity(const std::string& file);

}  // namespace ebb::transport
