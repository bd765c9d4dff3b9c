// SPDX-License-Identifier: Apache-2.0
// A plot with its legend as one SVG, so that what is saved is what is seen. The title stands in the
// page; save.ts adds it.
import * as Plot from "@observablehq/plot";
import {svg} from "./element";
import type {Look} from "./palette";

export interface LegendItem {
  label: string;
  shape: "line" | "box";
  look: Look;
}

const kLine = 20; // height of a legend line
const kSwatch = 28;
const kGap = 18;

export function picture(title: string, items: LegendItem[], plot: SVGElement, width: number): SVGSVGElement {
  const legend = legendPlot(items, width);
  const top = heightOf(legend);
  const height = top + heightOf(plot);
  plot.setAttribute("y", String(top));
  return svg(
    "svg",
    {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title, class: "picture"},
    legend,
    plot,
  );
}

function heightOf(element: SVGElement): number {
  return Number(element.getAttribute("height"));
}

// Plot wraps a figure around plots with HTML legends; ours have none.
export function plotSvg(options: Plot.PlotOptions): SVGElement {
  return Plot.plot({
    ...options,
    style: {background: "none", color: "currentColor", fontSize: "12px", fontFamily: "inherit", overflow: "visible"},
  }) as SVGElement;
}

interface Placed extends LegendItem {
  x: number;
  y: number;
}

function legendPlot(items: LegendItem[], width: number): SVGElement {
  const placed = place(items, width);
  const height = placed.length === 0 ? 0 : placed[placed.length - 1]!.y + kLine / 2 + 4;
  const made = plotSvg({
    width,
    height,
    margin: 0,
    axis: null,
    x: {type: "identity"},
    y: {type: "identity"},
    marks: placed.flatMap(itemMarks),
  });
  made.classList.add("legend");
  return made;
}

function place(items: LegendItem[], width: number): Placed[] {
  let [x, y] = [0, kLine / 2];
  return items.map((item) => {
    const wide = kSwatch + textWidth(item.label) + kGap;
    if (x > 0 && x + wide > width) [x, y] = [0, y + kLine];
    const made = {...item, x, y};
    x += wide;
    return made;
  });
}

function itemMarks(item: Placed): Plot.Markish[] {
  const {colour, mark, dash} = item.look;
  const text = Plot.text([item], {x: item.x + kSwatch, y: "y", text: "label", textAnchor: "start"});
  if (item.shape === "box") {
    const box = Plot.dot([item], {x: item.x + 13, y: "y", r: 7, symbol: "square", fill: colour, stroke: "currentColor", strokeOpacity: 0.4});
    return [box, text];
  }
  const ends = [{x: item.x, y: item.y}, {x: item.x + 24, y: item.y}];
  const dots = mark === "none" ? [] : [Plot.dot([item], {x: item.x + 12, y: "y", r: 4, symbol: mark, fill: colour, stroke: colour})];
  return [
    Plot.line(ends, {x: "x", y: "y", stroke: colour, strokeWidth: 2, strokeDasharray: dash}),
    ...dots,
    text,
  ];
}

// Close enough for a legend, and the same in every browser.
function textWidth(text: string): number {
  return text.length * 6.8;
}
