// SPDX-License-Identifier: Apache-2.0
// The section with the timeline: the canvas, the wheel, keys and mouse that move it, and what is
// said of the place under the mouse.
import type {TimelineDocument} from "../document";
import {button, html} from "../element";
import {numberText, timeText} from "../number";
import type {Section} from "../section";
import {Colours, draw} from "./drawing";
import {type Slice, Tracks} from "./tracks";
import {TimelineView, kLabels} from "./view";

const kHeight = 520;
const kZoom = 1.5; // of a key
const kPan = 80; // pixels
const kRows = 54;

const kHelp =
  "Click it, then zoom with the wheel or w and s, pan with a and d, the arrows or by dragging; 0 shows all. A click on the name of a group opens or closes it; a slice with an arrow to another shows it.";

const time = (nanoseconds: number) => (nanoseconds === 0 ? "0" : timeText(Math.round(nanoseconds * 1000)));

export function timelineSection(document: TimelineDocument): Section {
  const viewer = new Viewer(document);
  return {id: "timeline", short: "Timeline", element: viewer.element, redraw: () => viewer.redraw()};
}

class Viewer {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly tip = html("div", {class: "tip", hidden: ""});
  private readonly spanText = html("output", {"aria-live": "polite"});
  private readonly view: TimelineView;
  private readonly colours: Colours;
  private chosen: Slice | undefined;
  private dragged: {x: number; y: number; moved: boolean} | undefined;

  constructor(document: TimelineDocument) {
    this.view = new TimelineView(new Tracks(document));
    this.colours = new Colours(this.view);
    this.canvas = html("canvas", {tabindex: "0", role: "img", "aria-label": `Timeline of ${document.source}`});
    this.canvas.style.height = `${kHeight}px`;
    const search = html("input", {type: "search", placeholder: "Tracks whose name contains", "aria-label": "Tracks whose name contains"});
    search.addEventListener("input", () => this.change(() => this.view.search(search.value)));
    this.element = html("section", {id: "timeline", "aria-labelledby": "timeline-title"},
      html("h2", {id: "timeline-title"}, "Timeline"),
      html("p", {class: "note"}, noteOf(document)),
      html("p", {class: "note"}, kHelp),
      html("div", {class: "controls"}, search,
        button("Closer", "Show less time", () => this.change(() => this.view.zoom(kZoom))),
        button("Farther", "Show more time", () => this.change(() => this.view.zoom(1 / kZoom))),
        button("All", "Show all of the time", () => this.change(() => this.view.showAll())),
        this.spanText),
      html("div", {class: "timeline"}, this.canvas, this.tip));
    this.listen();
  }

  redraw(): void {
    this.view.resize(this.canvas.clientWidth, kHeight);
    draw(this.canvas, this.view, this.colours, this.chosen);
    this.spanText.textContent = `${time(this.view.from)} to ${time(this.view.to)} of ${time(this.view.tracks.end)}`;
  }

  private change(what: () => void): void {
    what();
    this.redraw();
  }

  private listen(): void {
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  // A reader who only scrolls past is not held up: the wheel is ours once the canvas was clicked.
  private wheel(event: WheelEvent): void {
    if (document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.change(() => {
      if (event.shiftKey) this.view.scroll(event.deltaY + event.deltaX);
      else if (event.deltaX !== 0) this.view.pan(event.deltaX);
      else this.view.zoom(kZoom ** (-event.deltaY / 100), event.offsetX);
    });
  }

  private key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      w: () => this.view.zoom(kZoom),
      "+": () => this.view.zoom(kZoom),
      s: () => this.view.zoom(1 / kZoom),
      "-": () => this.view.zoom(1 / kZoom),
      a: () => this.view.pan(-kPan),
      ArrowLeft: () => this.view.pan(-kPan),
      d: () => this.view.pan(kPan),
      ArrowRight: () => this.view.pan(kPan),
      ArrowUp: () => this.view.scroll(-kRows),
      ArrowDown: () => this.view.scroll(kRows),
      "0": () => this.view.showAll(),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.change(action);
  }

  private press(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.dragged = {x: event.offsetX, y: event.offsetY, moved: false};
  }

  private move(event: PointerEvent): void {
    const {offsetX: x, offsetY: y} = event;
    if (this.dragged) {
      const {x: from, y: above} = this.dragged;
      if (!this.dragged.moved && Math.hypot(x - from, y - above) < 4) return;
      this.dragged = {x, y, moved: true};
      this.change(() => {
        this.view.pan(from - x);
        this.view.scroll(above - y);
      });
    } else {
      this.point(x, y);
    }
  }

  private release({offsetX: x, offsetY: y}: PointerEvent): void {
    const clicked = this.dragged && !this.dragged.moved;
    this.dragged = undefined;
    const row = this.view.rowAt(y);
    if (clicked && row && !row.track && x < kLabels) this.change(() => this.view.toggle(row.group));
  }

  // Says what is under the mouse, and shows the arrow of a message.
  private point(x: number, y: number): void {
    const slice = this.view.sliceAt(x, y);
    const lines = slice ? sliceLines(slice, this.view) : counterLines(this.view, x, y);
    this.tip.hidden = lines.length === 0;
    this.tip.replaceChildren(...lines.map((line) => html("div", {}, line)));
    const left = Math.min(x + 14, this.view.width - this.tip.offsetWidth - 4);
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${Math.min(y + 14, kHeight - this.tip.offsetHeight - 4)}px`;
    if (slice?.flow === this.chosen?.flow) return;
    this.chosen = slice;
    this.redraw();
  }
}

function sliceLines(slice: Slice, view: TimelineView): string[] {
  const partner = view.tracks.partner(slice);
  const lines = [`${slice.track.name}: ${slice.name}`, `${time(slice.begin)} to ${time(slice.end)}: ${time(slice.end - slice.begin)}`];
  if (partner) lines.push(`${partner.begin < slice.begin ? "from" : "to"} ${partner.track.name}`);
  return lines;
}

function counterLines(view: TimelineView, x: number, y: number): string[] {
  const track = x < kLabels ? undefined : view.rowAt(y)?.track;
  const value = track?.unit ? track.value(view.time(x)) : undefined;
  return track && value !== undefined ? [`${track.name}: ${numberText(value)} ${track.unit}`, `at ${time(view.time(x))}`] : [];
}

function noteOf(document: TimelineDocument): string {
  const shown = document.shown_until_ns === null ? `All ${numberText(document.events)} events of ${document.source}.` :
    `Of ${document.source}, what begins within the first ${time(document.shown_until_ns)}: ${numberText(document.events_shown)} of ${numberText(document.events)} events, as many as this page holds.`;
  const began = document.began_unix_ns === null ? "" : ` It begins at ${new Date(document.began_unix_ns / 1e6).toISOString()}.`;
  return shown + began;
}
