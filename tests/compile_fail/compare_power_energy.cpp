// error: no match for|invalid operands
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/money.hpp"
#include "ebb/units/ratio.hpp"
using namespace ebb;
bool less = watts(1) < joules(1);
