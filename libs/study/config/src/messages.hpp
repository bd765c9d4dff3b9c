// SPDX-License-Identifier: Apache-2.0
//
// The key `traffic.messages`: a list of messages as CSV, in a file of its own or in the key itself.
#pragma once

#include "ebb/config/sim_file.hpp"
#include "ebb/core/result.hpp"
#include "ebb/files/sections.hpp"
#include "ebb/traffic/message.hpp"

#include <cstdint>
#include <vector>

namespace ebb::config {

// Takes the text of the key, or that of the file whose path it is. Rows are read when the network
// is known.
void read_messages_key(const files::Value& value, files::Diagnostics& errors, MessagesSpec& spec);

// The messages of a network of so many hosts. All errors at once: those of a file with its line,
// the others with the number of the message, from 0.
[[nodiscard]] Result<std::vector<traffic::Message>> read_messages(const MessagesSpec& spec,
                                                                  std::uint32_t hosts);

}  // namespace ebb::config
