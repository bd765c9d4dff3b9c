// SPDX-License-Identifier: Apache-2.0
//
// Files for TLS: whether they can be used together, and for how long.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"
#include "ebb/transport/tls.hpp"

namespace ebb::testbed::preflight {

// Of all three files; and of the key, who may read it.
[[nodiscard]] Findings look_at_certificates(const transport::TlsFiles& files);

}  // namespace ebb::testbed::preflight
