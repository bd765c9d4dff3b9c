// SPDX-License-Identifier: Apache-2.0
// What is saved against what it costs: up and to the left is better. At one load, the front joins
// the points that no other beats in both.
import * as Plot from "@observablehq/plot";
import type {Table} from "../document";
import {kIdealColour} from "../palette";
import {type LegendItem, picture, plotSvg} from "../picture";
import type {Content} from "../section";
import type {Selection} from "../selection";
import {type Row, columnOf, labelOf} from "../table";
import {tipText} from "./curve";
import {bySeries, type FigureKind, lineItems, loadChoice, loadText, loadsOf, shownRows} from "./figure";

// By latency; each saves more than all before.
export function front(rows: Row[]): Row[] {
  const sorted = [...rows].sort((a, b) => Number(a["latency"]) - Number(b["latency"]) || Number(b["saving"]) - Number(a["saving"]));
  let most = -Infinity;
  return sorted.filter((row) => {
    const better = Number(row["saving"]) > most;
    if (better) most = Number(row["saving"]);
    return better;
  });
}

function draw(table: Table, selection: Selection, width: number, load: string) {
  const all = shownRows(table, selection).filter((row) => row["latency"] !== null && row["saving"] !== null);
  const rows = load === "all" ? all : all.filter((row) => String(row["load"]) === load);
  const oneLoad = loadsOf(rows).length <= 1;
  const groups = bySeries(rows, selection);
  const best = oneLoad ? front(rows) : [];
  const plot = plotSvg({
    width,
    height: 400,
    marginLeft: 56,
    marginBottom: 42,
    grid: true,
    x: {label: labelOf(columnOf(table, "latency")), nice: true, labelAnchor: "center"},
    y: {label: labelOf(columnOf(table, "saving")), zero: true, nice: true},
    marks: [
      Plot.line(best, {x: "latency", y: "saving", stroke: kIdealColour, strokeDasharray: "5 4", curve: "step-after"}),
      ...groups.flatMap(([name, group]) => seriesMarks(group, selection, name)),
      ...(oneLoad ? [] : [loadLabels(table, groups)]),
    ],
  });
  const items = lineItems(groups, selection);
  return {picture: picture(table.title, oneLoad ? [...items, kFrontItem] : items, plot, width)};
}

const kFrontItem: LegendItem = {label: "best trade-offs", shape: "line", look: {colour: kIdealColour, mark: "circle", dash: "5 4"}};

function seriesMarks(group: Row[], selection: Selection, name: string): Plot.Markish[] {
  const look = selection.look(name);
  return [
    Plot.line(group, {x: "latency", y: "saving", sort: "load", stroke: look.colour, strokeOpacity: 0.5, strokeDasharray: look.dash}),
    Plot.dot(group, {x: "latency", y: "saving", symbol: look.mark, fill: look.colour, stroke: look.colour, r: 4.5, tip: true, title: tipText}),
  ];
}

// The ends of each line say which way load grows.
function loadLabels(table: Table, groups: [string, Row[]][]): Plot.Markish {
  const ends = groups.flatMap(([, group]) => {
    const sorted = [...group].sort((a, b) => Number(a["load"]) - Number(b["load"]));
    return sorted.length > 1 ? [sorted[0]!, sorted[sorted.length - 1]!] : [];
  });
  const text = (row: Row) => `load ${loadText(table, Number(row["load"]))}`;
  return Plot.text(ends, {x: "latency", y: "saving", text, dy: -12, fontSize: 10});
}

function content(table: Table, selection: Selection, redraw: () => void): Content {
  let load = "all";
  return {
    id: "savings-latency",
    title: table.title,
    note: table.note,
    controls: loadChoice(table, load, true, (value) => {
      load = value;
      redraw();
    }),
    draw: (width) => draw(table, selection, width, load),
    table: () => table,
  };
}

export const savingsLatency: FigureKind = {id: "savings-latency", content};
