// SPDX-License-Identifier: Apache-2.0
// The page from top to bottom. The first figure is drawn at once, the others right after it, so
// that a reader of many runs does not wait.
import {type Report, readReport} from "./document";
import {html} from "./element";
import {kFigures} from "./figures/kinds";
import {heatMapContent} from "./links/heat_map";
import {topologyContent} from "./links/topology";
import {View, runName} from "./links/view";
import {numberText} from "./number";
import {runsSection} from "./runs";
import {type Content, type Section, section} from "./section";
import {Selection} from "./selection";
import {rowsOf} from "./table";

function seriesNames(report: Report): string[] {
  const names = Object.values(report.figures).flatMap((table) => rowsOf(table).map((row) => row["series"]));
  return [...new Set(names.filter((name): name is string => typeof name === "string"))];
}

// A section whose content may ask for it to be drawn again.
function sectionOf(make: (redraw: () => void) => Content): Section {
  let made: Section | undefined;
  made = section(make(() => made?.redraw()));
  return made;
}

function figureSections(report: Report, selection: Selection): Section[] {
  return kFigures
    .filter(({id}) => (report.figures[id]?.rows.length ?? 0) > 0)
    .map((kind) => sectionOf((redraw) => kind.content(report.figures[kind.id]!, selection, redraw)));
}

function linkSections(report: Report): Section[] {
  if (report.series.length === 0) return [];
  const view = new View(report);
  const runs = report.series.map(({run}) => ({value: String(run), label: runName(report.runs[run]!)}));
  const note = report.series_left_out === 0 ? "" :
    `${numberText(report.series_left_out)} further runs have a time series that is left out to keep this file small.`;
  const sections = [sectionOf((redraw) => heatMapContent(view, runs, note, redraw))];
  if (report.drawings.length > 0) sections.push(sectionOf((redraw) => topologyContent(report, view, runs, redraw)));
  return sections;
}

function header(report: Report): HTMLElement {
  const failed = report.runs.filter((run) => run.status === "failed").length;
  const facts = [
    `${numberText(report.runs.length)} runs${failed > 0 ? `, ${numberText(failed)} of them failed` : ""}`,
    `ebb ${report.version}`,
  ];
  return html("header", {}, html("h1", {}, report.title), html("p", {class: "facts"}, facts.join(" \u00b7 ")));
}

function navigation(sections: HTMLElement[]): HTMLElement {
  const links = sections.map((element) =>
    html("li", {}, html("a", {href: `#${element.id}`}, element.querySelector("h2")!.textContent ?? "")));
  return html("nav", {"aria-label": "Figures"}, html("ul", {}, ...links));
}

function seriesChoice(selection: Selection): HTMLElement {
  const made = html("fieldset", {class: "series"}, html("legend", {}, "Series shown"));
  for (const name of selection.names) {
    const box = html("input", {type: "checkbox"});
    box.checked = true;
    box.addEventListener("change", () => selection.show(name, box.checked));
    const swatch = html("span", {class: "swatch"});
    swatch.style.background = selection.look(name).colour;
    made.append(html("label", {}, box, swatch, name));
  }
  return made;
}

// Gives the browser a chance to paint and to answer the reader between figures.
async function drawAll(sections: Section[]): Promise<void> {
  for (const each of sections) {
    each.redraw();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  document.documentElement.dataset["readyMs"] = String(Math.round(performance.now()));
}

function redrawOnResize(sections: Section[]): void {
  let width = document.documentElement.clientWidth;
  let timer = 0;
  window.addEventListener("resize", () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => sections.forEach((each) => each.redraw()), 150);
  });
}

function build(report: Report): Section[] {
  const selection = new Selection(seriesNames(report));
  const figures = figureSections(report, selection);
  const sections = [...figures, ...linkSections(report)];
  const elements = [...sections.map(({element}) => element), runsSection(report.runs)];
  document.title = `${report.title} - ebb report`;
  document.body.append(header(report), navigation(elements));
  const main = html("main");
  if (selection.names.length > 1) main.append(seriesChoice(selection));
  main.append(...elements);
  document.body.append(main);
  selection.onChange(() => figures.forEach((figure) => figure.redraw()));
  return sections;
}

const sections = build(readReport());
redrawOnResize(sections);
void drawAll(sections);
