// SPDX-License-Identifier: Apache-2.0
// A browser for the tests, and everything that a page did which it must not.
import {chromium} from "playwright-core";

const kProgram = process.env.EBB_CHROMIUM;
const kFlags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// Playwright gives every browser a new profile folder.
export function startBrowser() {
  return chromium.launch({executablePath: kProgram, args: kFlags});
}

// Opens a report from its file and waits until all is drawn.
export async function openReport(browser, path, options = {}) {
  const page = await browser.newPage({viewport: {width: 1200, height: 900}, ...options});
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${path}`);
  await page.waitForSelector("html[data-ready-ms]", {timeout: 20_000});
  return {page, wrong};
}

// The document that the page shows.
export function documentOf(page) {
  return page.evaluate(() => JSON.parse(document.getElementById("document").textContent));
}

// The marks of a figure that are not its legend. Dots without a filling are rings and crosses on others.
export function marks(page, figure, name, elements) {
  const filled = name === "dot" ? ':not([fill="none"])' : "";
  return page.locator(`#${figure} svg.picture > svg:not(.legend) g[aria-label="${name}"]${filled} > ${elements}`);
}

export function rings(page, figure) {
  return page.locator(`#${figure} svg.picture > svg:not(.legend) g[aria-label="dot"][fill="none"] > *`);
}
