// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/temporary_folder.hpp"

#include <fmt/format.h>

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

  void sign(const std::string& who) const {
    const std::string request = folder_.file(who + ".csr");
    run(fmt::format("req {} -subj /CN={} -keyout {} -out {}", kNewKey, who, key(who), request));
    run(fmt::format("x509 -req -in {} -CA {} -CAkey {} -CAcreateserial -days 30 -out {}", request,
                    authority(), key(name_), certificate(who)));
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
