// error: No such file|file not found
// SPDX-License-Identifier: Apache-2.0
// units lies below topology: its include path does not have the upper layer.
#include "ebb/topology/graph.hpp"
