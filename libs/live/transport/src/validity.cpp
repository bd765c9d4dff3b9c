// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/validity.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace ebb::transport {
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
