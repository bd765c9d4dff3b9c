// SPDX-License-Identifier: Apache-2.0
// Bars made of parts, one per experiment: time at each speed, energy by component.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import type {Experiments} from "../experiments";
import {type LegendItem, picture, plotSvg} from "../picture";
import type {Drawn} from "../section";
import {type Row, columnOf, labelOf} from "../table";
import {tipOf} from "./figure";

export interface Stack {
  part: string; // column that names the part
  value: string; // column with its size
  parts: string[]; // in stacking order
  colours: string[];
  most?: number; // end of the axis; that of the longest bar otherwise
}

const kMostBars = 60;
const kBarHeight = 20;

export function drawStacked(table: Table, experiments: Experiments, width: number, stack: Stack): Drawn {
  const rows = experiments.rows(table);
  const all = textsOf(rows, "experiment");
  const bars = all.slice(0, kMostBars);
  const shown = new Set(bars);
  const longest = Math.max(0, ...bars.map((bar) => bar.length));
  const plot = plotSvg({
    width,
    height: bars.length * kBarHeight + 60,
    marginLeft: Math.min(width / 2, longest * 6.6 + 16),
    marginRight: 20,
    marginTop: 8,
    marginBottom: 42,
    x: {label: labelOf(columnOf(table, stack.value)), grid: true, labelAnchor: "center", ...(stack.most ? {domain: [0, stack.most]} : {})},
    y: {label: null, domain: bars, padding: 0.2},
    color: {domain: stack.parts, range: stack.colours},
    marks: [
      Plot.barX(rows.filter((row) => shown.has(String(row["experiment"]))), barOptions(table, stack)),
      Plot.ruleX([0]),
    ],
  });
  const drawn = {picture: picture(table.title, boxItems(stack.parts, stack.colours), plot, width)};
  if (all.length <= kMostBars) return drawn;
  return {...drawn, remark: `The first ${kMostBars} of ${all.length} experiments: choose fewer series above; the table has all.`};
}

function barOptions(table: Table, {part, value, parts}: Stack): Plot.BarXOptions {
  const stroke = {stroke: "currentColor", strokeOpacity: 0.25};
  return {x: value, y: "experiment", fill: part, order: parts, ...stroke, title: tipOf(table), tip: {format: {}}};
}

export function boxItems(labels: string[], colours: string[]): LegendItem[] {
  return labels.map((label, i) => ({label, shape: "box", look: {colour: colours[i]!, mark: "none", dash: "none"}}));
}

// Distinct values of a text column in the order of the table.
export function textsOf(rows: Row[], name: string): string[] {
  return [...new Set(rows.map((row) => String(row[name])))];
}
