// error: implicit conversion|narrowing|no match|ambiguous|cannot be narrowed
// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"
using namespace ebb;
auto p = watts(1);
auto q = Power::from_count({0.5});
