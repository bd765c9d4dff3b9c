// error: no viable conversion|conversion from .* to non-scalar|could not convert
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
DataRate rate = 5;
