/**
 * One run as one HTML file: a time line to move in, the instant in words, the list of events, the story as text.
 *
 * It needs nothing else: no network, no font, no second file. Its policy allows the one script and the one style, by
 * their hashes, and nothing that a history could smuggle in. Same story, same bytes.
 */

import { createHash } from "node:crypto";
import type { RunStory } from "../timeline.js";
import { tell } from "../told.js";
import { renderTranscript } from "../transcript.js";
import { headline, sums } from "../verdict-words.js";
import { seconds } from "../words.js";
import { clientScript, pageStyle } from "./bundle.js";
import { type Lane, pageData } from "./data.js";
import { html, json, type Markup } from "./markup.js";
import { groups, legend, signDefinitions } from "./signs.js";

export function renderPage(story: RunStory): string {
  const run = tell(story);
  const data = pageData(story, run);
  const [script, style] = [clientScript(), pageStyle()];
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${story.title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
${signDefinitions()}
<div class="top">${heading(story, sums(run.told))}${howToRead}</div>
<main>
<noscript><p class="notice">The time line needs a browser that runs scripts. The story as text stands below.</p></noscript>
${timeLine}
${instant}
${events(data.lanes)}
<section><h2>Signs</h2>${legend()}</section>
<section><details><summary><h2>The story as text</h2></summary><pre class="transcript">${renderTranscript(story)}</pre></details></section>
</main>
<footer><h2>See it again</h2><pre>${story.again}</pre></footer>
<script type="application/json" id="story">${json(data)}</script>
<script type="module">${{ markup: script }}</script>
</body>
</html>
`;
  return page.markup;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function heading({ title, facts, verdict, untilMs }: RunStory, sum: string): Markup {
  const held = verdict.broken.length === 0;
  const admitted =
    verdict.admitted.length === 0
      ? []
      : [html`<h3>Went wrong where no promise was made</h3>${items(verdict.admitted)}`];
  return html`<header>
<p class="kicker">Tenure lab: one simulated run of ${seconds(untilMs)}</p>
<h1>${title}</h1>
<div class="verdict ${held ? "held" : "broken"}" role="status">
<p class="headline"><span aria-hidden="true">${held ? "✓" : "✕"}</span> ${headline(verdict)}</p>
${held ? [] : [items(verdict.broken), html`<p><a href="#time">Show it on the time line</a></p>`]}
<p>${sum}.</p>
${admitted}
</div>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>`;
}

function items(texts: readonly string[]): Markup {
  return html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
}

const howToRead = html`<section class="how"><h2>How to read this page</h2>
<ol>
<li>Time runs from left to right, and each row is one party: nodes that may lead, the store they ask, the resource the leader writes to.</li>
<li>A bar says that a node believes it leads; it ends at its deadline unless a renewal moves the deadline.</li>
<li>At no instant may two bars stand, and where they do a red band says for how long.</li>
<li>A node that stood still may write too late; the resource refuses that, because a higher token has claimed it.</li>
<li>Click into the time line to see what everyone believed at that instant.</li>
</ol></section>`;

const timeLine = html`<section id="time"><h2>Time line</h2>
<div class="tools" role="toolbar" aria-label="Move the time line">
<button type="button" data-key="-" aria-label="Show more time">−</button>
<button type="button" data-key="+" aria-label="Show less time">+</button>
<button type="button" data-key="Shift ArrowLeft" aria-label="Earlier">◀</button>
<button type="button" data-key="Shift ArrowRight" aria-label="Later">▶</button>
<button type="button" data-key="0">Whole run</button>
<span class="gap"></span>
<button type="button" data-key="ArrowLeft">‹ Previous event</button>
<button type="button" data-key="ArrowRight">Next event ›</button>
<output id="range"></output>
</div>
<svg id="overview" class="overview" height="40" aria-hidden="true"></svg>
<svg id="chart" class="chart" tabindex="0" role="group" aria-label="Time line. Left and right: previous and next event of the list. Shift with them: move. Plus and minus: zoom. 0: whole run.">
<g id="chart-body"></g><g id="chart-cursor"></g>
</svg>
<p class="hint">Drag to move. Pinch, or Ctrl and wheel, to zoom; after a click the wheel alone. Keys: ← → previous and next event, Shift ← → move, + − zoom, 0 whole run.</p>
</section>`;

const instant = html`<section class="instant"><h2 id="now">At</h2>
<div class="two"><div aria-live="polite"><p id="leaders" class="leaders"></p><ul id="states" class="states"></ul></div>
<div><h3>Around it</h3><ol id="around" class="rows around"></ol></div></div>
</section>`;

function events(lanes: readonly Lane[]): Markup {
  return html`<section class="list"><h2>Events</h2>
<div id="filters" class="filters">
<label>Words <input type="search" id="filter-text" placeholder="token 7" autocomplete="off"></label>
<label>Who <select id="filter-lane"><option value="-1">everyone</option>${lanes.map(({ name }, index) => html`<option value="${index}">${name}</option>`)}</select></label>
<fieldset id="filter-kinds"><legend>Kinds</legend>${groups.map(
    ({ name, signs, shown }) =>
      html`<label><input type="checkbox" value="${signs.join(" ")}" ${{ markup: shown ? "checked" : "" }} autocomplete="off">${name}</label>`,
  )}</fieldset>
<label><input type="checkbox" id="filter-view" autocomplete="off">only what the time line shows</label>
</div>
<p class="pages"><output id="count"></output> <button type="button" id="earlier">Earlier</button> <button type="button" id="later">Later</button></p>
<ol id="events" class="rows" role="listbox" tabindex="0" aria-label="Events"></ol>
</section>`;
}
