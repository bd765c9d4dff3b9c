// error: no match for|invalid operands
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/money.hpp"
#include "ebb/units/ratio.hpp"
using namespace ebb;
auto product = watts(1) * watts(1);
