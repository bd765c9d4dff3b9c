// SPDX-License-Identifier: Apache-2.0
// The timeline of the document as rows that can be asked what happens at a time. Times are
// nanoseconds.
import type {TimelineDocument, TimelineTrack} from "../document";

export interface Slice {
  track: Track;
  begin: number;
  end: number;
  name: string;
  flow: number | undefined; // the same number as the slice at the other end of its arrow
}

// The first position of an ascending list from which `after` holds.
function firstWhere(count: number, after: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (after(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class Track {
  readonly name: string;
  readonly unit: string;
  readonly count: number; // of slices
  readonly most: number; // of the values of a counter
  private readonly slices: number[]; // begin, duration and name, three numbers each, by time
  private readonly values: number[]; // time and value
  private readonly flows = new Map<number, number>(); // by slice

  constructor(
    readonly group: string,
    made: TimelineTrack,
    private readonly names: string[],
  ) {
    this.name = made.name;
    this.unit = made.unit;
    this.slices = made.slices;
    this.values = made.values;
    this.count = this.slices.length / 3;
    this.most = this.values.reduce((most, value, i) => (i % 2 === 1 ? Math.max(most, value) : most), 0);
    for (let i = 0; i < made.flows.length; i += 2) this.flows.set(made.flows[i]!, made.flows[i + 1]!);
  }

  slice(position: number): Slice {
    const begin = this.slices[3 * position]!;
    return {
      track: this,
      begin,
      end: begin + this.slices[3 * position + 1]!,
      name: this.names[this.slices[3 * position + 2]!]!,
      flow: this.flows.get(position),
    };
  }

  // Slices that overlap a span of time, in order; of those that begin in the same `grain` of time
  // the first alone, because they are narrower than a dot.
  *between(from: number, to: number, grain: number): Generator<Slice> {
    let at = firstWhere(this.count, (i) => this.slices[3 * i]! + this.slices[3 * i + 1]! >= from);
    while (at < this.count && this.slices[3 * at]! <= to) {
      const slice = this.slice(at);
      yield slice;
      const next = Math.max(slice.end, slice.begin + grain);
      const skipped = firstWhere(this.count, (i) => this.slices[3 * i]! + this.slices[3 * i + 1]! >= next);
      at = slice.end - slice.begin < grain ? Math.max(at + 1, skipped) : at + 1;
    }
  }

  // The slice at a time, or one that begins within `slack` of it.
  at(time: number, slack: number): Slice | undefined {
    const after = firstWhere(this.count, (i) => this.slices[3 * i]! > time);
    for (const position of [after - 1, after, after - 2]) {
      if (position < 0 || position >= this.count) continue;
      const slice = this.slice(position);
      if (slice.begin - slack <= time && time <= slice.end + slack) return slice;
    }
    return undefined;
  }

  // Steps of a counter in a span of time, the value before it included.
  *steps(from: number, to: number): Generator<{at: number; value: number}> {
    const count = this.values.length / 2;
    const first = Math.max(0, firstWhere(count, (i) => this.values[2 * i]! > from) - 1);
    for (let i = first; i < count && this.values[2 * i]! <= to; ++i) yield {at: this.values[2 * i]!, value: this.values[2 * i + 1]!};
  }

  value(time: number): number | undefined {
    const after = firstWhere(this.values.length / 2, (i) => this.values[2 * i]! > time);
    return after === 0 ? undefined : this.values[2 * after - 1];
  }
}

export interface Group {
  name: string;
  tracks: Track[];
  open: boolean;
}

const kOpenTracks = 400; // a group of more begins closed

export class Tracks {
  readonly groups: Group[];
  readonly end: number;
  private readonly ends = new Map<number, Slice[]>(); // of flows

  constructor(document: TimelineDocument) {
    this.end = document.shown_until_ns ?? document.end_ns;
    this.groups = document.groups.map(({name, tracks}) => ({
      name,
      tracks: tracks.map((track) => new Track(name, track, document.names)),
      open: tracks.length <= kOpenTracks,
    }));
    for (const {tracks} of this.groups)
      for (const track of tracks) this.addFlows(track);
  }

  // The slice at the other end of the arrow.
  partner(slice: Slice): Slice | undefined {
    const both = slice.flow === undefined ? [] : this.ends.get(slice.flow) ?? [];
    return both.find((other) => other.track !== slice.track || other.begin !== slice.begin);
  }

  private addFlows(track: Track): void {
    for (let i = 0; i < track.count; ++i) {
      const slice = track.slice(i);
      if (slice.flow === undefined) continue;
      const known = this.ends.get(slice.flow);
      if (known) known.push(slice);
      else this.ends.set(slice.flow, [slice]);
    }
  }
}
