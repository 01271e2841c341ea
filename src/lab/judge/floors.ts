/**
 * How often each thing has to happen per hundred seeds, at least: a lab in which it does not proves nothing about it.
 *
 * What happens all the time has a floor that shows when it becomes rare; everything else has to happen once.
 * What is rarer than that has a floor below one, which asks for something from enough seeds on.
 */

import type { Counts } from "./power.js";

const often: Counts = {
  terms: 100,
  takeovers: 30,
  successions: 20,
  extended: 500,
  "uncertain-recovered": 10,
  "lost-late": 5,
  "adopted-renewals": 5,
  requests: 10,
  bids: 5,
  offers: 5,
  checked: 500,
  observed: 500,
  claims: 50,
  "guarded-writes": 300,
  "rule-3-deadline": 5,
};

const once = [
  "ghosts",
  "adopted-takes",
  "overruns",
  "offers-taken",
  "offers-lapsed",
  "held",
  "clones",
  "clones-detected",
  "acknowledged-lost",
  "store-lost",
  "unproven",
  "judged-by-store-clock",
  "stale-refused",
  "checks-in-last-5-percent",
];

const faults = [
  ...["stop", "block", "suspend", "jump", "kill", "start", "shut-down", "clone", "cut", "stall", "check"],
  ...["transfer", "resign", "outpace", "stray-bid", "try", "ineligible"],
  ...["wipe", "delete", "roll-back", "put-back", "spoil", "lag", "fail-over"],
  ...["refused", "lost-call", "lost-reply", "late-reply", "late-execution", "twice", "resent"],
];

/** Rules 7 and 11 are the store's, or speak of many elections: no decision of the core shows them. */
const rules = [
  "1-duplicate-identity",
  ...["2-held", "2-take-held", "2-take-held-judged", "2-take-draining"],
  ...["3-deadline", "3-ghost", "4-lost", "4-lost-reply", "4-retry", "4-unknown"],
  ...["5-create-prove", "5-create-waited", "5-take-released"],
  ...["6-floor", "6-next", "6-next-seen", "6-seed", "8-overrun", "8-voluntary", "9-back-off"],
  ...["10-bid", "10-bid-met", "10-no-candidate", "10-take-offered", "12-undo", "13-newer", "13-unreadable"],
];

/** Of worlds in which all kinds of faults happen. */
export const fullPower: Counts = {
  ...often,
  ...Object.fromEntries(once.map((name) => [name, 1])),
  ...Object.fromEntries(faults.map((name) => [`fault-${name}`, 1])),
  ...Object.fromEntries(rules.map((name) => [`rule-${name}`, 1])),
  // A take that is given up has to meet the record that it was made on: one in a hundred seeds.
  "rule-12-undo": 0.2,
};

/** Of worlds that are about something else. */
export const somePower: Counts = { terms: 100, takeovers: 30, "guarded-writes": 300, claims: 50 };

/** Of worlds in which belief is advisory: what the docs admit has to be seen. */
export const advisoryPower: Counts = { ...somePower, overlaps: 1 };

/** Of worlds with a disk. */
export const diskPower: Counts = {
  ...somePower,
  ...Object.fromEntries(
    ["lose-power", "stall-disk", "fill-disk", "fail-sync"].map((name) => [`fault-${name}`, 1]),
  ),
  "stale-refused": 1,
};

/** Where parts are brought by others, which may have habits of their own. */
export const foreignPower: Counts = { terms: 50, claims: 20, "guarded-writes": 100 };
