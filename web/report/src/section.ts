// SPDX-License-Identifier: Apache-2.0
// A part of the page with one picture: controls, the drawing, buttons to save it, its table.
import type {Table} from "./document";
import {button, html} from "./element";
import {numberText} from "./number";
import {saveText, svgText} from "./save";
import {csvText, tableElement} from "./table";

export interface Drawn {
  picture: SVGSVGElement;
  remark?: string; // what this drawing shows, or what was left out of it
}

export interface Content {
  id: string;
  short: string; // for the navigation
  title: string;
  note: string;
  controls: HTMLElement[];
  draw(width: number): Drawn;
  table(): Table; // may change with the controls
}

export interface Section {
  id: string;
  short: string;
  element: HTMLElement;
  redraw(): void;
}

const kMostWidth = 1040;
const kLeastWidth = 300;

export function section(content: Content): Section {
  const figure = html("figure");
  const remark = html("p", {class: "note remark", "aria-live": "polite"});
  const element = html("section", {id: content.id, "aria-labelledby": `${content.id}-title`},
    html("h2", {id: `${content.id}-title`}, content.title));
  if (content.note) element.append(html("p", {class: "note"}, content.note));
  if (content.controls.length > 0) element.append(html("div", {class: "controls"}, ...content.controls));
  element.append(figure, remark, buttons(content, figure), behind(content));
  const redraw = () => {
    const drawn = content.draw(widthOf(element));
    figure.replaceChildren(drawn.picture);
    remark.textContent = drawn.remark ?? "";
    refreshTable(element, content);
  };
  return {id: content.id, short: content.short, element, redraw};
}

function widthOf(element: HTMLElement): number {
  return Math.max(kLeastWidth, Math.min(kMostWidth, Math.floor(element.clientWidth)));
}

function buttons(content: Content, figure: HTMLElement): HTMLElement {
  const file = `ebb-${content.id}`;
  return html("div", {class: "buttons"},
    button("Save SVG", `${content.title}: the picture as an SVG file`, () => {
      const drawn = figure.querySelector<SVGSVGElement>("svg.picture");
      if (drawn) saveText(`${file}.svg`, "image/svg+xml", svgText(drawn));
    }),
    button("Save CSV", `${content.title}: the data as a CSV file`, () =>
      saveText(`${file}.csv`, "text/csv", csvText(content.table()))));
}

// Tables of hundreds of runs are made when someone looks.
function behind(content: Content): HTMLElement {
  const made = html("details", {class: "behind"}, html("summary"), html("div"));
  made.addEventListener("toggle", () => fillTable(made, content));
  return made;
}

function refreshTable(element: HTMLElement, content: Content): void {
  const details = element.querySelector<HTMLDetailsElement>("details.behind")!;
  const count = content.table().rows.length;
  details.querySelector("summary")!.textContent = `Table behind this plot (${numberText(count)} rows)`;
  fillTable(details, content);
}

function fillTable(details: HTMLDetailsElement, content: Content): void {
  if (details.open) details.lastElementChild!.replaceChildren(tableElement(content.table()));
}
