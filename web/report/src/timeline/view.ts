// SPDX-License-Identifier: Apache-2.0
// What of a timeline is on the canvas: a span of time and some rows.
import type {Group, Slice, Track, Tracks} from "./tracks";

export const kLabels = 190; // width of the names, in pixels
export const kAxis = 22; // height of the time axis
const kTrack = 18;
const kCounter = 44;
const kHeading = 22;
const kLeastSpan = 1; // nanosecond

export interface Row {
  y: number; // of its top, from the top of all rows
  height: number;
  group: Group;
  track: Track | undefined; // none: the heading of the group
}

export class TimelineView {
  from = 0;
  to: number;
  top = 0; // of the first row on the canvas
  rows: Row[] = [];
  width = 0;
  height = 0;
  private filter = "";

  constructor(readonly tracks: Tracks) {
    this.to = tracks.end;
    this.layOut();
  }

  resize(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.scroll(0);
  }

  // Only tracks whose names contain the text.
  search(text: string): void {
    this.filter = text.toLowerCase();
    this.layOut();
    this.scroll(0);
  }

  toggle(group: Group): void {
    group.open = !group.open;
    this.layOut();
    this.scroll(0);
  }

  private layOut(): void {
    this.rows = [];
    let y = 0;
    const add = (height: number, group: Group, track?: Track) => {
      this.rows.push({y, height, group, track});
      y += height;
    };
    for (const group of this.tracks.groups) {
      const tracks = group.tracks.filter(({name}) => name.toLowerCase().includes(this.filter));
      if (tracks.length === 0) continue;
      add(kHeading, group);
      if (group.open || this.filter) for (const track of tracks) add(track.unit ? kCounter : kTrack, group, track);
    }
  }

  get rowsHeight(): number {
    const last = this.rows[this.rows.length - 1];
    return last ? last.y + last.height : 0;
  }

  scroll(pixels: number): void {
    const most = Math.max(0, this.rowsHeight - (this.height - kAxis));
    this.top = Math.min(most, Math.max(0, this.top + pixels));
  }

  get span(): number {
    return this.to - this.from;
  }

  get grain(): number {
    return this.span / Math.max(1, this.width - kLabels);
  }

  x(time: number): number {
    return kLabels + (time - this.from) / this.grain;
  }

  y(row: Row): number {
    return kAxis + row.y - this.top;
  }

  time(x: number): number {
    return this.from + (x - kLabels) * this.grain;
  }

  // `factor` above 1 shows less; the time at `x` stays where it is.
  zoom(factor: number, x = kLabels + (this.width - kLabels) / 2): void {
    const fixed = this.time(x);
    const span = Math.min(this.tracks.end, Math.max(kLeastSpan, this.span / factor));
    const share = (fixed - this.from) / this.span;
    this.show(fixed - share * span, span);
  }

  pan(pixels: number): void {
    this.show(this.from + pixels * this.grain, this.span);
  }

  showAll(): void {
    this.show(0, this.tracks.end);
  }

  private show(from: number, span: number): void {
    this.from = Math.max(0, Math.min(this.tracks.end - span, from));
    this.to = this.from + span;
  }

  rowAt(y: number): Row | undefined {
    const at = y - kAxis + this.top;
    return y < kAxis ? undefined : this.rows.find((row) => row.y <= at && at < row.y + row.height);
  }

  rowOf(track: Track): Row | undefined {
    return this.rows.find((row) => row.track === track);
  }

  sliceAt(x: number, y: number): Slice | undefined {
    return x < kLabels ? undefined : this.rowAt(y)?.track?.at(this.time(x), 2 * this.grain);
  }
}
