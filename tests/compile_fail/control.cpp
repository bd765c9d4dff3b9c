// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
static_assert(watts(9) + milliwatts(500) > watts(9));
static_assert(watts(1) * std::chrono::seconds(1) == joules(1));
static_assert(serialization_time(bytes(1), gigabits_per_second(8)) == Duration(1000));
static_assert(TimePoint{} + Duration(1) > TimePoint{});
