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
const list = new EventList(story, chart.view, select);

/** @param {number} ms */
function select(ms) {
  chart.show(ms);
  list.follow(ms);
  showNow(story, ms);
  // So that an instant can be pointed at: the address carries it.
  history.replaceState(null, "", `#t=${(ms / 1_000).toFixed(3)}`);
}

/** The instant in the address; any other address means the instant that matters most. */
function follow() {
  const asked = /^#t=(\d+(?:\.\d+)?)$/.exec(location.hash)?.[1];
  select(asked === undefined ? story.firstMs : Math.min(story.untilMs, Number(asked) * 1_000));
}

addEventListener("hashchange", follow);
follow();
