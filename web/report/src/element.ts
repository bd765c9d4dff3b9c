// SPDX-License-Identifier: Apache-2.0
// Elements in one expression. Text is always text: nothing of the document is read as HTML.

type Child = Node | string;

export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Record<string, string | number> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

export function button(label: string, description: string, action: () => void): HTMLButtonElement {
  const made = html("button", {type: "button", title: description}, label);
  made.addEventListener("click", action);
  return made;
}

export interface Choice {
  value: string;
  label: string;
}

// A label with a drop-down; `onChange` gets the value.
export function choice(
  label: string,
  choices: Choice[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLLabelElement {
  const select = html("select");
  for (const {value, label: text} of choices) {
    const option = html("option", {value}, text);
    option.selected = value === chosen;
    select.append(option);
  }
  select.addEventListener("change", () => onChange(select.value));
  return html("label", {}, label + " ", select);
}
