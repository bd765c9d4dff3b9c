// SPDX-License-Identifier: Apache-2.0
// The network at one moment. Both directions of a link are drawn, traffic keeping to the right;
// a switch has the mean colour of its hosts' channels.
import type {DrawnLink, DrawnNode, Drawing} from "../document";
import {svg} from "../element";
import {inkOn} from "../palette";
import {picture} from "../picture";
import {type LinkTimes, type Quantity, kQuantities} from "./link_times";
import type {View} from "./view";

const kMargin = 34;
const kNoHosts = "#c8c8c8";

interface Point {
  x: number;
  y: number;
}

export function drawNetwork(drawing: Drawing, view: View, width: number): SVGSVGElement {
  const area = new Area(drawing, width);
  const made = svg("svg", {width, height: area.height, viewBox: `0 0 ${width} ${area.height}`, class: "network"});
  const radius = nodeRadius(drawing, width);
  made.append(...channelPaths(drawing, area, view, Math.min(3, radius / 2.5)));
  drawing.nodes.forEach((node) => made.append(nodeElement(node, area, view, radius)));
  const {times, quantity, frame} = view;
  const items = times.swatches(quantity).map(({label, colour}) => ({label, shape: "box" as const, look: {colour, mark: "square" as const, dash: "none"}}));
  const what = kQuantities.find(({value}) => value === quantity)!.label;
  return picture(`${drawing.title}, ${times.describe(frame)}: ${what}`, items, made, width);
}

// From the unit square of the document to pixels, at most 16:10.
class Area {
  readonly height: number;
  private readonly scale: Point;

  constructor(drawing: Drawing, private readonly width: number) {
    const tall = Math.max(...drawing.nodes.map((node) => node.y), 0.15);
    const inner = Math.min(width * 0.62, (width - 2 * kMargin) * tall);
    this.height = inner + 2 * kMargin;
    const even = inner / tall;
    const wide = tall < 0.9 ? width - 2 * kMargin : even; // flat drawings use the whole width
    this.scale = {x: wide, y: even};
  }

  point(node: DrawnNode): Point {
    const left = (this.width - this.scale.x) / 2;
    return {x: left + node.x * this.scale.x, y: kMargin + node.y * this.scale.y};
  }
}

function nodeRadius(drawing: Drawing, width: number): number {
  return Math.max(4, Math.min(16, width / (5 * Math.sqrt(drawing.nodes.length) + 6)));
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
  return [way(link.channels[0], curve(a, b, link.bend, gap)), way(link.channels[1], curve(b, a, -link.bend, gap))];
}

function channelPath({channel, byte, d}: Way, {times, quantity}: View, gap: number): SVGElement {
  const {from, to} = times.channels[channel] ?? {from: "", to: ""};
  return svg(
    "path",
    {d, fill: "none", stroke: times.colour(quantity, byte), "stroke-width": gap * 1.5, class: "channel", "data-channel": channel},
    svg("title", {}, `${from} \u2192 ${to}: ${times.text(quantity, byte)}`),
  );
}

// `gap` to the right of the way, its middle pushed aside by `bend` of its length.
function curve(from: Point, to: Point, bend: number, gap: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const side = {x: -dy / length, y: dx / length};
  const shift = (point: Point, by: number): string =>
    `${(point.x + side.x * by).toFixed(1)} ${(point.y + side.y * by).toFixed(1)}`;
  const middle = {x: (from.x + to.x) / 2, y: (from.y + to.y) / 2};
  // A quadratic curve passes half way to its control point.
  return `M${shift(from, gap)} Q${shift(middle, gap + 2 * bend * length)} ${shift(to, gap)}`;
}

function nodeElement(node: DrawnNode, area: Area, view: View, radius: number): SVGElement {
  const {x, y} = area.point(node);
  const inside = radius >= 4.2 * node.name.length;
  const text = {x, y: inside ? y + 4 : y + radius + 11, "text-anchor": "middle", "font-size": inside ? 11 : 10, class: "node-name"};
  const hosts = node.host_channels.length / 2;
  const fill = nodeColour(node.host_channels, view);
  const ink = inside ? inkOn(fill) : "currentColor";
  return svg(
    "g",
    {class: "node"},
    svg("circle", {cx: x, cy: y, r: radius, fill, stroke: "currentColor", "stroke-width": 1.2}),
    svg("text", {...text, fill: ink}, node.name),
    svg("title", {}, hosts > 0 ? `${node.name}, ${hosts} hosts` : node.name),
  );
}

// States have no mean: a switch shows its hosts' traffic then.
function nodeColour(channels: number[], {times, quantity, frame}: View): string {
  if (channels.length === 0) return kNoHosts;
  const shown: Quantity = quantity === "state" ? "carried" : quantity;
  return times.colour(shown, meanByte(channels, times, shown, frame));
}

function meanByte(channels: number[], times: LinkTimes, quantity: Quantity, frame: number): number {
  return channels.reduce((sum, channel) => sum + times.byte(quantity, frame, channel), 0) / channels.length;
}
