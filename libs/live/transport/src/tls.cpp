// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/tls.hpp"

#include "stream_impl.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <optional>
#include <string>
#include <vector>

namespace ebb::transport {
namespace {

// The newest entry of OpenSSL's list of errors, which is then emptied.
std::string newest_error() {
  const auto error = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = ERR_reason_error_string(error);
  return reason != nullptr ? reason : "unknown error";
}

Failure cannot_use(std::string_view what, const std::string& file) {
  return fail(fmt::format("TLS: cannot use the {}: {}", what, newest_error()), {.file = file});
}

std::string text_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

void add_common_name(const X509* certificate, std::vector<std::string>& names) {
  const X509_NAME* subject = X509_get_subject_name(certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return;
  names.push_back(text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
}

void add_dns_names(const X509* certificate, std::vector<std::string>& names) {
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> found(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  for (int i = 0; found && i < sk_GENERAL_NAME_num(found.get()); ++i) {
    int kind = 0;
    const void* value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(found.get(), i), &kind);
    if (kind == GEN_DNS) names.push_back(text_of(static_cast<const ASN1_STRING*>(value)));
  }
}

class TlsChannel final : public Channel {
 public:
  TlsChannel(int descriptor, const TlsContext& context, Side side)
      : ssl_(SSL_new(context.get()), SSL_free) {
    SSL_set_fd(ssl_.get(), descriptor);
    if (side == Side::client) {
      SSL_set_connect_state(ssl_.get());
    } else {
      SSL_set_accept_state(ssl_.get());
    }
  }
  // Tells the peer that this is the end and no cut; it may be past hearing.
  ~TlsChannel() override {
    if (open_) SSL_shutdown(ssl_.get());
    ERR_clear_error();
  }

  Progress handshake() override {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    open_ = result == 1;
    return open_ ? Progress{} : unfinished(result);
  }
  Progress read(std::span<std::byte> into) override {
    ERR_clear_error();
    std::size_t got = 0;
    const int result = SSL_read_ex(ssl_.get(), into.data(), into.size(), &got);
    return result == 1 ? Progress{Went::done, got} : unfinished(result);
  }
  Progress write(std::span<const std::byte> bytes) override {
    ERR_clear_error();
    std::size_t put = 0;
    const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &put);
    return result == 1 ? Progress{Went::done, put} : unfinished(result);
  }
  [[nodiscard]] std::optional<std::vector<std::string>> peer_names() const override {
    std::vector<std::string> names;
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(
        SSL_get1_peer_certificate(ssl_.get()), X509_free);
    if (!certificate) return names;
    add_common_name(certificate.get(), names);
    add_dns_names(certificate.get(), names);
    return names;
  }

 private:
  Progress unfinished(int result) {
    const int system = errno;
    const int error = SSL_get_error(ssl_.get(), result);
    if (error == SSL_ERROR_WANT_READ) return {Went::wants_read};
    if (error == SSL_ERROR_WANT_WRITE) return {Went::wants_write};
    open_ = false;  // after a failure nothing may be written, not even the end
    if (error == SSL_ERROR_ZERO_RETURN) return {Went::ended};
    if (error == SSL_ERROR_SYSCALL && system != 0)
      return {Went::failed, 0, "TLS: " + system_text(system)};
    const long verdict = SSL_get_verify_result(ssl_.get());
    if (verdict == X509_V_OK) return {Went::failed, 0, "TLS: " + newest_error()};
    return {Went::failed, 0,
            fmt::format("TLS: the peer's certificate: {}", X509_verify_cert_error_string(verdict))};
  }

  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool open_ = false;
};

void set_rules(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  // Our queue moves and is written piece by piece.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

// Every peer is looked up in the list; one that has ended (its next update is overdue) lets nobody
// in.
bool use_revocations(SSL_CTX* context, const std::string& file) {
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  X509_LOOKUP* lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
  if (lookup == nullptr || X509_load_crl_file(lookup, file.c_str(), X509_FILETYPE_PEM) < 1)
    return false;
  return X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK) == 1;
}

}  // namespace

Result<TlsContext> TlsContext::load(const TlsFiles& files) {
  std::signal(SIGPIPE, SIG_IGN);
  ERR_clear_error();
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_method()), SSL_CTX_free);
  SSL_CTX* raw = context.get();
  set_rules(raw);
  if (SSL_CTX_use_certificate_chain_file(raw, files.certificate.c_str()) != 1) {
    return cannot_use("certificate", files.certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(raw, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
    return cannot_use("key", files.key);
  if (SSL_CTX_load_verify_locations(raw, files.authority.c_str(), nullptr) != 1) {
    return cannot_use("authority", files.authority);
  }
  if (!files.revoked.empty() && !use_revocations(raw, files.revoked))
    return cannot_use("list of revoked certificates", files.revoked);
  if (!files.peer_name.empty()) {
    X509_VERIFY_PARAM_set1_host(SSL_CTX_get0_param(raw), files.peer_name.c_str(),
                                files.peer_name.size());
  }
  return TlsContext(context);
}

std::unique_ptr<Channel> tls_channel(int descriptor, const TlsContext& context, Side side) {
  return std::make_unique<TlsChannel>(descriptor, context, side);
}

namespace {

Result<std::chrono::seconds> from_now(const ASN1_TIME* time, const std::string& file) {
  constexpr std::chrono::hours kDay{24};
  int days = 0;
  int seconds = 0;
  // No time to begin from: it takes the present one.
  if (ASN1_TIME_diff(&days, &seconds, nullptr, time) != 1)
    return fail("its dates cannot be read", {file});
  return days * kDay + std::chrono::seconds(seconds);
}

struct CloseFile {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

}  // namespace

Result<Validity> validity(const std::string& file) {
  const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(file.c_str(), "re"));
  if (!in) return fail(std::strerror(errno), {file});
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_X509(in.get(), nullptr, nullptr, nullptr), X509_free);
  ERR_clear_error();
  if (!certificate) return fail("there is no certificate in it", {file});
  const auto begins = from_now(X509_get0_notBefore(certificate.get()), file);
  if (!begins) return fail(begins.error());
  const auto ends = from_now(X509_get0_notAfter(certificate.get()), file);
  if (!ends) return fail(ends.error());
  return Validity{*begins, *ends};
}

}  // namespace ebb::transport
