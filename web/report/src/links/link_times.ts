// SPDX-License-Identifier: Apache-2.0
// What the channels of one run did, frame by frame.
import {type Channel, type Series, type Table, bytesOf} from "../document";
import {percentText, sizeText, timeText} from "../number";
import {rampColour, stateColours} from "../palette";
import type {LegendItem} from "../picture";

export type Quantity = "carried" | "busy" | "state" | "queued";

export const kQuantities: {value: Quantity; label: string}[] = [
  {value: "state", label: "power state"},
  {value: "busy", label: "utilisation: busy time, at the rate it has"},
  {value: "carried", label: "traffic, of what the link carries at full rate"},
  {value: "queued", label: "data waiting"},
];

const kFull = 255;

export interface Swatch {
  label: string;
  colour: string;
}

export class LinkTimes {
  readonly run: number;
  readonly frames: number;
  readonly channels: Channel[];
  private readonly bytes: Record<Quantity, Uint8Array>;
  private readonly stateColours: string[];
  private made: Table | undefined;

  constructor(private readonly series: Series) {
    this.run = series.run;
    this.frames = series.ends_ps.length;
    this.channels = series.channels;
    this.stateColours = stateColours(series.states);
    this.bytes = {
      carried: bytesOf(series.carried),
      busy: bytesOf(series.busy),
      state: bytesOf(series.state),
      queued: bytesOf(series.queued),
    };
  }

  start(frame: number): number {
    return frame === 0 ? this.series.start_ps : this.series.ends_ps[frame - 1]!;
  }

  end(frame: number): number {
    return this.series.ends_ps[frame]!;
  }

  byte(quantity: Quantity, frame: number, channel: number): number {
    return this.bytes[quantity][frame * this.channels.length + channel] ?? 0;
  }

  colour(quantity: Quantity, byte: number): string {
    if (quantity === "state") return this.stateColours[byte] ?? "#000000";
    return rampColour(byte / kFull);
  }

  text(quantity: Quantity, byte: number): string {
    if (quantity === "state") return this.series.states[byte] ?? "";
    const share = byte / kFull;
    return quantity === "queued" ? sizeText(share * this.series.queued_most_bit) : percentText(share);
  }

  swatches(quantity: Quantity): Swatch[] {
    const bytes = quantity === "state" ? this.statesSeen() : [0, 0.25, 0.5, 0.75, 1].map((share) => share * kFull);
    return bytes.map((byte) => ({label: this.text(quantity, byte), colour: this.colour(quantity, byte)}));
  }

  private statesSeen(): number[] {
    return [...new Set(this.bytes.state)].sort((a, b) => a - b);
  }

  // Mean over time, for ranking.
  mean(quantity: Quantity, channel: number): number {
    let sum = 0;
    for (let frame = 0; frame < this.frames; ++frame) sum += this.byte(quantity, frame, channel);
    return sum / Math.max(1, this.frames);
  }

  table(): Table {
    this.made ??= this.tableOf([...Array(this.frames).keys()]);
    return this.made;
  }

  tableOf(frames: number[]): Table {
    const rows = frames.flatMap((frame) => this.channels.map((_, channel) => this.row(frame, channel)));
    return {title: "Links over time", note: "", columns: kColumns, rows};
  }

  private row(frame: number, channel: number): (number | string)[] {
    const {from, to} = this.channels[channel]!;
    const share = (quantity: Quantity) => Number((this.byte(quantity, frame, channel) / kFull).toFixed(4));
    return [
      this.start(frame) / 1e6,
      this.end(frame) / 1e6,
      from,
      to,
      share("carried"),
      share("busy"),
      this.text("state", this.byte("state", frame, channel)),
      Math.round((share("queued") * this.series.queued_most_bit) / 8),
    ];
  }

  describe(frame: number): string {
    return `${timeText(this.start(frame))} to ${timeText(this.end(frame))}`;
  }
}

export function swatchItems(times: LinkTimes, quantity: Quantity): LegendItem[] {
  return times.swatches(quantity).map(({label, colour}) => ({label, shape: "box", look: {colour, mark: "none", dash: "none"}}));
}

const kColumns: Table["columns"] = [
  {name: "start", label: "start", unit: "us", kind: "number"},
  {name: "end", label: "end", unit: "us", kind: "number"},
  {name: "from", label: "from", unit: "", kind: "text"},
  {name: "to", label: "to", unit: "", kind: "text"},
  {name: "carried", label: "traffic, share of full rate", unit: "1", kind: "number"},
  {name: "busy", label: "busy, share of time", unit: "1", kind: "number"},
  {name: "state", label: "state at the end", unit: "", kind: "text"},
  {name: "queued", label: "waiting at the end", unit: "B", kind: "number"},
];
