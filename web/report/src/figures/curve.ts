// SPDX-License-Identifier: Apache-2.0
// One series: a line through its means, a mark at each, a bar over its 95 % confidence interval.
import * as Plot from "@observablehq/plot";
import type {Look} from "../palette";
import type {Row} from "../table";

export interface Axes {
  x: string;
  y: string;
  low: string;
  high: string;
}

export function curveMarks(rows: Row[], look: Look, axes: Axes, dash = look.dash): Plot.Markish[] {
  const points = rows.filter((row) => row[axes.x] !== null && row[axes.y] !== null);
  const known = points.filter((row) => row[axes.low] !== null && row[axes.low] !== row[axes.high]);
  const x = axes.x;
  return [
    Plot.line(points, {x, y: axes.y, stroke: look.colour, strokeWidth: 2, strokeDasharray: dash, sort: x}),
    Plot.ruleX(known, {x, y1: axes.low, y2: axes.high, stroke: look.colour, strokeWidth: 1.2, marker: "dot"}),
    Plot.dot(points, {x, y: axes.y, symbol: look.mark, fill: look.colour, stroke: look.colour, r: 3.5, tip: {format: {x: true, y: true}}, title: tipText}),
  ];
}

// Everything the row knows, one fact per line.
export function tipText(row: Row): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${typeof value === "number" ? Number(value.toPrecision(4)) : value}`)
    .join("\n");
}
