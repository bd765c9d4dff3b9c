// SPDX-License-Identifier: Apache-2.0
// Every run with all that is known of it; what is behind a run is made when someone opens it.
import type {Run} from "./document";
import {html} from "./element";
import {numberText} from "./number";

export function runsSection(runs: Run[], names: string[]): HTMLElement {
  const list = html("div", {class: "runs"});
  const rows = runs.map((run, i) => ({element: runElement(run, names[i]!), words: wordsOf(run, names[i]!)}));
  for (const {element} of rows) list.append(element);
  const count = html("output", {}, `${numberText(runs.length)} runs`);
  const filter = html("input", {type: "search", placeholder: "words of label, parameters, key, status", size: "36"});
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    let shown = 0;
    for (const {element, words} of rows) {
      element.hidden = !wanted.every((word) => words.includes(word));
      if (!element.hidden) ++shown;
    }
    count.textContent = `${numberText(shown)} of ${numberText(runs.length)} runs`;
  });
  return html("section", {id: "runs", "aria-labelledby": "runs-title"},
    html("h2", {id: "runs-title"}, "Runs"),
    html("p", {class: "note"}, "Everything that decides a run and everything that was measured. The key is the same for the same configuration, version and seed."),
    html("div", {class: "controls"}, html("label", {}, "Show ", filter), count),
    list);
}

function wordsOf(run: Run, name: string): string {
  return [name, run.label, run.key, run.status, run.error].join(" ").toLowerCase();
}

function runElement(run: Run, name: string): HTMLDetailsElement {
  const summary = html("summary", {},
    html("code", {}, run.key.slice(0, 10)),
    html("span", {class: "run-name"}, name),
    html("span", {class: `status ${run.status}`}, run.status));
  const made = html("details", {class: "run"}, summary);
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) made.append(runDetails(run, name));
  });
  return made;
}

function runDetails(run: Run, name: string): HTMLElement {
  const facts = html("dl", {},
    html("dt", {}, "key"), html("dd", {}, html("code", {}, run.key)),
    html("dt", {}, "ebb"), html("dd", {}, run.version),
    html("dt", {}, "seed"), html("dd", {}, String(run.seed)));
  for (const [key, value] of Object.entries(run.parameters))
    facts.append(html("dt", {}, key), html("dd", {}, value));
  if (run.error) facts.append(html("dt", {}, "error"), html("dd", {class: "error"}, run.error));
  return html("div", {class: "run-details"}, facts, metricsTable(run, name),
    html("h3", {}, "Configuration"), html("pre", {tabindex: "0"}, run.configuration));
}

function metricsTable(run: Run, name: string): HTMLElement {
  const body = html("tbody");
  for (const {name, unit, value} of run.metrics) {
    body.append(html("tr", {},
      html("td", {class: "text"}, name),
      html("td", {class: "number"}, numberText(value)),
      html("td", {class: "text"}, unit === "1" ? "" : unit)));
  }
  const head = html("tr", {},
    html("th", {scope: "col", class: "text"}, "metric"),
    html("th", {scope: "col", class: "number"}, "value"),
    html("th", {scope: "col", class: "text"}, "unit"));
  return html("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": `Metrics of ${name}`},
    html("table", {class: "metrics"}, html("thead", {}, head), body));
}
