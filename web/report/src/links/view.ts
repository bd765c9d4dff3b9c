// SPDX-License-Identifier: Apache-2.0
// What the pictures of links show now: one run, one quantity, one moment. Both pictures follow it.
import type {Report, Series} from "../document";
import {type Choice, choice} from "../element";
import {LinkTimes, type Quantity, kQuantities} from "./link_times";

export class View {
  quantity: Quantity = "state";
  frame = 0;
  times: LinkTimes;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly report: Report) {
    this.times = firstOfInterest(report.series);
    this.frame = Math.floor(this.times.frames / 2);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  show(change: {run?: number; quantity?: Quantity; frame?: number}): void {
    if (change.run !== undefined) this.open(this.report.series.find((series) => series.run === change.run)!);
    if (change.quantity !== undefined) this.quantity = change.quantity;
    if (change.frame !== undefined) this.frame = Math.max(0, Math.min(this.times.frames - 1, change.frame));
    for (const listener of this.listeners) listener();
  }

  private open(series: Series): void {
    this.times = new LinkTimes(series);
    this.frame = Math.min(this.frame, this.times.frames - 1);
  }

  runChoice(runs: Choice[]): HTMLLabelElement {
    return this.linked(choice("Run", runs, String(this.times.run), (value) => this.show({run: Number(value)})), () => String(this.times.run));
  }

  quantityChoice(): HTMLLabelElement {
    return this.linked(choice("Colour", kQuantities, this.quantity, (value) => this.show({quantity: value as Quantity})), () => this.quantity);
  }

  // The same choice stands above both pictures.
  private linked(label: HTMLLabelElement, value: () => string): HTMLLabelElement {
    const select = label.querySelector("select")!;
    this.onChange(() => (select.value = value()));
    return label;
  }
}

// Links that never change say little.
function firstOfInterest(all: Series[]): LinkTimes {
  for (const series of all) {
    const times = new LinkTimes(series);
    if (times.swatches("state").length > 1) return times;
  }
  return new LinkTimes(all[0]!);
}
