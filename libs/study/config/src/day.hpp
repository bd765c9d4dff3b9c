// SPDX-License-Identifier: Apache-2.0
//
// The keys `schedule.day` and `schedule.magnify` of a simulation.
#pragma once

#include "ebb/config/sim_file.hpp"
#include "ebb/files/document.hpp"

#include <string>

namespace YAML {
class Node;
}

namespace ebb::config {

// The injection or workload of a simulation with a day has no load in the document. It gets one, so
// that it can be read as any other; read_day_keys takes it out again. One that is there is
// reported.
void give_load_of_day(YAML::Node& document, files::Diagnostics& errors);

// Takes the text of the key `day`, or that of the file whose path it is. Traffic was read before.
void read_day_keys(files::Section& schedule, SimSpec& spec);

// What a day does not go with. All else was read before.
void check_day_keys(files::Section& sim, const SimSpec& spec);

// Keys after others of the schedule; empty without a day.
[[nodiscard]] std::string day_yaml(const DaySpec& day);

}  // namespace ebb::config
