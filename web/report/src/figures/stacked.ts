// SPDX-License-Identifier: Apache-2.0
// Bars made of parts, one per experiment: time at each speed, energy by component.
import * as Plot from "@observablehq/plot";
import type {Figure} from "../document";
import type {Experiments} from "../experiments";
import {lookOf, stateColours} from "../palette";
import {type LegendItem, kCharacter, picture, plotSvg, wrapped} from "../picture";
import type {Content, Drawn} from "../section";
import {type Row, columnOf, labelOf, rowsOf} from "../table";
import {tipOf} from "./figure";

const kMostBars = 60;
const kBarHeight = 20;
const kTextLine = 14;
const kLabelShare = 0.45; // of the width, at most
const kLabelMargin = 16;

export function stackedContent(figure: Figure, experiments: Experiments): Pick<Content, "controls" | "draw"> {
  return {controls: [], draw: (width) => draw(figure, experiments, width)};
}

function draw(figure: Figure, experiments: Experiments, width: number): Drawn {
  const {layer, curves} = figure.drawing;
  const value = curves[0]!.column;
  const rows = experiments.rows(figure);
  const all = textsOf(rows, "experiment");
  const bars = all.slice(0, kMostBars);
  const shown = new Set(bars);
  const parts = textsOf(rowsOf(figure), layer);
  const colours = coloursOf(layer, parts);
  const labels = new Map(bars.map((bar) => [bar, wrapped(bar, width * kLabelShare - kLabelMargin)]));
  const lines = [...labels.values()];
  const barHeight = Math.max(kBarHeight, kTextLine * Math.max(1, ...lines.map((each) => each.length)) + 9);
  const plot = plotSvg({
    width,
    height: bars.length * barHeight + 60,
    marginLeft: Math.max(0, ...lines.flat().map((line) => line.length)) * kCharacter + kLabelMargin,
    marginRight: 20,
    marginTop: 8,
    marginBottom: 42,
    x: {label: labelOf(columnOf(figure, value)), grid: true, labelAnchor: "center"},
    y: {label: null, domain: bars, padding: 0.2, tickFormat: (bar: string) => labels.get(bar)!.join("\n")},
    color: {domain: parts, range: colours},
    marks: [
      Plot.barX(rows.filter((row) => shown.has(String(row["experiment"]))), {
        x: value, y: "experiment", fill: layer, order: parts, stroke: "currentColor", strokeOpacity: 0.25, title: tipOf(figure), tip: {format: {}},
      }),
      Plot.ruleX([0]),
    ],
  });
  const drawn = {picture: picture(figure.title, boxItems(parts, colours), plot, width)};
  if (all.length <= kMostBars) return drawn;
  return {...drawn, remark: `The first ${kMostBars} of ${all.length} experiments: choose fewer series above; the table has all.`};
}

// States of channels have colours of their own everywhere in the page.
function coloursOf(layer: string, parts: string[]): string[] {
  return layer === "state" ? stateColours(parts) : parts.map((_, i) => lookOf(i).colour);
}

export function boxItems(labels: string[], colours: string[]): LegendItem[] {
  return labels.map((label, i) => ({label, shape: "box", look: {colour: colours[i]!, mark: "none", dash: "none"}}));
}

// Distinct values of a text column in the order of the table.
function textsOf(rows: Row[], name: string): string[] {
  return [...new Set(rows.map((row) => String(row[name])))];
}
