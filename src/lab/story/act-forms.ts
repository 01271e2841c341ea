/** A sentence for each act of faults/fault.ts. */

import type { Act, Fault } from "../faults/fault.js";
import { type Form, type Values, writeForm } from "./form.js";

const loss = (template: string, verb: string): readonly Form[] =>
  [true, false].flatMap((newEpoch) =>
    [true, false].map((calm) => ({
      template: `${template}${newEpoch ? " in a new epoch" : ""}${calm ? ", and let nothing else happen for a while" : ""}`,
      fixed: { verb, newEpoch, calm },
    })),
  );

const verb = (name: string, template: string, fixed: Values = {}): Form => ({
  template,
  fixed: { verb: name, ...fixed },
});

/** Of calls that are alike and are sent in one instant, it is not always the first. */
const fate = (kind: string, template: string): readonly Form[] =>
  ["", ", after {others} of that instant"].map((rest) => ({
    template: `${template}${rest}`,
    fixed: { verb: "fate", kind },
  }));

export const actForms: readonly Form[] = [
  verb("stop", "stop {who} for {forMs}"),
  verb("block", "block the event loop of {who} for {forMs}"),
  verb("suspend", "let the machine of {who} sleep for {forMs}"),
  verb("stop-host", "stop the host of {who} with its clocks for {forMs}"),
  verb("jump", "the {clock} clock of {who} jumps by {byMs}"),
  verb("kill", "kill {who}"),
  verb("start", "start {who}"),
  verb("shut-down", "tell {who} to shut down"),
  verb("clone", "clone {who}"),
  verb("cut", "cut {who} from the {from} for {forMs}", { way: "both" }),
  verb("cut", "cut {who} from the {from} for {forMs} (calls only)", { way: "there" }),
  verb("cut", "cut {who} from the {from} for {forMs} (answers only)", { way: "back" }),
  verb("cut", "refuse all calls of {who} to the {from} for {forMs}", { way: "refused" }),
  verb("transfer", "{who} asks for a transfer to {to}"),
  verb("transfer", "{who} asks for a transfer"),
  verb("resign", "{who} resigns in favour of {to}"),
  verb("resign", "{who} resigns"),
  verb("outpace", "the leader hears of a token that is {by} higher"),
  verb("try", "the visitor tries to be elected", { immediate: false }),
  verb("try", "the visitor tries to be elected at once", { immediate: true }),
  verb("ineligible", "{who} is not eligible for {forMs}"),
  verb("check", "{who} checks"),
  ...loss("wipe the store", "wipe"),
  ...loss("delete the record", "delete"),
  ...loss("roll the store back {writes} writes", "roll-back"),
  verb("stray-bid", "a stranger bids"),
  verb("forget", "{resource} forgets its last claim", { what: "last-claim" }),
  verb("forget", "{resource} forgets all claims", { what: "all-claims" }),
  verb("annotate", "a later release adds a field to the record"),
  verb("stray-claim", "a stranger claims the ledger with the same token", { token: "same" }),
  verb("stray-claim", "a stranger claims the ledger with a lower token", { token: "lower" }),
  verb("spoil", "let the record be unreadable for {forMs}", { body: "unreadable" }),
  verb("spoil", "let the record be of a later format for {forMs}", { body: "newer" }),
  verb("put-back", "write the last record again"),
  verb("fail-over", "fail over to the replica"),
  verb("stall", "stall the {what} for {forMs}"),
  verb("jump-store", "the clock of the store jumps by {byMs}"),
  verb("lag", "let the replica lag for {forMs}"),
  ...fate("refused", "refuse the next {call} of {who}"),
  ...fate("lost-call", "lose the next {call} of {who}"),
  ...fate("lost-reply", "lose the answer to the next {call} of {who}"),
  ...fate("late-reply", "delay the answer to the next {call} of {who} by {byMs}"),
  ...fate("late-execution", "delay the next {call} of {who} by {byMs}"),
  ...fate("twice", "deliver the next {call} of {who} once more after {byMs}"),
  ...fate("resent", "deliver the next {call} of {who} once more after {byMs}, and lose the first answer"),
];

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
