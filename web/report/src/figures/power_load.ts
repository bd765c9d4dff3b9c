// SPDX-License-Identifier: Apache-2.0
// Energy proportionality: power against load, and the line on which power would follow traffic.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {type Experiments, bySeries} from "../experiments";
import {kIdealColour} from "../palette";
import {picture, plotSvg} from "../picture";
import {type Row, columnOf, labelOf} from "../table";
import {curveMarks} from "./curve";
import {lineItems, plainFigure, tipOf, valuesOf} from "./figure";

const kIdealDash = "5 4";

interface Point {
  x: number;
  y: number;
}

// Through the means at each load; it differs little between series.
function idealLine(rows: Row[]): Point[] {
  const loads = new Map<string, Row[]>();
  for (const row of rows) loads.set(String(row["load"]), [...(loads.get(String(row["load"])) ?? []), row]);
  const points = [...loads.values()].map((group) => ({
    x: mean(valuesOf(group, "offered_load")),
    y: mean(valuesOf(group, "ideal")),
  }));
  return [{x: 0, y: 0}, ...points.sort((a, b) => a.x - b.x)];
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function draw(table: Table, experiments: Experiments, width: number) {
  const rows = experiments.rows(table);
  const groups = bySeries(rows, experiments);
  const plot = plotSvg({
    width,
    height: 400,
    marginTop: 30, // the label of the axis stands above its last tick
    marginLeft: 48,
    marginBottom: 42,
    grid: true,
    x: {label: labelOf(columnOf(table, "offered_load")), domain: [0, Math.max(...valuesOf(rows, "offered_load"), 1) * 1.04], labelAnchor: "center"},
    y: {label: labelOf(columnOf(table, "power")), domain: [0, Math.max(100, ...valuesOf(rows, "power"), ...valuesOf(rows, "power_high"))]},
    marks: [
      Plot.ruleY([0]),
      Plot.line(idealLine(rows), {x: "x", y: "y", stroke: kIdealColour, strokeDasharray: kIdealDash, strokeWidth: 2}),
      ...groups.flatMap(([name, group]) => {
        const look = experiments.look(name);
        return curveMarks(group, look, {x: "offered_load", y: "power", dash: look.dash, tip: tipOf(table)});
      }),
    ],
  });
  const items = lineItems(groups, experiments);
  items.push({label: "ideal: in proportion to the traffic", shape: "line", look: {colour: kIdealColour, mark: "none", dash: kIdealDash}});
  return {picture: picture(table.title, items, plot, width)};
}

export const powerLoad = plainFigure("power-load", "Power", draw);
