// SPDX-License-Identifier: Apache-2.0
// Latency against load: the mean as a full line, the 99th percentile dashed.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {choice} from "../element";
import {kIdealColour} from "../palette";
import {picture, plotSvg} from "../picture";
import type {Content} from "../section";
import type {Selection} from "../selection";
import {columnOf, labelOf} from "../table";
import {curveMarks} from "./curve";
import {bySeries, type FigureKind, lineItems, shownRows, valuesOf} from "./figure";

function draw(table: Table, selection: Selection, width: number, logarithmic: boolean) {
  const rows = shownRows(table, selection);
  const groups = bySeries(rows, selection);
  const unit = columnOf(table, "mean")?.unit ?? "";
  const scale: Plot.ScaleOptions = logarithmic ? {type: "log", nice: true} : {zero: true, nice: true};
  const plot = plotSvg({
    width,
    height: 400,
    marginLeft: 64,
    marginBottom: 42,
    grid: true,
    x: {label: labelOf(columnOf(table, "load")), domain: [0, Math.max(...valuesOf(rows, "load"), 0) * 1.04], labelAnchor: "center"},
    y: {label: `Latency (${unit})`, ...scale, tickFormat: logarithmic ? "~s" : "~g"},
    marks: groups.flatMap(([name, group]) => [
      ...curveMarks(group, selection.look(name), {x: "load", y: "mean", low: "mean_low", high: "mean_high"}, "none"),
      ...curveMarks(group, selection.look(name), {x: "load", y: "p99", low: "p99_low", high: "p99_high"}, "5 3"),
    ]),
  });
  const items = lineItems(groups, selection);
  items.push({label: "mean", shape: "line", look: {colour: kIdealColour, mark: "circle", dash: "none"}});
  items.push({label: "99th percentile", shape: "line", look: {colour: kIdealColour, mark: "circle", dash: "5 3"}});
  return {picture: picture(table.title, items, plot, width)};
}

function content(table: Table, selection: Selection, redraw: () => void): Content {
  let scale = "log";
  const scales = [
    {value: "log", label: "logarithmic"},
    {value: "linear", label: "linear"},
  ];
  const control = choice("Latency axis", scales, scale, (value) => {
    scale = value;
    redraw();
  });
  return {
    id: "latency-load",
    title: table.title,
    note: table.note,
    controls: [control],
    draw: (width) => draw(table, selection, width, scale === "log"),
    table: () => table,
  };
}

export const latencyLoad: FigureKind = {id: "latency-load", content};
