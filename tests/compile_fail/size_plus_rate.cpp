// error: no match for|invalid operands
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
auto sum = bytes(1) + gigabits_per_second(1);
