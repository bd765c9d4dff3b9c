// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/temporary_folder.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <vector>

namespace ebb::test {

// An authority and what it signs, made by the program openssl in the folder.
class Certificates {
 public:
  Certificates(const TemporaryFolder& folder, std::string name)
      : folder_(folder), name_(std::move(name)) {
    run(fmt::format("req -x509 {} -days 30 -subj /CN={} -keyout {} -out {}", kNewKey, name_,
                    key(name_), authority()));
  }

  [[nodiscard]] std::string authority() const { return certificate(name_); }
  [[nodiscard]] std::string certificate(const std::string& who) const {
    return folder_.file(who + ".pem");
  }
  [[nodiscard]] std::string key(const std::string& who) const {
    return folder_.file(who + "-key.pem");
  }

  // `more`: further names, as "DNS:s0,DNS:s1".
  void sign(const std::string& who, const std::string& more = "") const {
    const std::string request = folder_.file(who + ".csr");
    run(fmt::format("req {} -subj /CN={} -keyout {} -out {}", kNewKey, who, key(who), request));
    const std::string names = folder_.file(who + ".names");
    if (!more.empty()) std::ofstream(names) << "subjectAltName=" << more << '\n';
    run(fmt::format("x509 -req -in {} -CA {} -CAkey {} -CAcreateserial -days 30 -out {}{}", request,
                    authority(), key(name_), certificate(who),
                    more.empty() ? "" : " -extfile " + names));
  }

  // A list of revoked certificates with these, which the authority has signed.
  [[nodiscard]] std::string revoke(const std::vector<std::string>& revoked) const {
    const std::string config = folder_.file(name_ + ".cnf");
    std::ofstream(config) << "[ca]\ndefault_ca=one\n[one]\ndefault_md=sha256\ndefault_crl_days=30\n"
                          << "database=" << folder_.file(name_ + ".index") << '\n';
    std::ofstream(folder_.file(name_ + ".index")) << "";
    const std::string ours =
        fmt::format("ca -config {} -keyfile {} -cert {}", config, key(name_), authority());
    for (const std::string& who : revoked)
      run(fmt::format("{} -revoke {}", ours, certificate(who)));
    const std::string list = folder_.file(name_ + ".crl");
    run(fmt::format("{} -gencrl -out {}", ours, list));
    return list;
  }

 private:
  static constexpr auto kNewKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

  static void run(const std::string& arguments) {
    if (std::system(("openssl " + arguments + " >/dev/null 2>&1").c_str()) != 0) std::abort();
  }

  const TemporaryFolder& folder_;
  std::string name_;
};

}  // namespace ebb::test
