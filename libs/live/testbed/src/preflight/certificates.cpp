// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/certificates.hpp"

#include "ebb/transport/validity.hpp"

#include <fmt/format.h>

#include <chrono>
#include <sys/stat.h>

namespace ebb::testbed::preflight {
namespace {

using Days = std::chrono::duration<std::int64_t, std::ratio<86'400>>;

Finding look_at_validity(const std::string& subject, const std::string& file) {
  constexpr Days kSoon{30};
  const auto left = transport::validity(file);
  if (!left) {
    return {subject, Verdict::fail, to_string(left.error().front()), "name a PEM file"};
  }
  if (left->begins_in.count() > 0)
    return {subject, Verdict::fail, file + " is not valid yet", "look at the clock"};
  if (left->ends_in.count() <= 0)
    return {subject, Verdict::fail, file + " has expired", "have it signed anew"};
  const auto days = std::chrono::floor<Days>(left->ends_in);
  Finding finding{subject, Verdict::ok, fmt::format("{}: valid for {} days", file, days.count())};
  if (days < kSoon) {
    finding.verdict = Verdict::warn;
    finding.remedy = "have it signed anew soon";
  }
  return finding;
}

Finding look_at_key(const std::string& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0)
    return {"key", Verdict::fail, file + ": no such file", "name a PEM file"};
  if ((facts.st_mode & (S_IROTH | S_IWOTH)) != 0)
    return {"key", Verdict::fail, file + ": every user may read it", "chmod 640 " + file};
  return {"key", Verdict::ok, fmt::format("{}, mode {:o}", file, facts.st_mode & 07777U)};
}

Finding look_at_pair(const transport::TlsFiles& files) {
  if (const auto context = transport::TlsContext::load(files); !context) {
    return {"TLS", Verdict::fail, to_string(context.error().front()),
            "certificate and key must belong together, all in PEM"};
  }
  return {"TLS", Verdict::ok, "certificate, key and authority can be used"};
}

}  // namespace

Findings look_at_certificates(const transport::TlsFiles& files) {
  return {look_at_pair(files), look_at_validity("certificate", files.certificate),
          look_at_validity("authority", files.authority), look_at_key(files.key)};
}

}  // namespace ebb::testbed::preflight
