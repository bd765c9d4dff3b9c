// SPDX-License-Identifier: Apache-2.0
// Lines and points: a curve for each series, a mark at each mean, a bar over its 95 % confidence interval. The document
// says what stands across and up, which points are doubtful and what is written beside them.
import * as Plot from "@observablehq/plot";
import type {Drawing, Figure} from "../document";
import {choice} from "../element";
import {type Experiments, bySeries} from "../experiments";
import {type Look, kIdealColour} from "../palette";
import {type LegendItem, picture, plotHeight, plotSvg} from "../picture";
import type {Content, Drawn} from "../section";
import {type Row, columnOf, labelOf} from "../table";
import {lineItems, loadChoice, tipOf, valuesOf} from "./figure";
import {bestTradeOffs, pointLabels, statusItems, statusMarks} from "./point_marks";

const kAll = "all";
const kMostAtOnce = 60; // points that can be told apart
const kMostDots = 40; // of a line; more of them would be a thicker line
const kReferenceDash = "5 4";
const kDashes = ["none", "5 3", "2 2"]; // of the curves of one series
const kScales = [
  {value: "log", label: "logarithmic"},
  {value: "linear", label: "linear"},
];

interface Chosen {
  load: string;
  scale: string; // of y
}

export function curvesContent(figure: Figure, experiments: Experiments, redraw: () => void): Pick<Content, "controls" | "draw"> {
  const {drawing} = figure;
  const loads = experiments.loads(figure);
  const oneLoad = drawing.group === "experiment"; // its curves are of one load each
  const all = drawing.kind === "points" ? [kAll] : [];
  const middle = loads[Math.floor(loads.length / 2)] ?? kAll;
  const fits = drawing.kind === "points" && figure.rows.length <= kMostAtOnce;
  const chosen: Chosen = {load: oneLoad || !fits && drawing.kind === "points" ? middle : kAll, scale: drawing.log_y ? "log" : "linear"};
  const controls: HTMLElement[] = [];
  if (oneLoad || all.length > 0)
    controls.push(...loadChoice([...all, ...loads], chosen.load, (value) => {
      chosen.load = value;
      redraw();
    }));
  if (drawing.log_y)
    controls.push(choice("Axis", kScales, chosen.scale, (value) => {
      chosen.scale = value;
      redraw();
    }));
  return {controls, draw: (width) => draw(figure, experiments, width, chosen)};
}

function draw(figure: Figure, experiments: Experiments, width: number, {load, scale}: Chosen): Drawn {
  const {drawing} = figure;
  const rows = experiments.rows(figure).filter((row) => load === kAll || row["load"] === load);
  const groups = bySeries(rows, experiments);
  const oneLoad = drawing.kind === "points" && new Set(rows.map((row) => row["load"])).size <= 1;
  const plot = plotSvg({
    width,
    height: plotHeight(width),
    marginTop: 30, // the label of the axis stands above its last tick
    marginLeft: 56,
    marginRight: drawing.label === "" ? 20 : 48,
    marginBottom: 42,
    grid: true,
    x: {label: labelOf(columnOf(figure, drawing.x)), labelAnchor: "center", ...xScale(drawing, rows)},
    y: {label: yLabel(figure), ...(scale === "log" ? {type: "log", nice: true, tickFormat: ","} : {zero: true, nice: true})},
    marks: [
      ...drawing.references.map(({points}) =>
        Plot.line(points, {x: "0", y: "1", stroke: kIdealColour, strokeDasharray: kReferenceDash, strokeWidth: 2})),
      ...(oneLoad ? [bestTradeOffs(rows, drawing)] : []),
      ...groups.flatMap(([name, group]) => seriesMarks(figure, group, experiments.look(name))),
      ...statusMarks(rows, drawing),
      ...(drawing.label === "" || oneLoad ? [] : [pointLabels(rows, drawing)]),
    ],
  });
  const items = [...lineItems(groups, experiments), ...curveItems(drawing, oneLoad), ...statusItems(rows)];
  const title = drawing.group === "experiment" ? `${figure.title}, load ${load}` : figure.title;
  return {picture: picture(title, items, plot, width)};
}

function yLabel(figure: Figure): string {
  const column = columnOf(figure, figure.drawing.curves[0]!.column);
  const label = figure.drawing.y_label;
  return column && label !== "" ? labelOf({...column, label}) : labelOf(column);
}

function xScale({x, log_x, kind}: Drawing, rows: Row[]): Plot.ScaleOptions {
  const values = valuesOf(rows, x);
  if (log_x) {
    const above = values.filter((value) => value > 0);
    const domain = above.length > 0 ? {domain: [Math.min(...above), Math.max(...above) * 1.05]} : {};
    return {type: "log", tickFormat: ",", ...domain};
  }
  return kind === "points" ? {nice: true} : {domain: [0, Math.max(...values, 1) * 1.04]};
}

function seriesMarks(figure: Figure, group: Row[], look: Look): Plot.Markish[] {
  const {curves, kind} = figure.drawing;
  return curves.flatMap(({column}, i) => {
    const points = group.filter((row) => row[figure.drawing.x] !== null && row[column] !== null);
    const dash = curves.length > 1 ? kDashes[i % kDashes.length]! : look.dash;
    return kind === "points" ? pointMarks(figure, points, look, column) : lineMarks(figure, points, look, column, dash);
  });
}

function lineMarks(figure: Figure, points: Row[], look: Look, y: string, dash: string): Plot.Markish[] {
  const x = figure.drawing.x;
  const known = points.filter((row) => (row[`${y}_low`] ?? null) !== null);
  const tip = {tip: true, title: tipOf(figure)};
  const line = {x, y, stroke: look.colour, strokeWidth: 2, strokeDasharray: dash, sort: x};
  if (points.length > kMostDots) return [Plot.line(points, {...line, ...tip})];
  return [
    Plot.line(points, line),
    Plot.ruleX(known, {x, y1: `${y}_low`, y2: `${y}_high`, stroke: look.colour, strokeWidth: 1.4}),
    Plot.dot(points, {x, y, symbol: look.mark, stroke: look.colour, fill: look.colour, strokeWidth: 1.6, r: 3.6, ...tip}),
  ];
}

// Joined in the order of the load, with bars in both directions.
function pointMarks(figure: Figure, points: Row[], look: Look, y: string): Plot.Markish[] {
  const x = figure.drawing.x;
  const known = points.filter((row) => (row[`${x}_low`] ?? null) !== null && (row[`${y}_low`] ?? null) !== null);
  const bar = {stroke: look.colour, strokeOpacity: 0.6};
  return [
    Plot.line(points, {x, y, sort: "offered_load", stroke: look.colour, strokeOpacity: 0.5, strokeDasharray: look.dash}),
    Plot.ruleX(known, {x, y1: `${y}_low`, y2: `${y}_high`, ...bar}),
    Plot.ruleY(known, {y, x1: `${x}_low`, x2: `${x}_high`, ...bar}),
    Plot.dot(points, {x, y, symbol: look.mark, fill: look.colour, stroke: look.colour, r: 4, title: tipOf(figure), tip: true}),
  ];
}

// What dashes mean, where series do not.
function curveItems({curves, references}: Drawing, oneLoad: boolean): LegendItem[] {
  const item = (label: string, dash: string): LegendItem => ({label, shape: "line", look: {colour: kIdealColour, mark: "none", dash}});
  const several = curves.length > 1 ? curves.map(({label}, i) => item(label, kDashes[i % kDashes.length]!)) : [];
  const front = oneLoad ? [item("best trade-offs", kReferenceDash)] : [];
  return [...several, ...references.map(({label}) => item(label, kReferenceDash)), ...front];
}
