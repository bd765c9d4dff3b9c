// SPDX-License-Identifier: Apache-2.0
// The pictures of docs/report.md. With EBB_CHROMIUM set, in a folder with the packages installed:
//   ebb sweep examples/sweep-policies.yaml --results policies.db
//   ebb report policies.db -o policies.html --title "Policies on a flattened butterfly"
//   node pictures.mjs /path/to/policies.html docs/pictures
import {join} from "node:path";
import {openReport, startBrowser} from "./tests/browser.mjs";

const kRun = ["target: 50%", "independent", "load=20%"]; // words of the run whose links are shown

async function showRun(page) {
  const choice = page.locator("#topology select").first();
  const runs = await choice.locator("option").evaluateAll((all) => all.map(({value, textContent}) => [value, textContent]));
  const run = runs.find(([, text]) => kRun.every((word) => text.includes(word)));
  await choice.selectOption(run[0]);
}

async function take(browser, name, {height, colorScheme = "light", section}) {
  const {page} = await openReport(browser, report, {viewport: {width: 1100, height}, colorScheme});
  await showRun(page);
  if (section) await page.locator(section).evaluate((element) => element.scrollIntoView());
  else await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({path: join(folder, `report-${name}.png`)});
  await page.close();
}

const [report, folder] = process.argv.slice(2);
const browser = await startBrowser();
await take(browser, "power", {height: 783});
await take(browser, "topology", {height: 988, section: "#topology"});
await take(browser, "links", {height: 830, section: "#links"});
await take(browser, "dark", {height: 728, colorScheme: "dark", section: "#state-time"});
await browser.close();
