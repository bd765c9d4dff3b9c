// SPDX-License-Identifier: Apache-2.0
// One series: a line through its means, a mark at each, a bar over its 95 % confidence interval.
import * as Plot from "@observablehq/plot";
import type {Look} from "../palette";
import type {Row} from "../table";

export interface Curve {
  x: string;
  y: string; // its interval is in the columns `y`_low and `y`_high
  dash: string;
  tip: (row: Row) => string;
  hollow?: (row: Row) => boolean; // marks of values that are less than they seem
}

export function curveMarks(rows: Row[], look: Look, curve: Curve): Plot.Markish[] {
  const {x, y, tip} = curve;
  const points = rows.filter((row) => row[x] !== null && row[y] !== null);
  const known = points.filter((row) => row[`${y}_low`] !== null);
  const hollow = curve.hollow ?? (() => false);
  const dot = {x, y, symbol: look.mark, stroke: look.colour, strokeWidth: 1.6, r: 3.6};
  return [
    Plot.line(points, {x, y, stroke: look.colour, strokeWidth: 2, strokeDasharray: curve.dash, sort: x}),
    Plot.ruleX(known, {x, y1: `${y}_low`, y2: `${y}_high`, stroke: look.colour, strokeWidth: 1.4}),
    Plot.dot(points, {...dot, fill: look.colour, fillOpacity: (row: Row) => (hollow(row) ? 0 : 1), tip: true, title: tip}),
  ];
}
