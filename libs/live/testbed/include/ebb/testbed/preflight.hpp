// SPDX-License-Identifier: Apache-2.0
//
// What one look at a machine found, and what to do about it.
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

// What this user may do.

// Test fabrics are made by root.
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
// that is made for this and deleted.

// Namespaces, virtual cables, token buckets. Needs root; what comes after a failure is not tried.
[[nodiscard]] CheckResults check_kernel();

// The folder that fabrics are kept in: sockets in it command switches.

// Writes and removes a file in it; makes no folder that is not there.
[[nodiscard]] CheckResult check_folder(const std::string& path);

// Files and sockets that a process may have open.

// That a controller of so many switches has open at most.
[[nodiscard]] std::uint64_t descriptors_needed(std::uint32_t switches);
[[nodiscard]] CheckResult check_descriptors(std::uint32_t switches);

// The time of day: certificates are valid by it, and log and audit trail are written with it. The
// controller itself goes by a clock that nobody can set.

[[nodiscard]] CheckResult check_clock();

// Files for TLS: whether they can be used together, and for how long.

// Of all three files; and of the key, who may read it.
[[nodiscard]] CheckResults check_certificates(const transport::TlsFiles& files);

// Where switches elsewhere will reach the controller.

// Listens there for a moment: whether the address is ours and nobody else has the port.
[[nodiscard]] CheckResult check_listen_address(const transport::Address& address);

}  // namespace ebb::testbed::preflight
