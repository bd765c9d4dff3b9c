// SPDX-License-Identifier: Apache-2.0
// Every figure over the runs, in the order of the page.
import {energyParts} from "./energy_parts";
import type {FigureKind} from "./figure";
import {latencyCdf} from "./latency_cdf";
import {latencyLoad} from "./latency_load";
import {powerLoad} from "./power_load";
import {savingsLatency} from "./savings_latency";
import {stateTime} from "./state_time";

export const kFigures: FigureKind[] = [powerLoad, latencyLoad, stateTime, latencyCdf, savingsLatency, energyParts];
