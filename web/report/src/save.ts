// SPDX-License-Identifier: Apache-2.0
// Pictures and tables as files.
import {svg} from "./element";

export function saveText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], {type}));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Black on white wherever it is opened, whatever the page looks like now.
const kTitleHeight = 26;

export function svgText(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const [width, height] = [picture.viewBox.baseVal.width, picture.viewBox.baseVal.height];
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height + kTitleHeight));
  copy.setAttribute("viewBox", `0 ${-kTitleHeight} ${width} ${height + kTitleHeight}`);
  const title = picture.getAttribute("aria-label") ?? "";
  copy.prepend(svg("text", {x: 0, y: 16 - kTitleHeight, "font-size": 15, "font-weight": 600, fill: "currentColor"}, title));
  copy.setAttribute("style", "color: #222; background: #fff; font-family: sans-serif");
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(copy) + "\n";
}
