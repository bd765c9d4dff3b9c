// SPDX-License-Identifier: Apache-2.0
// A plot with its legend as one SVG, so that what is saved is what is seen. The title stands in the
// page; save.ts adds it.
import * as Plot from "@observablehq/plot";
import {svg} from "./element";
import type {Look} from "./palette";

export interface LegendItem {
  label: string;
  shape: "line" | "box" | "ring";
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

// Lower on a narrow screen, so that a figure fits on it.
export function plotHeight(width: number): number {
  return Math.round(Math.min(420, Math.max(290, width * 0.7)));
}

interface Placed extends LegendItem {
  x: number;
  y: number; // of the first line
  lines: string[];
}

function legendPlot(items: LegendItem[], width: number): SVGElement {
  const placed = place(items, width);
  const height = Math.max(0, ...placed.map(({y, lines}) => y + (lines.length - 0.5) * kLine + 4));
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
  let next = y; // below what stands on the present line
  return items.map((item) => {
    const lines = wrapped(item.label, width - kSwatch);
    const wide = kSwatch + Math.max(...lines.map((line) => line.length)) * kCharacter + kGap;
    if (x > 0 && x + wide - kGap > width) [x, y] = [0, next + kLine];
    const made = {...item, x, y, lines};
    next = Math.max(next, y + (lines.length - 1) * kLine);
    x += wide;
    return made;
  });
}

function itemMarks(item: Placed): Plot.Markish[] {
  const {colour, mark, dash} = item.look;
  const lines = item.lines.map((label, i) => ({label, y: item.y + i * kLine}));
  const text = Plot.text(lines, {x: item.x + kSwatch, y: "y", text: "label", textAnchor: "start"});
  if (item.shape === "ring") {
    const symbol = mark === "none" ? "circle" : mark;
    return [Plot.dot([item], {x: item.x + 13, y: "y", r: 6, symbol, stroke: colour, strokeWidth: 1.4, fill: "none"}), text];
  }
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

// Width of a character: close enough for a legend, and the same in every browser.
export const kCharacter = 6.8;

// At blanks, into lines that are no wider, where the words allow it.
export function wrapped(text: string, width: number): string[] {
  const most = Math.max(8, Math.floor(width / kCharacter));
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
