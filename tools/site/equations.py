# SPDX-License-Identifier: Apache-2.0
"""Equations: blocks of TeX, marked `math` as GitHub has them, typeset by KaTeX when the site is built. Readers need no script, and an
equation that KaTeX does not understand ends the build."""
import base64
import json
import pathlib
import re
import subprocess

KATEX = pathlib.Path("/usr/share/javascript/katex")
FONTS = pathlib.Path("/usr/share/fonts/truetype/katex")
BLOCK = re.compile(r"^```math\n(.*?)\n```$", re.M | re.S)
SCRIPT = """
const katex = require(process.argv[1]);
const answers = JSON.parse(require("fs").readFileSync(0, "utf8")).map((text) => {
  try { return {html: katex.renderToString(text, {displayMode: true, strict: "error"})}; }
  catch (error) { return {error: error.message}; }
});
console.log(JSON.stringify(answers));
"""


class Equations:
    """The equations of all pages below a folder. Each leaves an empty element in its page, which is filled when the pages are HTML, so that
    the search has no index of TeX."""

    def __init__(self, folder):
        pages = {page: BLOCK.findall(page.read_text()) for page in sorted(folder.rglob("*.md"))}
        texts = [(page, text) for page, found in pages.items() for text in found]
        done = subprocess.run(["node", "-e", SCRIPT, str(KATEX / "katex.js")], input=json.dumps([text for _, text in texts]),
                              capture_output=True, text=True, check=True)
        answers = json.loads(done.stdout)
        errors = [f"{page.relative_to(folder)}: error: {answer['error']} in\n{text}"
                  for (page, text), answer in zip(texts, answers) if "error" in answer]
        if errors:
            raise SystemExit("\n".join(errors))
        self.html = [answer["html"] for answer in answers]
        numbers = iter(range(len(self.html)))
        for page, found in pages.items():
            if found:
                page.write_text(BLOCK.sub(lambda _: f'<div class="equation" id="equation-{next(numbers)}"></div>', page.read_text()))

    def put_into(self, site):
        for page in sorted(site.rglob("*.html")):
            text = page.read_text()
            if 'id="equation-' in text:
                page.write_text(re.sub(r'id="equation-(\d+)">', lambda match: f">{self.html[int(match[1])]}", text))


def style():
    """KaTeX's style with its fonts inside: browsers refuse fonts of other files to a page that was opened from a folder."""
    def inside(match):
        font = base64.b64encode((FONTS / match[1]).read_bytes()).decode()
        return f"src:url(data:font/woff2;base64,{font}) format('woff2')"
    return re.sub(r"src:url\(fonts/([\w-]+\.woff2)\)[^;}]*", inside, (KATEX / "katex.min.css").read_text())
