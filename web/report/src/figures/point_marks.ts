// SPDX-License-Identifier: Apache-2.0
// What stands beside and around points: the load, a ring or a cross on those that cannot be taken as they stand, the
// front of the best trade-offs.
import * as Plot from "@observablehq/plot";
import type {Drawing} from "../document";
import {kIdealColour} from "../palette";
import type {LegendItem} from "../picture";
import type {Row} from "../table";
import {valuesOf} from "./figure";

interface StatusMark {
  status: string; // as in the column of that name
  label: string;
  symbol: "circle" | "times";
  r: number;
}

const kStatusMarks: StatusMark[] = [
  {status: "saturated", label: "saturated: more is offered than the network carries", symbol: "circle", r: 7},
  {status: "too short", label: "too short a run to tell whether it is saturated", symbol: "times", r: 6},
];

export function statusMarks(rows: Row[], {x, curves}: Drawing): Plot.Markish[] {
  return kStatusMarks.flatMap(({status, symbol, r}) =>
    curves.map(({column}) =>
      Plot.dot(rows.filter((row) => row["status"] === status && row[column] !== null), {
        x, y: column, symbol, r, stroke: "currentColor", strokeWidth: 1.4, fill: "none",
      })));
}

export function statusItems(rows: Row[]): LegendItem[] {
  const present = kStatusMarks.filter(({status}) => rows.some((row) => row["status"] === status));
  return present.map(({label, symbol}) => ({label, shape: "ring", look: {colour: "currentColor", mark: symbol, dash: "none"}}));
}

// Left out where it would stand on another one, as `ebb plot` does.
const kWide = 0.07; // of the figure
const kHigh = 0.05;

// A series whose points are all at one place has no load to tell.
function standsStill(row: Row, rows: Row[], x: string, y: string): boolean {
  const own = rows.filter((other) => other["series"] === row["series"]);
  return own.length > 1 && own.every((other) => other[x] === row[x] && other[y] === row[y]);
}

export function pointLabels(rows: Row[], {x, curves, label}: Drawing): Plot.Markish {
  const y = curves[0]!.column;
  const size = (values: number[]) => Math.max(...values) - Math.min(...values) || 1;
  const [across, up] = [size(valuesOf(rows, x)), size([0, ...valuesOf(rows, y)])];
  const kept: Row[] = [];
  for (const row of rows.filter((one) => !standsStill(one, rows, x, y))) {
    const covered = kept.some((other) =>
      Math.abs(Number(row[x]) - Number(other[x])) < kWide * across && Math.abs(Number(row[y]) - Number(other[y])) < kHigh * up);
    if (!covered) kept.push(row);
  }
  return Plot.text(kept, {x, y, text: label, dx: 8, dy: -6, textAnchor: "start", fontSize: 10});
}

// By x; each is higher than all before: no other point is better in both.
export function bestTradeOffs(rows: Row[], {x, curves}: Drawing): Plot.Markish {
  const y = curves[0]!.column;
  const sorted = [...rows].sort((a, b) => Number(a[x]) - Number(b[x]) || Number(b[y]) - Number(a[y]));
  let most = -Infinity;
  const front = sorted.filter((row) => {
    const better = Number(row[y]) > most;
    if (better) most = Number(row[y]);
    return better;
  });
  return Plot.line(front, {x, y, stroke: kIdealColour, strokeDasharray: "5 4", curve: "step-after"});
}
