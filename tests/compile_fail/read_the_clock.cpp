// error: is not a member|no member named
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/money.hpp"
#include "ebb/units/ratio.hpp"
using namespace ebb;
auto now = FabricClock::now();
