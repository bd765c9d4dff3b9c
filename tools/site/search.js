// SPDX-License-Identifier: Apache-2.0
// How the search of a page that was opened from a folder comes to its index and its worker, neither of which it may fetch: the worker is a
// text, kSearchWorker, that tools/build_site writes above, and the index is a script, loaded when the reader begins to search.
var __search = {
  worker: URL.createObjectURL(new Blob([kSearchWorker], {type: "text/javascript"})),
  transform: (query) => query.replace(/["*:^~+\-_./]/g, " ").trim().split(/\s+/).map(required).join(" "),
  index: new Promise((resolve) => {
    const place = document.currentScript.src.replace(/search\.js.*$/, "search_index.js");
    let begun = false;
    const load = () => {
      if (begun) return;
      begun = true;
      const script = document.createElement("script");
      script.src = place;
      script.onload = () => resolve(kSearchIndex);
      document.head.append(script);
    };
    if (/[?&][qh]=/.test(location.search)) load();  // a page that a result led to marks the words
    document.addEventListener("focusin", (event) => {
      if (event.target.matches('[data-md-component="search-query"]')) load();
    });
  }),
};

// Every word must be found, as a reader who types `wake time` expects, but for those that are not in the index. The index has the words of
// names such as `max_coalescing_delay` and `--threads`.
function required(word) {
  const kNotIndexed = `a about after all also am an and any are as at be been but by can could did do does every for from get had has have
    how if in into is it its just let like may me might most must my no not of off often on only or other our own say should since so some
    than that the their them then there these they this to too us was we were what when where which while who why will with would yet you
    your`.split(/\s+/);
  return kNotIndexed.includes(word.toLowerCase()) ? word : `+${word}`;
}
