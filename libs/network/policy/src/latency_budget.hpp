// SPDX-License-Identifier: Apache-2.0
//
// "Identifying a performance threshold ... and dynamically tuning one or more of the links based on
// an estimated traffic intensity such that the performance threshold is satisfied at a minimum
// energy usage": the first claim of the patent on "Energy proportional datacenter networks". The
// threshold is the mean latency that saving power may add to a message.
//
// What a period has cost is estimated from what the channels say:
//
//   added = sum of `held` over all channels / messages,   messages = sum of `sent` to hosts / size
//
// It errs to the safe side where pieces of a message wait at several channels at once, and to the
// other where messages wait behind each other. One number, the ease, follows from it: above three
// fifths of the budget channels rest later, below two fifths sooner, and at last let more come
// together before they wake.
//
//   ease < 0    rest after 125 ns * 2^-ease idle, wake at once
//   ease = 0    rest as soon as idle, wake at once
//   ease > 0    rest as soon as idle, wake when 64 KiB wait or after 500 ns * 2^ease (sleep only)
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::latency_budget {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::latency_budget
