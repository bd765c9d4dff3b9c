// SPDX-License-Identifier: Apache-2.0
// The network at one moment. Both directions of a link are drawn, traffic keeping to the right;
// a switch has the mean value, or the most common state, of its hosts' channels.
import type {DrawnLink, DrawnNode, Drawing} from "../document";
import {svg} from "../element";
import {inkOn} from "../palette";
import {picture} from "../picture";
import {kQuantities, swatchItems} from "./link_times";
import type {View} from "./view";

const kMargin = 26;
const kMostHeight = 0.62; // of the width, between the outer switches
const kLeastHeight = 0.35;
const kMostRadius = 16;
const kNoHosts = "#c8c8c8";

interface Point {
  x: number;
  y: number;
}

export function drawNetwork(drawing: Drawing, view: View, width: number): SVGSVGElement {
  const area = new Area(drawing, width);
  const made = svg("svg", {width, height: area.height, viewBox: `0 0 ${width} ${area.height}`, class: "network"});
  const radius = nodeRadius(drawing, area);
  made.append(...channelPaths(drawing, area, view, Math.min(3, radius / 2.5)));
  drawing.nodes.forEach((node) => made.append(nodeElement(node, area, view, radius)));
  const {times, quantity, frame} = view;
  const items = swatchItems(times, quantity);
  const what = kQuantities.find(({value}) => value === quantity)!.label;
  return picture(`${drawing.title}, ${times.describe(frame)}: ${what}`, items, made, width);
}

// From the unit of the document to pixels. Flat drawings are stretched, high ones are narrowed.
class Area {
  readonly height: number;
  readonly scale: Point;
  private readonly left: number;
  private readonly top: number;

  constructor(drawing: Drawing, width: number) {
    const tall = Math.max(...drawing.nodes.map((node) => node.y));
    const aside = Math.max(0, ...drawing.links.map((link) => Math.abs(link.bend)));
    const wide = (width - 2 * kMargin) / (1 + 2 * aside);
    const x = Math.min(wide, (width * kMostHeight) / Math.max(tall, 0.01));
    const y = tall > 0 ? Math.max(x, Math.min(width * kLeastHeight, 300) / tall) : 0;
    this.scale = {x, y};
    this.top = kMargin + aside * x;
    this.left = (width - x) / 2;
    this.height = tall * y + 2 * this.top;
  }

  point(node: DrawnNode): Point {
    return {x: this.left + node.x * this.scale.x, y: this.top + node.y * this.scale.y};
  }
}

// Neighbours do not touch.
function nodeRadius(drawing: Drawing, area: Area): number {
  const points = drawing.nodes.map((node) => area.point(node));
  let near = kMostRadius * 4;
  points.forEach((a, i) => {
    for (const b of points.slice(i + 1)) near = Math.min(near, Math.hypot(a.x - b.x, a.y - b.y));
  });
  return Math.max(3, Math.min(kMostRadius, near * 0.38));
}

interface Way {
  channel: number;
  byte: number;
  d: string;
}

// The busiest on top, and a thin rim under all that keeps dark colours visible on a dark page.
function channelPaths(drawing: Drawing, area: Area, view: View, gap: number): SVGElement[] {
  const ways = drawing.links.flatMap((link) => waysOf(drawing, link, area, view, gap));
  ways.sort((a, b) => a.byte - b.byte || a.channel - b.channel);
  const rim = {fill: "none", stroke: "currentColor", "stroke-opacity": 0.25, "stroke-width": gap * 1.5 + 0.8};
  return [
    ...ways.map(({d}) => svg("path", {...rim, d})),
    ...ways.map((way) => channelPath(way, view, gap)),
  ];
}

function waysOf(drawing: Drawing, link: DrawnLink, area: Area, view: View, gap: number): Way[] {
  const [a, b] = [area.point(drawing.nodes[link.a]!), area.point(drawing.nodes[link.b]!)];
  const way = (channel: number, d: string) => ({channel, d, byte: view.times.byte(view.quantity, view.frame, channel)});
  return [way(link.channels[0], curve(a, b, link.bend * area.scale.x, gap)), way(link.channels[1], curve(b, a, -link.bend * area.scale.x, gap))];
}

function channelPath({channel, byte, d}: Way, {times, quantity}: View, gap: number): SVGElement {
  const {from, to} = times.channels[channel] ?? {from: "", to: ""};
  return svg(
    "path",
    {d, fill: "none", stroke: times.colour(quantity, byte), "stroke-width": gap * 1.5, class: "channel", "data-channel": channel},
    svg("title", {}, `${from} \u2192 ${to}: ${times.text(quantity, byte)}`),
  );
}

// `gap` to the right of the way, its middle pushed aside by `bend`, all in pixels.
function curve(from: Point, to: Point, bend: number, gap: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const side = {x: -dy / length, y: dx / length};
  const shift = (point: Point, by: number): string =>
    `${(point.x + side.x * by).toFixed(1)} ${(point.y + side.y * by).toFixed(1)}`;
  const middle = {x: (from.x + to.x) / 2, y: (from.y + to.y) / 2};
  // A quadratic curve passes half way to its control point.
  return `M${shift(from, gap)} Q${shift(middle, gap + 2 * bend)} ${shift(to, gap)}`;
}

function nodeElement(node: DrawnNode, area: Area, view: View, radius: number): SVGElement {
  const {x, y} = area.point(node);
  const hosts = node.host_channels.length / 2;
  const fill = nodeColour(node.host_channels, view);
  return svg(
    "g",
    {class: "node"},
    svg("circle", {cx: x, cy: y, r: radius, fill, stroke: "currentColor", "stroke-width": 1.2}),
    ...nameElements(node, {x, y}, radius, inkOn(fill)),
    svg("title", {}, hosts > 0 ? `${node.name}, ${hosts} hosts` : node.name),
  );
}

// Inside the switch as long as it can be read there.
function nameElements(node: DrawnNode, {x, y}: Point, radius: number, ink: string): SVGElement[] {
  const size = Math.min(11, (radius * 3) / node.name.length);
  if (size < 6) return [];
  return [svg("text", {x, y: y + size * 0.36, "text-anchor": "middle", "font-size": size, fill: ink}, node.name)];
}

function nodeColour(channels: number[], {times, quantity, frame}: View): string {
  if (channels.length === 0) return kNoHosts;
  const bytes = channels.map((channel) => times.byte(quantity, frame, channel));
  return times.colour(quantity, quantity === "state" ? mostCommon(bytes) : mean(bytes));
}

function mean(bytes: number[]): number {
  return bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length;
}

function mostCommon(bytes: number[]): number {
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]![0];
}
