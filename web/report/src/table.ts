// SPDX-License-Identifier: Apache-2.0
// The table behind a plot: on the page and as CSV.
import type {Cell, Column, Table} from "./document";
import {html} from "./element";
import {numberText} from "./number";

// Browsers lay out tables of this many rows at once; the CSV has all.
const kMostRowsShown = 1000;

export type Row = Record<string, Cell>;

export function rowsOf(table: Table): Row[] {
  const names = table.columns.map(({name}) => name);
  return table.rows.map((cells) => {
    const row: Row = {};
    names.forEach((name, i) => (row[name] = cells[i] ?? null));
    return row;
  });
}

export function columnOf(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name === name);
}

// "Latency (us)"
export function labelOf(column: Column | undefined): string {
  if (!column) return "";
  return hasUnit(column) ? `${column.label} (${column.unit})` : column.label;
}

function hasUnit(column: Column): boolean {
  return column.unit !== "" && column.unit !== "1";
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "number" ? numberText(cell) : cell;
}

export function tableElement(table: Table): HTMLElement {
  const head = html("tr");
  for (const column of table.columns)
    head.append(html("th", {scope: "col", class: column.kind}, labelOf(column)));
  const body = html("tbody");
  for (const cells of table.rows.slice(0, kMostRowsShown)) {
    const row = html("tr");
    cells.forEach((cell, i) => row.append(html("td", {class: table.columns[i]!.kind}, cellText(cell))));
    body.append(row);
  }
  const made = html("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": table.title},
    html("table", {}, html("thead", {}, head), body));
  if (table.rows.length <= kMostRowsShown) return made;
  const text = `The first ${numberText(kMostRowsShown)} of ${numberText(table.rows.length)} rows; the CSV has all.`;
  return html("div", {}, made, html("p", {class: "note"}, text));
}

// RFC 4180, full precision, units in the head line.
export function csvText(table: Table): string {
  const lines = [table.columns.map((column) => field(headOf(column))).join(",")];
  for (const cells of table.rows) lines.push(cells.map((cell) => field(cell ?? "")).join(","));
  return lines.join("\r\n") + "\r\n";
}

function headOf(column: Column): string {
  return hasUnit(column) ? `${column.name} (${column.unit})` : column.name;
}

function field(cell: number | string): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
