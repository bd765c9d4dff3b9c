// SPDX-License-Identifier: Apache-2.0
#include "exchange_inside.hpp"

namespace ebb::gnmi {

Exchange::Exchange(transport::Loop& loop) : inside_(std::make_unique<Inside>(loop)) {}
Exchange::~Exchange() = default;

}  // namespace ebb::gnmi
