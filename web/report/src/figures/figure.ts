// SPDX-License-Identifier: Apache-2.0
// What every figure over the runs is made of: a table, the series shown, some controls.
import type {Table} from "../document";
import {choice} from "../element";
import {numberText} from "../number";
import type {LegendItem} from "../picture";
import {type Content, type Drawn} from "../section";
import type {Selection} from "../selection";
import {type Row, columnOf, rowsOf} from "../table";

export interface FigureKind {
  id: string;
  content(table: Table, selection: Selection, redraw: () => void): Content;
}

// A figure whose drawing depends on the rows of shown series and nothing else.
export function plainFigure(
  id: string,
  draw: (table: Table, rows: Row[], selection: Selection, width: number) => Drawn,
): FigureKind {
  return {
    id,
    content: (table, selection) => ({
      id,
      title: table.title,
      note: table.note,
      controls: [],
      draw: (width) => draw(table, shownRows(table, selection), selection, width),
      table: () => table,
    }),
  };
}

export function shownRows(table: Table, selection: Selection): Row[] {
  return rowsOf(table).filter((row) => selection.shows(String(row["series"])));
}

// In the order of the selection.
export function bySeries(rows: Row[], selection: Selection): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const name of selection.names) groups.set(name, []);
  for (const row of rows) groups.get(String(row["series"]))?.push(row);
  return [...groups].filter(([, group]) => group.length > 0);
}

export function lineItems(groups: [string, Row[]][], selection: Selection): LegendItem[] {
  return groups.map(([label]) => ({label, shape: "line", look: selection.look(label)}));
}

export function valuesOf(rows: Row[], name: string): number[] {
  return rows.map((row) => row[name]).filter((value): value is number => typeof value === "number");
}

// Distinct loads, ascending.
export function loadsOf(rows: Row[]): number[] {
  return [...new Set(valuesOf(rows, "load"))].sort((a, b) => a - b);
}

export function loadText(table: Table, load: number): string {
  const unit = columnOf(table, "load")?.unit ?? "";
  return unit === "" || unit === "1" ? numberText(load) : `${numberText(load)} ${unit}`;
}

export function loadChoice(
  table: Table,
  chosen: string,
  withAll: boolean,
  onChange: (value: string) => void,
): HTMLElement[] {
  const loads = loadsOf(rowsOf(table));
  if (loads.length < 2) return [];
  const choices = loads.map((load) => ({value: String(load), label: loadText(table, load)}));
  if (withAll) choices.unshift({value: "all", label: "all"});
  return [choice("Offered load", choices, chosen, onChange)];
}
