// SPDX-License-Identifier: Apache-2.0
// Every channel over time: a line of the picture each, coloured by what it did.
import * as Plot from "@observablehq/plot";
import {type Choice, choice, svg} from "../element";
import {timeText} from "../number";
import {picture, plotSvg} from "../picture";
import type {Content, Drawn} from "../section";
import {type LinkTimes, type Quantity, kQuantities, swatchItems} from "./link_times";
import type {View} from "./view";

type Order = "busiest" | "number";
const kOrders: Choice[] = [
  {value: "number", label: "in their order"},
  {value: "busiest", label: "busiest first"},
];
const kMostHeight = 620;
const kMostLabels = 40;

export function heatMapContent(view: View, runs: Choice[], note: string, redraw: () => void): Content {
  let order: Order = "number";
  const orders = choice("Channels", kOrders, order, (value) => {
    order = value as Order;
    redraw();
  });
  view.onChange(redraw);
  return {
    id: "links",
    short: "Links",
    title: "Links over time",
    note,
    controls: [view.runChoice(runs), view.quantityChoice(), orders],
    draw: (width) => draw(view, order, width),
    table: () => view.times.table(),
  };
}

function draw(view: View, order: Order, width: number): Drawn {
  const {times, quantity, frame} = view;
  const channels = ordered(times, order);
  const names = channels.map((channel) => `${times.channels[channel]!.from} \u2192 ${times.channels[channel]!.to}`);
  const every = Math.ceil(names.length / kMostLabels);
  const labels = names.map((name, i) => ({name, y: i + 0.5})).filter((_, i) => i % every === 0);
  const longest = Math.max(...labels.map(({name}) => name.length));
  const unit = 1e6; // axis in microseconds
  const plot = plotSvg({
    width,
    height: Math.min(kMostHeight, Math.max(220, names.length * 12 + 60)),
    marginLeft: longest * 6.2 + 16,
    marginRight: 20,
    marginTop: 8,
    marginBottom: 42,
    x: {label: "Simulated time (us)", domain: [times.start(0) / unit, times.end(times.frames - 1) / unit], labelAnchor: "center"},
    y: {axis: null, domain: [names.length, 0]},
    marks: [
      imageMark(pixels(times, quantity, channels)),
      Plot.axisY(labels.map(({y}) => y), {tickFormat: (_: unknown, i: number) => labels[i]!.name, fontSize: 10, label: null, tickSize: 3}),
      Plot.ruleX([(times.start(frame) + times.end(frame)) / 2 / unit], {stroke: "#d55e00", strokeWidth: 1.5}),
    ],
  });
  const what = kQuantities.find(({value}) => value === quantity)!.label;
  const items = swatchItems(times, quantity);
  const remark = `The orange line is the moment that the topology shows: ${timeText(times.end(frame))}.`;
  return {picture: picture(`Links over time: ${what}`, items, plot, width), remark};
}

function ordered(times: LinkTimes, order: Order): number[] {
  const all = [...times.channels.keys()];
  if (order === "number") return all;
  const means = all.map((channel) => times.mean("busy", channel));
  return all.sort((a, b) => means[b]! - means[a]! || a - b);
}

// One pixel per frame and channel, enlarged without smoothing.
function pixels(times: LinkTimes, quantity: Quantity, channels: number[]): string {
  const canvas = document.createElement("canvas");
  canvas.width = times.frames;
  canvas.height = channels.length;
  const context = canvas.getContext("2d")!;
  channels.forEach((channel, y) => {
    for (let frame = 0; frame < times.frames; ++frame) {
      context.fillStyle = times.colour(quantity, times.byte(quantity, frame, channel));
      context.fillRect(frame, y, 1, 1);
    }
  });
  return canvas.toDataURL("image/png");
}

// Fills the area between the axes.
function imageMark(address: string): Plot.RenderFunction {
  return (_index, _scales, _values, dimensions) => {
    const {width, height, marginLeft, marginTop, marginRight, marginBottom} = dimensions;
    return svg("image", {
      x: marginLeft,
      y: marginTop,
      width: width - marginLeft - marginRight,
      height: height - marginTop - marginBottom,
      preserveAspectRatio: "none",
      style: "image-rendering: pixelated",
      href: address,
    });
  };
}
