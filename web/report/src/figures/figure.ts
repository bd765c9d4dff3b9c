// SPDX-License-Identifier: Apache-2.0
// What every figure over the runs is made of: a table, the experiments shown, some controls.
import type {Table} from "../document";
import {choice} from "../element";
import {type Experiments} from "../experiments";
import {numberText} from "../number";
import type {LegendItem} from "../picture";
import type {Content, Drawn} from "../section";
import type {Row} from "../table";

export interface FigureKind {
  id: string;
  short: string; // for the navigation
  content(table: Table, experiments: Experiments, redraw: () => void): Content;
}

// A figure without controls of its own.
export function plainFigure(
  id: string,
  short: string,
  draw: (table: Table, experiments: Experiments, width: number) => Drawn,
): FigureKind {
  return {
    id,
    short,
    content: (table, experiments) => ({
      ...contentOf(id, short, table),
      draw: (width) => draw(table, experiments, width),
    }),
  };
}

export function contentOf(id: string, short: string, table: Table): Omit<Content, "draw"> {
  return {id, short, title: table.title, note: table.note, controls: [], table: () => table};
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
