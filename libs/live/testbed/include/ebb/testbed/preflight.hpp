// SPDX-License-Identifier: Apache-2.0
//
// Preflight: whether this machine can run a test fabric or a controller. Each check says what it
// found and what to do about it, and changes nothing that stays.
#pragma once

#include "ebb/transport/address.hpp"
#include "ebb/transport/tls.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ebb::testbed::preflight {

enum class Verdict : std::uint8_t {
  ok,
  warn,  // it works, but not for long or not for everything
  fail
};

struct CheckResult {
  std::string subject;  // "open files"
  Verdict verdict = Verdict::ok;
  std::string found;        // "1024, 65 needed"
  std::string remedy = {};  // what to do; empty when it is ok
};

using CheckResults = std::vector<CheckResult>;

[[nodiscard]] const char* to_text(Verdict verdict);

// Whether this user may make test fabrics: root may.
[[nodiscard]] CheckResult check_user();

// Programs that others wrote: whether they are on the path, and what version they say they are.
struct Program {
  std::string name;
  std::string version_option;  // what makes it say its version; empty: it is not asked
  std::string package;         // of Debian
  Verdict without = Verdict::fail;
  std::string purpose;
};

// Those of a test fabric on this machine.
[[nodiscard]] std::span<const Program> fabric_programs();
[[nodiscard]] CheckResult check_program(const Program& program);

// Whether the kernel can do what a test fabric asks of it, by doing it once in a network namespace
// that is made for this and deleted: namespaces, virtual cables, token buckets. Needs root; what
// comes after a failure is not tried.
[[nodiscard]] CheckResults check_kernel();

// The folder that fabrics are kept in; sockets in it command switches. Writes and removes a file in
// it, and makes no folder that is not there.
[[nodiscard]] CheckResult check_folder(const std::string& path);

// Files and sockets that a controller of so many switches has open at most.
[[nodiscard]] std::uint64_t descriptors_needed(std::uint32_t switches);
[[nodiscard]] CheckResult check_descriptors(std::uint32_t switches);

// The time of day: certificates are valid by it, and log and audit trail are written with it. The
// controller itself goes by a clock that nobody can set.
[[nodiscard]] CheckResult check_clock();

// The three files for TLS: whether they can be used together, for how long, and who may read the
// key.
[[nodiscard]] CheckResults check_certificates(const transport::TlsFiles& files);

// Where switches of other machines will reach the controller. Listens there for a moment: whether
// the address is of this machine and the port is free.
[[nodiscard]] CheckResult check_listen_address(const transport::Address& address);

}  // namespace ebb::testbed::preflight
