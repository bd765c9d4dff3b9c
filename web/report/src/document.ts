// SPDX-License-Identifier: Apache-2.0
// The document that `ebb report` puts into the page: docs/report.md describes it.

export type Cell = number | string | null;

export interface Column {
  name: string;
  label: string;
  unit: string;
  kind: "number" | "text";
}

export interface Table {
  title: string;
  note: string;
  columns: Column[];
  rows: Cell[][];
}

// What is drawn of a table, by names of its columns; "" where there is none. `ebb plot` draws by the same.
export interface Drawing {
  kind: "lines" | "points" | "stacked_bars";
  group: string; // a line or bar for each text
  x: string;
  curves: {column: string; label: string}[]; // with _low and _high where the table has them
  layer: string; // parts of stacked bars
  y_label: string;
  log_x: boolean;
  log_y: boolean;
  label: string; // a text beside each point
  references: {label: string; points: [number, number][]}[];
}

// A table that is drawn.
export interface Figure extends Table {
  drawing: Drawing;
}

export interface Metric {
  name: string;
  unit: string;
  value: number;
}

export interface Run {
  key: string;
  label: string;
  version: string;
  seed: string; // 64 bits, too many for a number
  status: "done" | "failed";
  error: string;
  parameters: Record<string, string>;
  configuration: string;
  metrics: Metric[];
}

// Runs that differ only in their seed.
export interface Experiment {
  label: string; // of series and load
  series: string;
  offered_load: number; // measured, in percent
  load: string | null; // as it was set, where that was varied
  runs: number[]; // indices into runs
}

export interface Channel {
  from: string;
  to: string;
}

// What channels did over time. Quantities are bytes in base64: frame after frame, in each channel
// after channel.
export interface Series {
  run: number; // index into runs
  start_ps: number;
  ends_ps: number[]; // of the frames
  channels: Channel[];
  states: string[];
  carried: string; // 0..255: share of what the channel carries at full rate
  busy: string; // 0..255: share of the time, at whatever rate
  state: string; // at the end of the frame, an index into states
  queued: string; // 0..255 of queued_most_bit, at the end of the frame
  queued_most_bit: number;
}

export interface DrawnNode {
  name: string;
  x: number; // 0 to 1
  y: number; // downwards, in the same unit
  host_channels: number[]; // both directions of the links to its hosts
}

export interface DrawnLink {
  a: number; // index into nodes
  b: number;
  bend: number; // how far the middle stands off the straight way, to the right, in the unit of x
  channels: [number, number]; // a to b, b to a
}

export interface Drawing {
  runs: number[]; // indices into runs
  title: string;
  nodes: DrawnNode[];
  links: DrawnLink[];
}

// In words, and how many runs had it.
export interface Subject {
  text: string;
  runs: number;
}

// Times in nanoseconds.
export interface TimelineTrack {
  name: string;
  unit: string; // of a counter
  slices: number[]; // begin, duration, index into names; then the next
  flows: number[]; // index of a slice, number of the flow; then the next
  values: number[]; // of a counter: time, value; then the next
}

export interface TimelineDocument {
  source: string; // name of the file
  began_unix_ns: number | null;
  end_ns: number;
  events: number;
  events_shown: number;
  shown_until_ns: number | null; // what begins later is left out; null: all is shown
  names: string[];
  groups: {name: string; tracks: TimelineTrack[]}[];
}

export interface Report {
  format: string;
  title: string;
  version: string;
  subject: {networks: Subject[]; traffic: Subject[]};
  experiments: Experiment[];
  figures: Record<string, Figure>;
  runs: Run[];
  series: Series[];
  series_left_out: number; // runs whose series did not fit
  drawings: Drawing[];
  timeline: TimelineDocument | null;
}

export function readReport(): Report {
  const block = document.getElementById("document");
  const report = JSON.parse(block?.textContent ?? "null") as Report;
  if (report?.format !== "ebb-report 1") throw new Error("the document of this page is not an ebb report");
  return report;
}

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}
