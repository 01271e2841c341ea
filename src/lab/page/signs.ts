/** Every sign of the time line: its picture, and the one line that explains it. Shape and colour both differ. */

import type { Sign } from "../sentence.js";
import { html, type Markup } from "./markup.js";

/** What the list can hide, in the order of its boxes. `shown` before the reader chooses. */
export const groups: readonly {
  readonly name: string;
  readonly signs: readonly Sign[];
  readonly shown: boolean;
}[] = [
  { name: "broken", signs: ["broken", "slipped"], shown: true },
  { name: "faults", signs: ["fault", "span", "asked", "process"], shown: true },
  {
    name: "leading",
    signs: ["elected", "uncertain", "confirmed", "lost", "lapsed", "released", "belief"],
    shown: true,
  },
  { name: "claims and refusals", signs: ["claimed", "refused", "guard"], shown: true },
  { name: "writes", signs: ["applied"], shown: true },
  { name: "renewals", signs: ["renewed"], shown: false },
  { name: "checks", signs: ["checked", "observed"], shown: false },
  { name: "calls and store", signs: ["call", "store"], shown: false },
];

const circle = html`<circle r="2.5"/>`;

/** Within 16 by 16 around 0. Colours come from the style. */
const pictures: Readonly<Record<Sign, Markup>> = {
  elected: html`<path d="M0-6 6 5H-6z"/>`,
  renewed: html`<path d="M-1-5h2v10h-2z"/>`,
  uncertain: html`<path class="open" d="M-3.5-3C-3-7 4-6.5 3-2.5 2.5-.5 0-.5 0 2"/><circle cy="5" r="1.3"/>`,
  confirmed: html`<path class="open" d="M-5 0l3.5 4L5-4"/>`,
  lost: html`<path d="M-4.5-4.500h9v9h-9z"/>`,
  lapsed: html`<path class="open" d="M-4-6h8M-4 6h8M-3-6l6 12M3-6l-6 12"/>`,
  released: html`<path class="open" d="M-4-4h8v8h-8z"/>`,
  checked: html`<path class="open" d="M-3 0l2 2.500L3-3"/>`,
  observed: html`<path class="open" d="M-6 0Q0-6 6 0 0 6-6 0z"/><circle r="1.5"/>`,
  claimed: html`<path d="M0-6 6 0 0 6-6 0z"/>`,
  applied: html`<circle r="4"/>`,
  slipped: html`<circle r="6.5"/><path class="inner" d="M-1-4h2l-.4 5h-1.200zM-1 2.500h2v2h-2z"/>`,
  refused: html`<circle class="open" r="5.5"/><path class="open" d="M-2.5-2.500l5 5m0-5l-5 5"/>`,
  span: html`<path class="open" d="M-6-4v8M6-4v8M-6 0H6"/>`,
  asked: html`<path class="open" d="M-5-5h10v7h-5l-3 4v-4h-2z"/>`,
  process: html`<path class="open" d="M-3-3h6v6h-6z"/>`,
  belief: circle,
  guard: circle,
  call: circle,
  store: html`<path class="open" d="M-4-3v6c0 3 8 3 8 0v-6c0 3-8 3-8 0s8-3 8 0"/>`,
  fault: html`<path d="M1-7-5 1h4l-2 6 7-9H0l3-5z"/>`,
  broken: html`<path d="M-7 0-3-7H3L7 0 3 7H-3z"/><path class="inner" d="M-1-4.500h2l-.4 5h-1.200zM-1 2h2v2h-2z"/>`,
};

export function signDefinitions(): Markup {
  const signs = Object.entries(pictures).map(([sign, picture]) => html`<g id="s-${sign}">${picture}</g>`);
  const hatches = ["doubt", "down", "stopped", "suspended", "blocked", "cut", "stalled"].map(hatch);
  return html`<svg class="definitions" width="0" height="0" aria-hidden="true"><defs>${signs}${hatches}</defs></svg>`;
}

const lines: Readonly<Record<string, string>> = {
  doubt: "M-2 8 8-2M3 13 13 3",
  down: "M0 0l10 10M10 0 0 10",
  stopped: "M2 0v10M6 0v10",
  suspended: "M2 0v10",
  blocked: "M0 2h10M0 7h10",
  cut: "M0 5h5",
  stalled: "M0 2h6M4 7h6",
};

function hatch(kind: string): Markup {
  return html`<pattern id="h-${kind}" width="10" height="10" patternUnits="userSpaceOnUse"><path class="hatch ${kind}" d="${lines[kind] ?? ""}"/></pattern>`;
}

function sample(sign: Sign, colour = "c0"): Markup {
  return html`<svg class="sign mark ${sign} ${colour}" viewBox="-8 -8 16 16" aria-hidden="true"><use href="#s-${sign}"/></svg>`;
}

function box(content: Markup): Markup {
  return html`<svg class="box" viewBox="0 0 44 20" aria-hidden="true">${content}</svg>`;
}

function spanSample(kind: string): Markup {
  return box(
    html`<rect class="harm ${kind}" width="44" height="20"/><rect class="harm-hatch ${kind}" width="44" height="20" fill="url(#h-${kind})"/>`,
  );
}

/** One line a sign. */
export function legend(): Markup {
  const rows: readonly (readonly [Markup, string])[] = [
    [
      box(html`<rect class="bar c0" width="44" height="20" rx="3"/>`),
      "Belief: the node may act as the leader. Each node has its own colour.",
    ],
    [
      box(
        html`<rect class="bar c0" width="44" height="20" rx="3"/><path class="extension" d="M12 14v6M24 14v6M36 14v6"/>`,
      ),
      "A renewal was confirmed: the deadline moves on. Shown where there is room.",
    ],
    [
      box(
        html`<rect class="bar c0" width="44" height="20" rx="3"/><rect class="doubt" width="44" height="20" fill="url(#h-doubt)"/>`,
      ),
      "In doubt: renewals are not confirmed, or nothing was heard any more. It counts as belief until the deadline.",
    ],
    [
      box(html`<rect class="drain c0" y="7" width="44" height="6"/>`),
      "It leads no more, and its work has not settled yet.",
    ],
    [
      box(html`<path class="promise" d="M2 10H42M42 5v10"/>`),
      "At the cursor: the deadline, as the leader knew it at that instant.",
    ],
    [
      box(html`<rect class="overlap" width="44" height="20"/>`),
      "Two believe at once, across the rows of both.",
    ],
    [sample("elected"), "Begins to lead."],
    [sample("uncertain"), "A renewal was not confirmed."],
    [sample("confirmed"), "A later one was."],
    [sample("lost"), "Leads no more."],
    [sample("lapsed"), "Its deadline passes, and nothing was heard of it: it may be dead or stand still."],
    [sample("released"), "Gave the lease back, or leaves it to expire."],
    [sample("checked"), "check() passed: the work may take its next step."],
    [sample("observed"), "An observer sees who leads."],
    [
      sample("claimed"),
      "The resource is claimed: a line shows the watermark, below which it applies nothing.",
    ],
    [sample("applied"), "A write was applied, in the colour of its node."],
    [
      box(html`<path class="column applied c0" d="M4 20v-7h8v7M16 20v-14h8v14M28 20v-10h8v10"/>`),
      "Many together: the higher, the more.",
    ],
    [sample("refused"), "A write was refused. The list says why."],
    [sample("slipped"), "A write was applied below the watermark: the fence failed."],
    [sample("fault"), "The world does harm."],
    [sample("asked"), "From here on one leader is demanded within a bound."],
    [sample("process"), "A process starts or ends."],
    [sample("call"), "A call to the store, or its answer."],
    [sample("store"), "What the store did or holds."],
    [sample("broken"), "A promise is broken here."],
    [spanSample("down"), "Down: the process does not exist."],
    [spanSample("stopped"), "Stopped: the process stands still and does not know it."],
    [spanSample("suspended"), "Suspended: its machine sleeps."],
    [spanSample("blocked"), "Blocked: its event loop does not turn."],
    [spanSample("cut"), "Cut off: its calls do not arrive."],
    [spanSample("stalled"), "Stalled: it does not answer."],
  ];
  return html`<ul class="legend">${rows.map(([picture, text]) => html`<li>${picture}<span>${text}</span></li>`)}</ul>`;
}
