// SPDX-License-Identifier: Apache-2.0
//
// Folded Clos (fat tree) of 2 to 4 levels from switches of P ports, for an exact number of hosts.
//
// Blocks. A block of level 1 is one leaf: D host ports (`down`, half of P by default) and
// U = P - D uplinks. A block of level l between the first and the last joins up to h = P/2 blocks
// of level l-1 with ceil(their uplinks / h) switches of h down and h up ports. The last level joins
// all blocks below it with ceil(their uplinks / P) switches, all of whose ports go down. Only the
// last block of a level can be partial, and only the last leaf can have fewer than D hosts.
//
// Wiring. One rule everywhere: uplink u of a sub-block goes to switch (o + u) mod n of its block,
// where o is the number of uplinks of the sub-blocks before it. So every switch of a block carries
// the same load, give or take one port, and reaches every sub-block that has at least n uplinks. A
// shape with a partial sub-block that has fewer is refused: some switches could not reach it.
// Two leaves whose smallest common block is of level l are therefore 2(l-1) links apart.
//
// Numbering. Leaves first, then level 2, and so on; block after block within a level. Uplinks of a
// block are numbered switch by switch. Hosts D*s .. D*s+D-1 are those of leaf s. Ports of a switch:
// hosts or down links first, then up links.
//
// "On the Use of Commodity Ethernet Technology in Exascale HPC Systems": ports=72 levels=4
// hosts=303264 is 6.5 groups of level 3.
#pragma once

#include "ebb/topology/family.hpp"

namespace ebb::topology::clos {

[[nodiscard]] Family family();

}  // namespace ebb::topology::clos
