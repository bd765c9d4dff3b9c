// SPDX-License-Identifier: Apache-2.0
// The drawing with its time slider.
import type {Report} from "../document";
import {type Choice, button, html} from "../element";
import type {Content} from "../section";
import {drawNetwork} from "./drawing";
import type {View} from "./view";

const kStep = 150; // milliseconds between frames while playing

export function topologyContent(report: Report, view: View, runs: Choice[], redraw: () => void): Content {
  const drawingOf = (run: number) => report.drawings.find((drawing) => drawing.runs.includes(run));
  view.onChange(redraw);
  return {
    id: "topology",
    short: "Topology",
    title: "Topology",
    note: "One line per direction of a link, traffic keeping to the right. Hosts are folded into their switch, which shows the mean of its hosts' channels, or their most common state.",
    controls: [view.runChoice(runs), view.quantityChoice(), ...timeControls(view)],
    draw: (width) => {
      const drawing = drawingOf(view.times.run);
      if (drawing) {
        const picture = drawNetwork(drawing, view, width);
        return {picture, remark: picture.getAttribute("aria-label") ?? ""};
      }
      const empty = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      return {picture: empty, remark: "The network of this run is not drawn: it has more switches than a drawing can show."};
    },
    table: () => view.times.tableOf([view.frame]),
  };
}

function timeControls(view: View): HTMLElement[] {
  const slider = html("input", {type: "range", min: "0", step: "1", id: "moment"});
  const shown = html("output", {for: "moment"});
  const player = new Player(view);
  const follow = () => {
    slider.max = String(view.times.frames - 1);
    slider.value = String(view.frame);
    slider.setAttribute("aria-valuetext", view.times.describe(view.frame));
    shown.textContent = view.times.describe(view.frame);
  };
  slider.addEventListener("input", () => view.show({frame: Number(slider.value)}));
  view.onChange(follow);
  follow();
  return [html("label", {class: "time"}, "Time ", slider), shown, player.button];
}

class Player {
  readonly button: HTMLButtonElement;
  private timer: number | undefined;

  constructor(private readonly view: View) {
    this.button = button("Play", "Let the time run", () => (this.timer === undefined ? this.play() : this.stop()));
  }

  private play(): void {
    if (this.view.frame === this.view.times.frames - 1) this.view.show({frame: 0});
    this.button.textContent = "Stop";
    this.timer = window.setInterval(() => this.step(), kStep);
  }

  private stop(): void {
    window.clearInterval(this.timer);
    this.timer = undefined;
    this.button.textContent = "Play";
  }

  private step(): void {
    this.view.show({frame: this.view.frame + 1});
    if (this.view.frame === this.view.times.frames - 1) this.stop();
  }
}
