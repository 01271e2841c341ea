/** A sentence for each act of faults/fault.ts. */

import type { Act, Fault, Verb } from "../faults/fault.js";
import { type Form, type Values, writeForm } from "./form.js";

/** All that a sentence says of its act beside the verb and what stands in its gaps. */
const says = (template: string, fixed: Values = {}): Form => ({ template, fixed });

const loss = (template: string): readonly Form[] =>
  [true, false].flatMap((newEpoch) =>
    [true, false].map((calm) =>
      says(
        `${template}${newEpoch ? " in a new epoch" : ""}${calm ? ", and let nothing else happen for a while" : ""}`,
        { newEpoch, calm },
      ),
    ),
  );

/** Of calls that are alike and are sent in one instant, it is not always the first. */
const fate = (kind: string, template: string): readonly Form[] =>
  ["", ", after {others} of that instant"].map((rest) => says(`${template}${rest}`, { kind }));

/** A verb without a sentence does not compile. */
const formsOf: Readonly<Record<Verb, readonly Form[]>> = {
  stop: [says("stop {who} for {forMs}")],
  block: [says("block the event loop of {who} for {forMs}")],
  suspend: [says("let the machine of {who} sleep for {forMs}")],
  "stop-host": [says("stop the host of {who} with its clocks for {forMs}")],
  jump: [says("the {clock} clock of {who} jumps by {byMs}")],
  kill: [says("kill {who}")],
  start: [says("start {who}")],
  "shut-down": [says("tell {who} to shut down")],
  clone: [says("clone {who}")],
  cut: [
    says("cut {who} from the {from} for {forMs}", { way: "both" }),
    says("cut {who} from the {from} for {forMs} (calls only)", { way: "there" }),
    says("cut {who} from the {from} for {forMs} (answers only)", { way: "back" }),
    says("refuse all calls of {who} to the {from} for {forMs}", { way: "refused" }),
  ],
  transfer: [says("{who} asks for a transfer to {to}"), says("{who} asks for a transfer")],
  resign: [says("{who} resigns in favour of {to}"), says("{who} resigns")],
  outpace: [says("the leader hears of a token that is {by} higher")],
  try: [
    says("the visitor tries to be elected", { immediate: false }),
    says("the visitor tries to be elected at once", { immediate: true }),
  ],
  ineligible: [says("{who} is not eligible for {forMs}")],
  check: [says("{who} checks")],
  wipe: loss("wipe the store"),
  delete: loss("delete the record"),
  "roll-back": loss("roll the store back {writes} writes"),
  "stray-bid": [says("a stranger bids")],
  "stray-claim": [
    says("a stranger claims the ledger with the same token", { token: "same" }),
    says("a stranger claims the ledger with a lower token", { token: "lower" }),
  ],
  forget: [
    says("{resource} forgets its last claim", { what: "last-claim" }),
    says("{resource} forgets all claims", { what: "all-claims" }),
  ],
  spoil: [
    says("let the record be unreadable for {forMs}", { body: "unreadable" }),
    says("let the record be of a later format for {forMs}", { body: "newer" }),
  ],
  annotate: [says("a later release adds a field to the record")],
  "put-back": [says("write the last record again")],
  "fail-over": [says("fail over to the replica")],
  split: [says("fail over to the replica, while the old master goes on with {who} for {forMs}")],
  stall: [says("stall the {what} for {forMs}")],
  "fill-store": [says("let the store be out of memory for {forMs}")],
  evict: [
    says("let the store evict what expires", { what: "expiring" }),
    says("let the store evict all keys", { what: "all" }),
  ],
  "lose-power": [says("cut the power of the store for {forMs}")],
  "stall-disk": [says("stall the disk of the store for {forMs}")],
  "fill-disk": [says("let the disk of the store be full for {forMs}")],
  "fail-sync": [says("fail the next sync of a {of}")],
  "jump-store": [says("the clock of the store jumps by {byMs}")],
  lag: [says("let the replica lag for {forMs}")],
  fate: [
    ...fate("refused", "refuse the next {call} of {who}"),
    ...fate("lost-call", "lose the next {call} of {who}"),
    ...fate("lost-reply", "lose the answer to the next {call} of {who}"),
    ...fate("late-reply", "delay the answer to the next {call} of {who} by {byMs}"),
    ...fate("late-execution", "delay the next {call} of {who} by {byMs}"),
    ...fate("twice", "deliver the next {call} of {who} once more after {byMs}"),
    ...fate("resent", "deliver the next {call} of {who} once more after {byMs}, and lose the first answer"),
  ],
};

export const actForms: readonly Form[] = Object.entries(formsOf).flatMap(([verb, forms]) =>
  forms.map(({ template, fixed }) => ({ template, fixed: { verb, ...fixed } })),
);

export function actOf({ kind, byMs, ...rest }: Values): Act {
  // The forms above make nothing else.
  if (rest["verb"] !== "fate") return { ...rest, ...(byMs !== undefined && { byMs }) } as unknown as Act;
  return { ...rest, fate: { kind, ...(byMs !== undefined && { byMs }) } } as unknown as Act;
}

export function sayAct(act: Act | Fault): string {
  const { atMs: _, fate: met, ...rest }: Values = { ...act };
  const sentence = writeForm(actForms, { ...rest, ...(met as Values | undefined) });
  if (sentence === undefined) throw new Error(`no sentence says ${JSON.stringify(act)}`);
  return sentence;
}
