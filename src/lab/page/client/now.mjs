// The instant at the cursor in words: who believes what, and what happened just before and after.

import { byId } from "./elements.mjs";
import { make, rowOf } from "./rows.mjs";
import { firstAt, inSeconds, statesAt } from "./search.mjs";

/** @import { PageData } from "../data.js" */

const aroundCount = 4;

/**
 * @param {PageData} data
 * @param {number} ms
 */
export function showNow(data, ms) {
  byId("now", HTMLElement).textContent = `At ${inSeconds(ms)}`;
  const states = statesAt(data, ms);
  const leaders = states.filter(({ leads }) => leads).length;
  const line = byId("leaders", HTMLElement);
  line.textContent = ["Nobody leads.", "One leads."][leaders] ?? `${leaders} lead at once!`;
  line.classList.toggle("bad", leaders > 1);
  const rows = states.map(({ name, words }) => {
    const row = make("li", "", ` ${words}`);
    row.prepend(make("b", "", name));
    return row;
  });
  byId("states", HTMLElement).replaceChildren(...rows);
  const from = firstAt(data.events, ms);
  const around = data.events.slice(Math.max(0, from - aroundCount), from + aroundCount + 1).map((event) => {
    const apart = event[0] - ms;
    const row = rowOf(
      data,
      event,
      apart === 0 ? "now" : `${apart > 0 ? "+" : "−"}${inSeconds(Math.abs(apart))}`,
    );
    if (apart === 0) row.className = "here";
    return row;
  });
  byId("around", HTMLElement).replaceChildren(...around);
}
