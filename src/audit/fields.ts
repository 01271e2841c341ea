/**
 * Which fields a history line must have. Histories are foreign input: a line is
 * believed only after each of its fields was looked at here.
 *
 * Fields of later releases are let through unread; every line of an earlier release passes.
 */

import { type HistoryLine, historyVersion } from "../history/line.js";

type Test = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Test>>;

const text: Test = (value) => typeof value === "string";
const id: Test = (value) => typeof value === "string" && value.length > 0;
const instant: Test = (value) => typeof value === "string" && /^-?[0-9]{1,20}$/.test(value);
const finite: Test = (value) => Number.isFinite(value);
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 1;
const flag: Test = (value) => typeof value === "boolean";
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);

const stamp: Fields = {
  v: count,
  boot: id,
  at: instant,
  wall: finite,
  process: id,
  node: text,
  namespace: text,
  election: text,
};
const term: Fields = { instance: id, token: count };
const deadline: Fields = { ...term, until: instant };
const guard: Fields = {
  ...term,
  resource: text,
  seq: optional(count),
  opId: optional(text),
  code: optional(text),
  duplicate: optional(flag),
};
const bodies: ReadonlySet<unknown> = new Set(["unreadable", "newer", "overwritten", "repaired"]);

const events: Readonly<Record<HistoryLine["event"], Fields>> = {
  elected: deadline,
  extended: deadline,
  uncertain: term,
  confirmed: term,
  lost: { ...term, reason: text, lateByMs: finite },
  released: { ...term, outcome: text },
  checked: term,
  // An observer knows the token of the leader it names, but not always the instance.
  observed: { instance: text, token: count },
  claimed: guard,
  applied: guard,
  refused: guard,
  fault: { fault: text },
  "leader-by": { withinMs: finite },
  store: { body: (value) => bodies.has(value), resource: optional(text) },
};

export type Decoded =
  | { readonly kind: "line"; readonly line: HistoryLine }
  | { readonly kind: "newer"; readonly why: string }
  | { readonly kind: "garbage"; readonly why: string };

/** Never throws. */
export function decodeLine(json: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { kind: "garbage", why: "is not JSON" };
  }
  if (typeof value !== "object" || value === null) return { kind: "garbage", why: "is no object" };
  const line = value as Readonly<Record<string, unknown>>;
  const { v, event } = line;
  if (count(v) && (v as number) > historyVersion) return { kind: "newer", why: `has format ${String(v)}` };
  const wrong = firstWrong(line, stamp);
  if (wrong !== undefined) return { kind: "garbage", why: `has no valid "${wrong}"` };
  if (typeof event !== "string") return { kind: "garbage", why: 'has no valid "event"' };
  if (!Object.hasOwn(events, event)) return { kind: "newer", why: `has the unknown event "${event}"` };
  const missing = firstWrong(line, events[event as HistoryLine["event"]]);
  if (missing !== undefined) return { kind: "garbage", why: `(${event}) has no valid "${missing}"` };
  return { kind: "line", line: line as unknown as HistoryLine };
}

function firstWrong(line: Readonly<Record<string, unknown>>, fields: Fields): string | undefined {
  return Object.keys(fields).find((field) => fields[field]?.(line[field]) === false);
}
