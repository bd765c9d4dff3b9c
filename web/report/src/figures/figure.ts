// SPDX-License-Identifier: Apache-2.0
// What every figure over the runs is made of: a table, what is drawn of it, the experiments shown, some controls.
import type {Figure, Table} from "../document";
import {choice} from "../element";
import {type Experiments} from "../experiments";
import {numberText} from "../number";
import type {LegendItem} from "../picture";
import type {Content} from "../section";
import type {Row} from "../table";
import {curvesContent} from "./curves";
import {stackedContent} from "./stacked";

// Names for the navigation; a figure without one has its title there.
const kShortNames: Record<string, string> = {
  "power-load": "Power",
  "latency-load": "Latency",
  "state-time": "Time at each speed",
  "latency-cdf": "Distribution",
  "savings-latency": "Savings",
  "energy-parts": "Energy by component",
  "critical-path": "Critical path",
};

// A figure of the document as a part of the page, drawn as the document says.
export function figureContent(id: string, figure: Figure, experiments: Experiments, redraw: () => void): Content {
  const head = {id, short: kShortNames[id] ?? figure.title, title: figure.title, note: figure.note, table: () => figure};
  const stacked = figure.drawing.kind === "stacked_bars";
  return {...head, ...(stacked ? stackedContent(figure, experiments) : curvesContent(figure, experiments, redraw))};
}

export function lineItems(groups: [string, Row[]][], experiments: Experiments): LegendItem[] {
  return groups.map(([label]) => ({label, shape: "line", look: experiments.look(label)}));
}

export function valuesOf(rows: Row[], name: string): number[] {
  return rows.map((row) => row[name]).filter((value): value is number => typeof value === "number");
}

export function loadChoice(loads: string[], chosen: string, onChange: (value: string) => void): HTMLElement[] {
  if (loads.length < 2) return [];
  return [choice("Offered load", loads.map((load) => ({value: load, label: load})), chosen, onChange)];
}

// Everything the row knows, one fact per line.
export function tipOf(table: Table): (row: Row) => string {
  return (row) =>
    table.columns
      .filter(({name}) => (row[name] ?? "") !== "")
      .map(({name, label, unit}) => `${label}: ${valueText(row[name]!)} ${unit}`.trimEnd())
      .join("\n");
}

function valueText(value: number | string): string {
  return typeof value === "number" ? numberText(Number(value.toPrecision(4))) : value;
}
