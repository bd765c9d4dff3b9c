// SPDX-License-Identifier: Apache-2.0
// Bars made of parts, one per series and load: time at each speed, energy by component.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {picture, plotSvg} from "../picture";
import type {Drawn} from "../section";
import type {Selection} from "../selection";
import {type Row, columnOf, labelOf} from "../table";
import {loadText} from "./figure";

export interface Stack {
  part: string; // column that names the part
  value: string; // column with its size
  parts: string[]; // in stacking order
  colours: string[];
  domain?: [number, number];
}

const kMostBars = 60;
const kBarHeight = 20;

export function drawStacked(table: Table, rows: Row[], selection: Selection, width: number, stack: Stack): Drawn {
  const all = barsOf(table, rows, selection);
  const bars = all.slice(0, kMostBars);
  const shown = new Set(bars);
  const named = rows
    .map((row): Row => ({...row, bar: barName(table, row)}))
    .filter((row) => shown.has(String(row["bar"])));
  const longest = Math.max(0, ...bars.map((bar) => bar.length));
  const plot = plotSvg({
    width,
    height: bars.length * kBarHeight + 60,
    marginLeft: Math.min(width / 2, longest * 6.6 + 16),
    marginRight: 20,
    marginBottom: 42,
    x: {label: labelOf(columnOf(table, stack.value)), grid: true, labelAnchor: "center", ...(stack.domain ? {domain: stack.domain} : {})},
    y: {label: null, domain: bars, padding: 0.2},
    color: {domain: stack.parts, range: stack.colours},
    marks: [
      Plot.barX(named, {
        x: stack.value,
        y: "bar",
        fill: stack.part,
        order: stack.parts,
        stroke: "currentColor",
        strokeOpacity: 0.25,
        tip: true,
      }),
      Plot.ruleX([0]),
    ],
  });
  const items = stack.parts.map((label, i) => ({
    label,
    shape: "box" as const,
    look: {colour: stack.colours[i]!, mark: "square" as const, dash: "none"},
  }));
  const drawn = {picture: picture(table.title, items, plot, width)};
  if (all.length <= kMostBars) return drawn;
  return {...drawn, remark: `The first ${kMostBars} of ${all.length} bars: choose fewer series above; the table has all.`};
}

function barName(table: Table, row: Row): string {
  const load = row["load"];
  const series = String(row["series"]);
  if (typeof load !== "number") return series;
  return `${series} at ${loadText(table, load)}`;
}

// By series, then by load.
function barsOf(table: Table, rows: Row[], selection: Selection): string[] {
  const order = new Map(selection.names.map((name, i) => [name, i]));
  const place = (row: Row) => order.get(String(row["series"])) ?? 0;
  const load = (row: Row) => Number(row["load"] ?? 0);
  const sorted = [...rows].sort((a, b) => place(a) - place(b) || load(a) - load(b));
  return [...new Set(sorted.map((row) => barName(table, row)))];
}

// Distinct values of a text column in the order of the table.
export function partsOf(rows: Row[], name: string): string[] {
  return [...new Set(rows.map((row) => String(row[name])))];
}
