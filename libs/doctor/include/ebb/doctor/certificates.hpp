// SPDX-License-Identifier: Apache-2.0
//
// Files for TLS: whether they can be used together, and for how long.
#pragma once

#include "ebb/doctor/finding.hpp"
#include "ebb/transport/tls.hpp"

namespace ebb::doctor {

// Of all three files; and of the key, who may read it.
[[nodiscard]] Findings look_at_certificates(const transport::TlsFiles& files);

}  // namespace ebb::doctor
