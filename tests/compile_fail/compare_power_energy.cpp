// error: no match for|invalid operands
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
bool less = watts(1) < joules(1);
