// SPDX-License-Identifier: Apache-2.0
// Results files made by real sweeps of the program under test.
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

export const kEbb = process.env.EBB;
const kFiles = process.env.EBB_REPORT_FILES;
export const kExamples = join(kFiles, "../../examples");

export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "ebb-report-"));
  return {path, remove: () => rmSync(path, {recursive: true, force: true})};
}

// Runs a sweep file of tests/report and writes its report; gives the path of the page.
export function sweepReport(folder, name) {
  const results = join(folder, `${name}.db`);
  const page = join(folder, `${name}.html`);
  execFileSync(kEbb, ["sweep", join(kFiles, `${name}.yaml`), "--results", results], {stdio: "pipe"});
  execFileSync(kEbb, ["report", results, "-o", page], {stdio: "pipe"});
  return page;
}
