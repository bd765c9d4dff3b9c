// SPDX-License-Identifier: Apache-2.0
// The series of the report: which exist, how each looks in every plot, which are shown.
import {type Look, lookOf} from "./palette";

export class Selection {
  private readonly looks = new Map<string, Look>();
  private readonly hidden = new Set<string>();
  private readonly listeners: (() => void)[] = [];

  constructor(names: string[]) {
    names.forEach((name, i) => this.looks.set(name, lookOf(i)));
  }

  get names(): string[] {
    return [...this.looks.keys()];
  }

  look(name: string): Look {
    return this.looks.get(name) ?? lookOf(0);
  }

  shows(name: string): boolean {
    return !this.hidden.has(name);
  }

  show(name: string, shown: boolean): void {
    if (shown) this.hidden.delete(name);
    else this.hidden.add(name);
    for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
}
