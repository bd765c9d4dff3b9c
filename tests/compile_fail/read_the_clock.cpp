// error: is not a member|no member named
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
auto now = FabricClock::now();
