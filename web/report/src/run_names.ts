// SPDX-License-Identifier: Apache-2.0
// What a run is called: its experiment and seed.
import type {Report, Run} from "./document";

// In the order of the report's runs.
export function runNames(report: Report): string[] {
  const names = report.runs.map(ownName);
  for (const {label, runs} of report.experiments)
    for (const run of runs) names[run] = `${label}, seed ${report.runs[run]!.seed}`;
  return names;
}

// A failed run belongs to no experiment.
function ownName({label, parameters, seed}: Run): string {
  const set = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return [label, ...set, `seed ${seed}`].filter((part) => part !== "").join(", ");
}
