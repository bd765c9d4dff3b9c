// SPDX-License-Identifier: Apache-2.0
// The page from top to bottom. The first figure is drawn at once, the others right after it, so
// that a reader of many runs does not wait.
import {type Report, readReport} from "./document";
import {html} from "./element";
import {Experiments} from "./experiments";
import {figureContent} from "./figures/figure";
import {heatMapContent} from "./links/heat_map";
import {topologyContent} from "./links/topology";
import {View} from "./links/view";
import {numberText} from "./number";
import {runNames} from "./run_names";
import {runsSection} from "./runs";
import {type Content, type Section, section} from "./section";
import {timelineSection} from "./timeline/viewer";

const kMostSubjects = 6; // of each kind

// A section whose content may ask for it to be drawn again.
function sectionOf(make: (redraw: () => void) => Content): Section {
  let made: Section | undefined;
  made = section(make(() => made?.redraw()));
  return made;
}

function figureSections(report: Report, experiments: Experiments): Section[] {
  return Object.entries(report.figures)
    .filter(([, figure]) => figure.rows.length > 0)
    .map(([id, figure]) => sectionOf((redraw) => figureContent(id, figure, experiments, redraw)));
}

function linkSections(report: Report, names: string[]): Section[] {
  if (report.series.length === 0) return [];
  const view = new View(report);
  const runs = report.series.map(({run}) => ({value: String(run), label: names[run]!}));
  const note = report.series_left_out === 0 ? "" :
    `${numberText(report.series_left_out)} further runs have a time series that is left out to keep this file small.`;
  const sections = [sectionOf((redraw) => heatMapContent(view, runs, note, redraw))];
  if (report.drawings.length > 0) sections.push(sectionOf((redraw) => topologyContent(report, view, runs, redraw)));
  return sections;
}

function header(report: Report): HTMLElement {
  const failed = report.runs.filter((run) => run.status === "failed").length;
  const facts = [`ebb ${report.version}`];
  if (report.runs.length > 0) facts.unshift(`${numberText(report.runs.length)} runs${failed > 0 ? `, ${numberText(failed)} of them failed` : ""}`);
  return html("header", {}, html("h1", {}, report.title), html("p", {class: "facts"}, facts.join(" \u00b7 ")), subject(report));
}

// Which network and traffic all of this is about.
function subject({subject: {networks, traffic}}: Report): HTMLElement {
  const made = html("dl", {class: "subject"});
  for (const [name, all] of [["Network", networks], ["Traffic", traffic]] as const) {
    for (const {text, runs} of all.slice(0, kMostSubjects))
      made.append(html("dt", {}, name), html("dd", {}, all.length > 1 ? `${text} (${numberText(runs)} runs)` : text));
    if (all.length > kMostSubjects)
      made.append(html("dt", {}, name), html("dd", {}, `and ${numberText(all.length - kMostSubjects)} others; every run below has its own`));
  }
  return made;
}

function navigation(sections: {id: string; short: string}[]): HTMLElement {
  const links = sections.map(({id, short}) => html("li", {}, html("a", {href: `#${id}`}, short)));
  return html("nav", {"aria-label": "Figures"}, html("ul", {}, ...links));
}

function seriesChoice(experiments: Experiments): HTMLElement {
  const made = html("fieldset", {class: "series"}, html("legend", {}, "Series shown"));
  for (const name of experiments.series) {
    const box = html("input", {type: "checkbox"});
    box.checked = true;
    box.addEventListener("change", () => experiments.show(name, box.checked));
    const swatch = html("span", {class: "swatch"});
    swatch.style.background = experiments.look(name).colour;
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
  const names = runNames(report);
  const experiments = new Experiments(report.experiments);
  const figures = figureSections(report, experiments);
  const sections = [...figures, ...linkSections(report, names)];
  if (report.timeline) sections.push(timelineSection(report.timeline));
  document.title = `${report.title} - ebb report`;
  const hasRuns = report.runs.length > 0; // a page about a timeline alone has none
  document.body.append(header(report), navigation(hasRuns ? [...sections, {id: "runs", short: "Runs"}] : sections));
  const main = html("main");
  if (experiments.series.length > 1) main.append(seriesChoice(experiments));
  main.append(...sections.map(({element}) => element));
  if (hasRuns) main.append(runsSection(report.runs, names));
  document.body.append(main);
  experiments.onChange(() => figures.forEach((figure) => figure.redraw()));
  return sections;
}

const sections = build(readReport());
redrawOnResize(sections);
void drawAll(sections);
