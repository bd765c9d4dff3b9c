// SPDX-License-Identifier: Apache-2.0
// Energy proportionality: power against load, and the line on which power would follow it exactly.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {kIdealColour} from "../palette";
import {picture, plotSvg} from "../picture";
import type {Selection} from "../selection";
import {type Row, columnOf, labelOf} from "../table";
import {bySeries, lineItems, plainFigure, valuesOf} from "./figure";
import {curveMarks} from "./curve";

function draw(table: Table, rows: Row[], selection: Selection, width: number) {
  const groups = bySeries(rows, selection);
  const full = columnOf(table, "power")?.unit === "%" ? 100 : 1;
  const most = Math.max(...valuesOf(rows, "load"), 0.1 * full);
  const ideal = [{x: 0, y: 0}, {x: most, y: most}];
  const plot = plotSvg({
    width,
    height: 400,
    marginLeft: 56,
    marginBottom: 42,
    grid: true,
    x: {label: labelOf(columnOf(table, "load")), domain: [0, most * 1.04], labelAnchor: "center"},
    y: {label: labelOf(columnOf(table, "power")), domain: [0, Math.max(full, ...valuesOf(rows, "power_high"))]},
    marks: [
      Plot.line(ideal, {x: "x", y: "y", stroke: kIdealColour, strokeDasharray: "5 4", strokeWidth: 1.5}),
      Plot.ruleY([0]),
      ...groups.flatMap(([name, group]) =>
        curveMarks(group, selection.look(name), {x: "load", y: "power", low: "power_low", high: "power_high"})),
    ],
  });
  const items = lineItems(groups, selection);
  items.push({label: "ideal: power = load", shape: "line", look: {colour: kIdealColour, mark: "circle", dash: "5 4"}});
  return {picture: picture(table.title, items, plot, width)};
}

export const powerLoad = plainFigure("power-load", draw);
