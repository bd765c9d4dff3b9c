// SPDX-License-Identifier: Apache-2.0
// Latency against load: the mean as a full line, the 99th percentile dashed.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {choice} from "../element";
import {type Experiments, bySeries} from "../experiments";
import {kIdealColour} from "../palette";
import {type LegendItem, picture, plotSvg} from "../picture";
import {type Row, columnOf, labelOf} from "../table";
import {curveMarks} from "./curve";
import {type FigureKind, contentOf, lineItems, tipOf, valuesOf} from "./figure";

const kTailDash = "5 3";
const kScales = [
  {value: "log", label: "logarithmic"},
  {value: "linear", label: "linear"},
];

function isSaturated(row: Row): boolean {
  return Number(row["saturated"]) > 0;
}

function draw(table: Table, experiments: Experiments, width: number, scale: string) {
  const rows = experiments.rows(table);
  const groups = bySeries(rows, experiments);
  const axis: Plot.ScaleOptions = scale === "log" ? {type: "log", nice: true} : {zero: true, nice: true};
  const curve = {x: "offered_load", tip: tipOf(table), hollow: isSaturated};
  const plot = plotSvg({
    width,
    height: 420,
    marginTop: 30, // the label of the axis stands above its last tick
    marginLeft: 60,
    marginBottom: 42,
    grid: true,
    x: {label: labelOf(columnOf(table, "offered_load")), domain: [0, Math.max(...valuesOf(rows, "offered_load"), 1) * 1.04], labelAnchor: "center"},
    y: {label: `latency (${columnOf(table, "mean")?.unit ?? ""})`, ...axis, tickFormat: ","},
    marks: groups.flatMap(([name, group]) => [
      ...curveMarks(group, experiments.look(name), {...curve, y: "mean", dash: "none"}),
      ...curveMarks(group, experiments.look(name), {...curve, y: "p99", dash: kTailDash}),
    ]),
  });
  const items = [...lineItems(groups, experiments), lineItem("mean", "none"), lineItem("99th percentile", kTailDash)];
  const drawn = {picture: picture(table.title, items, plot, width)};
  return rows.some(isSaturated) ? {...drawn, remark: "Hollow marks: beyond capacity, latency grows with the length of the run."} : drawn;
}

function lineItem(label: string, dash: string): LegendItem {
  return {label, shape: "line", look: {colour: kIdealColour, mark: "none", dash}};
}

export const latencyLoad: FigureKind = {
  id: "latency-load",
  short: "Latency",
  content: (table, experiments, redraw) => {
    let scale = "log";
    const control = choice("Latency axis", kScales, scale, (value) => {
      scale = value;
      redraw();
    });
    return {
      ...contentOf("latency-load", "Latency", table),
      controls: [control],
      draw: (width) => draw(table, experiments, width, scale),
    };
  },
};
