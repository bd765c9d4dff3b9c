// SPDX-License-Identifier: Apache-2.0
// Draws a view of a timeline on a canvas, in the colours of the page.
import {inkOn, lookOf, stateColours} from "../palette";
import {numberText, timeText} from "../number";
import type {Slice, Track} from "./tracks";
import {type Row, type TimelineView, kAxis, kLabels} from "./view";

const kFont = "11px system-ui, sans-serif";
const kArrow = "#d55e00";

interface Page {
  paper: string;
  ink: string;
  quiet: string;
  line: string;
  accent: string;
}

function pageColours(): Page {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {paper: of("paper"), ink: of("ink"), quiet: of("quiet"), line: of("line"), accent: of("accent")};
}

export class Colours {
  private readonly known = new Map<string, string>();

  // States of links as elsewhere on the page; other names by their first word, as they come.
  constructor(view: TimelineView) {
    const states = new Set<string>();
    for (const {name, tracks} of view.tracks.groups) {
      if (name !== "channels" && name !== "links") continue;
      for (const track of tracks) for (let i = 0; i < track.count; ++i) states.add(track.slice(i).name);
    }
    const ordered = [...states].sort((a, b) => rateOf(a) - rateOf(b));
    const colours = stateColours(ordered.map((state) => (isChange(state) ? "changing" : state)));
    ordered.forEach((state, i) => this.known.set(state, colours[i]!));
  }

  of(name: string): string {
    const key = this.known.has(name) ? name : name.split(" ")[0]!;
    let colour = this.known.get(key);
    if (colour === undefined) {
      colour = key === "waits" ? "#c8ccd0" : lookOf(this.known.size).colour;
      this.known.set(key, colour);
    }
    return colour;
  }
}

function isChange(state: string): boolean {
  return ["changing", "waking", "draining"].includes(state);
}

// Bits per second of "40Gb/s"; 0 of a state that is no rate.
function rateOf(state: string): number {
  const [, number, prefix] = /^([\d.]+)([kMGT]?)b\/s$/.exec(state) ?? [];
  return number === undefined ? 0 : Number(number) * 1000 ** ["", "k", "M", "G", "T"].indexOf(prefix!);
}

export function draw(canvas: HTMLCanvasElement, view: TimelineView, colours: Colours, chosen: Slice | undefined): void {
  const context = canvas.getContext("2d")!;
  const dots = window.devicePixelRatio || 1;
  canvas.width = Math.round(view.width * dots);
  canvas.height = Math.round(view.height * dots);
  context.setTransform(dots, 0, 0, dots, 0, 0);
  const page = pageColours();
  context.fillStyle = page.paper;
  context.fillRect(0, 0, view.width, view.height);
  context.font = kFont;
  context.textBaseline = "middle";
  for (const row of view.rows) {
    const y = view.y(row);
    if (y + row.height > kAxis && y < view.height) drawRow(context, view, row, page, colours);
  }
  if (chosen) drawArrow(context, view, chosen);
  drawAxis(context, view, page);
}

function drawRow(context: CanvasRenderingContext2D, view: TimelineView, row: Row, page: Page, colours: Colours): void {
  const y = view.y(row);
  context.fillStyle = page.line;
  context.fillRect(0, y + row.height - 1, view.width, 1);
  if (!row.track) return drawHeading(context, row, y, page);
  context.save();
  context.beginPath();
  context.rect(kLabels, y, view.width - kLabels, row.height);
  context.clip();
  if (row.track.unit) drawCounter(context, view, row.track, y, row.height, page);
  else drawSlices(context, view, row.track, y, row.height, colours);
  context.restore();
  context.fillStyle = page.ink;
  const middle = y + row.height / 2;
  context.fillText(fitted(context, row.track.name, kLabels - 12), 8, row.track.unit ? middle - 8 : middle);
  if (!row.track.unit) return;
  context.fillStyle = page.quiet;
  context.fillText(`0 to ${numberText(row.track.most)} ${row.track.unit}`, 8, middle + 8);
}

function drawHeading(context: CanvasRenderingContext2D, row: Row, y: number, page: Page): void {
  context.fillStyle = page.accent;
  context.font = `bold ${kFont}`;
  const mark = row.group.open ? "\u25be" : "\u25b8";
  context.fillText(`${mark} ${row.group.name} (${numberText(row.group.tracks.length)})`, 4, y + row.height / 2);
  context.font = kFont;
}

function drawSlices(context: CanvasRenderingContext2D, view: TimelineView, track: Track, y: number, height: number, colours: Colours): void {
  for (const slice of track.between(view.from, view.to, view.grain)) {
    const left = Math.max(kLabels, view.x(slice.begin));
    const width = Math.max(1, Math.min(view.width, view.x(slice.end)) - left);
    const colour = colours.of(slice.name);
    context.fillStyle = colour;
    context.fillRect(left, y + 2, width > 3 ? width - 0.5 : width, height - 5);
    if (width < 24) continue;
    context.fillStyle = inkOn(colour);
    context.fillText(fitted(context, slice.name, width - 6), left + 3, y + height / 2);
  }
}

// From 0 to the most that it ever is.
function drawCounter(context: CanvasRenderingContext2D, view: TimelineView, track: Track, y: number, height: number, page: Page): void {
  const bottom = y + height - 2;
  const scale = track.most > 0 ? (height - 8) / track.most : 0;
  context.beginPath();
  context.moveTo(kLabels, bottom);
  let last = 0;
  for (const {at, value} of track.steps(view.from, view.to)) {
    const x = Math.max(kLabels, view.x(at));
    context.lineTo(x, bottom - last * scale);
    context.lineTo(x, bottom - value * scale);
    last = value;
  }
  const end = Math.min(view.width, view.x(view.tracks.end));
  context.lineTo(end, bottom - last * scale);
  context.lineTo(end, bottom);
  context.globalAlpha = 0.35;
  context.fillStyle = page.accent;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = page.accent;
  context.stroke();
}

// From the slice of the sender to that of the receiver.
function drawArrow(context: CanvasRenderingContext2D, view: TimelineView, chosen: Slice): void {
  const partner = view.tracks.partner(chosen);
  if (!partner) return;
  const [from, to] = chosen.begin <= partner.begin ? [chosen, partner] : [partner, chosen];
  const rows = [view.rowOf(from.track), view.rowOf(to.track)];
  if (!rows[0] || !rows[1]) return;
  const [x1, x2] = [view.x(from.end), view.x(to.begin)];
  const [y1, y2] = [view.y(rows[0]) + rows[0].height / 2, view.y(rows[1]) + rows[1].height / 2];
  context.strokeStyle = context.fillStyle = kArrow;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x1, y1);
  context.bezierCurveTo(x1 + 30, y1, x2 - 30, y2, x2, y2);
  context.stroke();
  context.beginPath();
  context.arc(x2, y2, 4, 0, 2 * Math.PI);
  context.fill();
  context.lineWidth = 1;
}

function drawAxis(context: CanvasRenderingContext2D, view: TimelineView, page: Page): void {
  context.fillStyle = page.paper;
  context.fillRect(0, 0, view.width, kAxis);
  context.fillStyle = page.line;
  context.fillRect(0, kAxis - 1, view.width, 1);
  const step = tickStep((110 / (view.width - kLabels)) * view.span);
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const x = view.x(at);
    context.fillStyle = page.line;
    context.fillRect(x, kAxis - 6, 1, 6);
    context.fillStyle = page.quiet;
    context.fillText(at === 0 ? "0" : timeText(Math.round(at * 1000)), x + 3, kAxis / 2 - 1);
  }
}

// 1, 2 or 5 times a power of ten, at least so long.
function tickStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least)!;
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 0 && context.measureText(`${text.slice(0, length)}\u2026`).width > width) --length;
  return length > 0 ? `${text.slice(0, length)}\u2026` : "";
}
