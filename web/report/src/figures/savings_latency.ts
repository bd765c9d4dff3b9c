// SPDX-License-Identifier: Apache-2.0
// What is saved against what it costs: up and to the left is better. At one load, the front joins
// the points that no other beats in both.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {type Experiments, bySeries} from "../experiments";
import {kIdealColour} from "../palette";
import {type LegendItem, picture, plotSvg} from "../picture";
import {type Row, columnOf, labelOf} from "../table";
import {type FigureKind, contentOf, lineItems, loadChoice, tipOf} from "./figure";

const kAll = "all";
const kMostAtOnce = 60; // points that can be told apart
const kFrontItem: LegendItem = {label: "best trade-offs", shape: "line", look: {colour: kIdealColour, mark: "none", dash: "5 4"}};

// By latency; each saves more than all before.
function front(rows: Row[]): Row[] {
  const number = (row: Row, name: string) => Number(row[name]);
  const sorted = [...rows].sort((a, b) => number(a, "latency") - number(b, "latency") || number(b, "saving") - number(a, "saving"));
  let most = -Infinity;
  return sorted.filter((row) => {
    const better = number(row, "saving") > most;
    if (better) most = number(row, "saving");
    return better;
  });
}

function draw(table: Table, experiments: Experiments, width: number, load: string) {
  const rows = experiments.rows(table).filter((row) => load === kAll || row["load"] === load);
  const oneLoad = new Set(rows.map((row) => row["load"])).size <= 1;
  const groups = bySeries(rows, experiments);
  const plot = plotSvg({
    width,
    height: 420,
    marginTop: 30, // the label of the axis stands above its last tick
    marginLeft: 48,
    marginBottom: 42,
    grid: true,
    x: {label: labelOf(columnOf(table, "latency")), nice: true, labelAnchor: "center"},
    y: {label: labelOf(columnOf(table, "saving")), zero: true, nice: true},
    marks: [
      Plot.line(oneLoad ? front(rows) : [], {x: "latency", y: "saving", stroke: kIdealColour, strokeDasharray: "5 4", curve: "step-after"}),
      ...groups.flatMap(([name, group]) => seriesMarks(table, group, experiments, name)),
      ...(oneLoad ? [] : [loadLabels(groups)]),
    ],
  });
  const items = lineItems(groups, experiments);
  return {picture: picture(table.title, oneLoad ? [...items, kFrontItem] : items, plot, width)};
}

function seriesMarks(table: Table, group: Row[], experiments: Experiments, name: string): Plot.Markish[] {
  const {colour, dash, mark} = experiments.look(name);
  const known = group.filter((row) => row["latency_low"] !== null && row["saving_low"] !== null);
  const bar = {stroke: colour, strokeOpacity: 0.6};
  return [
    Plot.line(group, {x: "latency", y: "saving", sort: "offered_load", stroke: colour, strokeOpacity: 0.5, strokeDasharray: dash}),
    Plot.ruleX(known, {x: "latency", y1: "saving_low", y2: "saving_high", ...bar}),
    Plot.ruleY(known, {y: "saving", x1: "latency_low", x2: "latency_high", ...bar}),
    Plot.dot(group, {x: "latency", y: "saving", symbol: mark, fill: colour, stroke: colour, r: 4, title: tipOf(table), tip: true}),
  ];
}

// The ends of each line say which way load grows.
function loadLabels(groups: [string, Row[]][]): Plot.Markish {
  const ends = groups.flatMap(([, group]) => {
    const sorted = [...group].sort((a, b) => Number(a["offered_load"]) - Number(b["offered_load"]));
    const [first, last] = [sorted[0]!, sorted[sorted.length - 1]!];
    return first["saving"] === last["saving"] ? [] : [first, last];
  });
  return Plot.text(ends, {x: "latency", y: "saving", text: "load", dx: 8, dy: -6, textAnchor: "start", fontSize: 10});
}

export const savingsLatency: FigureKind = {
  id: "savings-latency",
  short: "Savings",
  content: (table, experiments, redraw) => {
    const loads = experiments.loads(table);
    let load = table.rows.length <= kMostAtOnce ? kAll : loads[Math.floor(loads.length / 2)]!;
    return {
      ...contentOf("savings-latency", "Savings", table),
      controls: loadChoice([kAll, ...loads], load, (value) => {
        load = value;
        redraw();
      }),
      draw: (width) => draw(table, experiments, width, load),
    };
  },
};
