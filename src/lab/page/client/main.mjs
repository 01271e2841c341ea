// Starts the page: one cursor, shared by time line, list and words.

import { Chart } from "./chart.mjs";
import { byId } from "./elements.mjs";
import { EventList } from "./list.mjs";
import { showNow } from "./now.mjs";

/** @import { PageData } from "../data.js" */

const story = /** @type {PageData} */ (JSON.parse(byId("story", HTMLScriptElement).text));
const chart = new Chart(story, {
  onView: (view) => list.see(view),
  onCursor: select,
  onStep: (by) => list.step(by),
});
const run = { data: story, colours: chart.layout.rows.map(({ colour }) => colour) };
const list = new EventList(run, chart.view, select);

/** @param {number} ms */
function select(ms) {
  chart.show(ms);
  list.follow(ms);
  showNow(run, ms);
  // So that an instant can be pointed at: the address carries it.
  history.replaceState(null, "", `#t=${(ms / 1_000).toFixed(3)}`);
}

/** The instant in the address, else the first thing that went wrong, else the first leader. */
function firstInstant() {
  const asked = /^#t=(\d+(?:\.\d+)?)$/.exec(location.hash)?.[1];
  if (asked !== undefined) return Math.min(story.untilMs, Number(asked) * 1_000);
  const first = ["broken", "slipped", "refused", "elected"].flatMap((sign) => {
    return story.events.find(([, , number]) => story.signs[number] === sign)?.[0] ?? [];
  });
  return story.overlaps[0]?.fromMs ?? first[0] ?? 0;
}

select(firstInstant());
for (const link of document.querySelectorAll("[data-go]")) {
  link.addEventListener("click", () => select(Number(link.getAttribute("data-go"))));
}
