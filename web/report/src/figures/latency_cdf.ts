// SPDX-License-Identifier: Apache-2.0
// Which share of packets arrives within a time, at one load.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {picture, plotSvg} from "../picture";
import type {Content} from "../section";
import type {Selection} from "../selection";
import {columnOf, labelOf, rowsOf} from "../table";
import {bySeries, type FigureKind, lineItems, loadChoice, loadsOf, shownRows, valuesOf} from "./figure";

function draw(table: Table, selection: Selection, width: number, load: string) {
  const rows = shownRows(table, selection).filter((row) => String(row["load"]) === load);
  const groups = bySeries(rows, selection);
  const full = columnOf(table, "share")?.unit === "%" ? 100 : 1;
  const times = valuesOf(rows, "latency").filter((value) => value > 0);
  const plot = plotSvg({
    width,
    height: 380,
    marginLeft: 56,
    marginBottom: 42,
    grid: true,
    x: {type: "log", label: labelOf(columnOf(table, "latency")), labelAnchor: "center", tickFormat: "~g",
      ...(times.length > 0 ? {domain: [Math.min(...times), Math.max(...times) * 1.05]} : {})},
    y: {label: labelOf(columnOf(table, "share")), domain: [0, full]},
    marks: groups.map(([name, group]) => {
      const look = selection.look(name);
      return Plot.line(group, {x: "latency", y: "share", stroke: look.colour, strokeWidth: 2, strokeDasharray: look.dash, tip: true});
    }),
  });
  return {picture: picture(table.title, lineItems(groups, selection), plot, width)};
}

function content(table: Table, selection: Selection, redraw: () => void): Content {
  const loads = loadsOf(rowsOf(table));
  let load = String(loads[Math.floor(loads.length / 2)] ?? null);
  return {
    id: "latency-cdf",
    title: table.title,
    note: table.note,
    controls: loadChoice(table, load, false, (value) => {
      load = value;
      redraw();
    }),
    draw: (width) => draw(table, selection, width, load),
    table: () => table,
  };
}

export const latencyCdf: FigureKind = {id: "latency-cdf", content};
