// SPDX-License-Identifier: Apache-2.0
//
// What a service tells whoever started it: a datagram to the socket $NOTIFY_SOCKET, as systemd
// documents for sd_notify(3). Nothing happens when nobody asked for it.
#pragma once

#include <string_view>

namespace ebb::cli {

// "READY=1", "WATCHDOG=1", "STOPPING=1".
void tell_service_manager(std::string_view state);

}  // namespace ebb::cli
