// error: no match for|cannot convert|no viable conversion|conversion from
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
DataRate rate = 2.5e9;
