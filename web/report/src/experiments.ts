// SPDX-License-Identifier: Apache-2.0
// The experiments of the report (runs that differ only in the seed), and which of their series are
// shown. Tables name an experiment by its label, or by its series and the load it measured.
import type {Experiment, Table} from "./document";
import {type Look, lookOf} from "./palette";
import {type Row, rowsOf} from "./table";

export class Experiments {
  readonly series: string[];
  private readonly found = new Map<string, Experiment>();
  private readonly looks = new Map<string, Look>();
  private readonly hidden = new Set<string>();
  private readonly placedRows = new Map<Table, Row[]>();
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly all: Experiment[]) {
    this.series = [...new Set(all.map(({series}) => series))];
    this.series.forEach((name, i) => this.looks.set(name, lookOf(i)));
    for (const experiment of all) {
      this.found.set(experiment.label, experiment);
      this.found.set(pointName(experiment.series, experiment.offered_load), experiment);
    }
  }

  look(series: string): Look {
    return this.looks.get(series) ?? lookOf(0);
  }

  shows(series: string): boolean {
    return !this.hidden.has(series);
  }

  show(series: string, shown: boolean): void {
    if (shown) this.hidden.delete(series);
    else this.hidden.add(series);
    for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  // Rows of shown series, each with its "series" and its "load" as text.
  rows(table: Table): Row[] {
    return this.allRows(table).filter((row) => this.shows(String(row["series"])));
  }

  // Made once: the distributions of many experiments are tens of thousands of rows.
  private allRows(table: Table): Row[] {
    const made = this.placedRows.get(table) ?? rowsOf(table).map((row) => this.placed(row));
    this.placedRows.set(table, made);
    return made;
  }

  private placed(row: Row): Row {
    const name = row["experiment"] ?? pointName(String(row["series"]), Number(row["offered_load"]));
    const experiment = this.found.get(String(name));
    row["series"] = experiment?.series ?? row["series"] ?? "";
    row["load"] = experiment ? loadOf(experiment) : "";
    return row;
  }

  // From low to high.
  loads(table: Table): string[] {
    const present = new Set(this.allRows(table).map((row) => row["load"]));
    const sorted = [...this.all].sort((a, b) => a.offered_load - b.offered_load);
    return [...new Set(sorted.map(loadOf))].filter((load) => present.has(load));
  }
}

function pointName(series: string, load: number): string {
  return `${series} at ${load}`;
}

// What was asked for where it was varied, else what was measured.
function loadOf(experiment: Experiment): string {
  return experiment.load ?? `${Number(experiment.offered_load.toPrecision(2))} %`;
}

// In the order of the series.
export function bySeries(rows: Row[], experiments: Experiments): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const name of experiments.series) groups.set(name, []);
  for (const row of rows) groups.get(String(row["series"]))?.push(row);
  return [...groups].filter(([, group]) => group.length > 0);
}
