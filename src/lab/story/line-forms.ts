/** Sentences for what a world is like, for what is expected of it, and for where a story is shown to fail. */

import type { Form, Values } from "./form.js";

const says = (is: string, template: string, fixed: Values = {}): Form => ({
  template,
  fixed: { is, ...fixed },
});
const expects = (that: string, template: string): Form => ({ template, fixed: { that } });

export const settingForms: readonly Form[] = [
  says("nodes", "nodes {names}"),
  says("late", "late {names}"),
  says("seed", "seed {count}"),
  says("store", "store {store}"),
  says("store", "store {store}, acknowledged", { acknowledged: true }),
  says("ttl", "ttl {ms}"),
  says("ttl", "ttl of {who} {ms}"),
  says("drain", "drain {ms}"),
  says("latency", "latency up to {ms}"),
  says("latency", "latency up to {ms}, with a long tail", { tailed: true }),
  says("rate", "clocks of {who} run at {rate}"),
  says("store-clock", "expiry by the clock of the store"),
  says("store-clock", "expiry of {who} by the clock of the store"),
  says("wall", "wall clocks are unset", { wall: "unset" }),
  says("wall", "wall clocks pass a multiple of 2^31", { wall: "near-2^31" }),
  says("wall", "wall clocks pass a multiple of 2^32", { wall: "near-2^32" }),
  says("shared-name", "the first two nodes share a name"),
  says("hints", "the store hints at changes"),
  says("visitor", "a visitor looks on"),
  says("twins", "processes can be cloned"),
  says("work", "work is {mood}"),
  says("writes", "leaders write every {ms}"),
  says("no-writes", "leaders write nothing"),
  says("one-resource", "leaders write to the ledger alone"),
  says("unguarded", "nothing guards the ledger"),
];

export const expectationForms: readonly Form[] = [
  expects("nobody-leads", "nobody leads"),
  expects("leads", "{who} leads"),
  expects("leads-not", "{who} does not lead"),
  expects("uncertain", "{who} is uncertain"),
  expects("gone", "{who} is gone"),
  expects("one-leads", "exactly one leads"),
  expects("ended", "the term of {who} ended as {reason}"),
  expects("refused", "a write of {who} was refused as {code}"),
  expects("none-refused", "no write was refused"),
  expects("terms", "{count} terms so far"),
  expects("ledger", "the ledger counts {count}"),
  expects("tries", "{count} takes were written so far"),
  expects("tokens", "no token is above {count}"),
  expects("record", "the record is {state} by {who}"),
  expects("nothing-held", "the store holds nothing"),
  expects("answered", "the visitor was answered {answer}"),
];

export const endingForms: readonly Form[] = [
  { template: "until {ms}", fixed: { ending: "bare" } },
  { template: "faults for {ms}, then one leader is due", fixed: { ending: "healing" } },
  { template: "faults for {ms} in spells, with one leader due after each", fixed: { ending: "spells" } },
];

export const shownForms: readonly Form[] = [
  { template: "shown on naive: {breaks}", fixed: { on: "naive", name: "" } },
  { template: "shown on mutant {name}: {breaks}", fixed: { on: "mutant" } },
  { template: "shown on specimen {name}: {breaks}", fixed: { on: "specimen" } },
];
