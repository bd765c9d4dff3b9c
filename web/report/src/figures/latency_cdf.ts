// SPDX-License-Identifier: Apache-2.0
// Which share of messages arrives within a time, at one load.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {type Experiments, bySeries} from "../experiments";
import {picture, plotSvg} from "../picture";
import {columnOf, labelOf} from "../table";
import {type FigureKind, contentOf, lineItems, loadChoice, tipOf, valuesOf} from "./figure";

function draw(table: Table, experiments: Experiments, width: number, load: string) {
  const rows = experiments.rows(table).filter((row) => row["load"] === load);
  const groups = bySeries(rows, experiments);
  const times = valuesOf(rows, "latency").filter((value) => value > 0);
  const domain = times.length > 0 ? {domain: [Math.min(...times), Math.max(...times) * 1.05]} : {};
  const plot = plotSvg({
    width,
    height: 380,
    marginTop: 30, // the label of the axis stands above its last tick
    marginLeft: 48,
    marginBottom: 42,
    grid: true,
    x: {type: "log", label: labelOf(columnOf(table, "latency")), labelAnchor: "center", tickFormat: ",", ...domain},
    y: {label: labelOf(columnOf(table, "share")), domain: [0, 100]},
    marks: groups.map(([name, group]) => {
      const {colour, dash} = experiments.look(name);
      return Plot.line(group, {x: "latency", y: "share", stroke: colour, strokeWidth: 2, strokeDasharray: dash, title: tipOf(table), tip: true});
    }),
  });
  return {picture: picture(`${table.title}, load ${load}`, lineItems(groups, experiments), plot, width)};
}

export const latencyCdf: FigureKind = {
  id: "latency-cdf",
  short: "Distribution",
  content: (table, experiments, redraw) => {
    const loads = experiments.loads(table);
    let load = loads[Math.floor(loads.length / 2)] ?? "";
    return {
      ...contentOf("latency-cdf", "Distribution", table),
      controls: loadChoice(loads, load, (value) => {
        load = value;
        redraw();
      }),
      draw: (width) => draw(table, experiments, width, load),
    };
  },
};
