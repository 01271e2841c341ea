/**
 * The pure protocol against a model that remembers everything, over random claims, writes, retries and duplicates;
 * what it let through is judged by the audit: nothing below a claim (I3), one owner and one operation per number
 * (I4), nothing twice (I9).
 */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { audit } from "../../src/audit/audit.js";
import type { Attempt, Fence } from "../../src/fence/fence.js";
import {
  applied,
  decideClaim,
  decideWrite,
  type KnownOperation,
  type WriteOrder,
} from "../../src/fence/guard.js";
import type { GuardRow } from "../../src/fence/row.js";
import type { HistoryLine } from "../../src/history/line.js";
import { fence } from "./scene.js";

type Command =
  | { readonly kind: "claim"; readonly leader: number }
  /** `ahead` of the highest number that this leader has used; `again` is an earlier attempt of any leader. */
  | { readonly kind: "write"; readonly leader: number; readonly ahead: number; readonly opId: string }
  | { readonly kind: "retry"; readonly leader: number; readonly again: number };

interface Protocol {
  readonly decideClaim: typeof decideClaim;
  readonly decideWrite: typeof decideWrite;
}

/** Two owners share each token, so that conflicts occur; tokens 1 to 4. */
function leaderOf(index: number): Fence {
  return fence({ token: 1 + (index >> 1), owner: index % 2 === 0 ? "a" : "b" });
}

const leaders = fc.nat(7);
const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("claim" as const), leader: leaders }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("write" as const),
        leader: leaders,
        ahead: fc.oneof(
          { weight: 6, arbitrary: fc.constant(1) },
          { weight: 2, arbitrary: fc.integer({ min: -4, max: 6 }) },
          { weight: 1, arbitrary: fc.constantFrom(-63, -64, 63, 64) },
        ),
        // Few names, so that operations come again, also in other terms.
        opId: fc.oneof(fc.uuid(), fc.constantFrom("x", "y", "z")),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("retry" as const), leader: leaders, again: fc.nat(40) }),
    },
  ),
  { maxLength: 120, size: "max" },
);

/** Everything that was ever applied, by token. */
class Model {
  readonly #order: WriteOrder;
  #token = 0;
  #owner = "";
  readonly #applied: { readonly token: number; readonly seq: number; readonly opId: string }[] = [];

  constructor(order: WriteOrder) {
    this.#order = order;
  }

  claim({ token, owner }: Fence): string {
    if (token < this.#token) return "STALE";
    if (token === this.#token && owner !== this.#owner) return "CONFLICT";
    this.#token = token;
    this.#owner = owner;
    return "claimed";
  }

  write({ token, owner }: Fence, { seq, opId }: Attempt): string {
    if (token > this.#token) return "CLAIM_MISSING";
    if (token < this.#token) return "STALE";
    if (owner !== this.#owner) return "CONFLICT";
    const term = this.#applied.filter((write) => write.token === token);
    const highest = Math.max(0, ...term.map((write) => write.seq));
    const same = term.find((write) => write.seq === seq && seq > highest - 64);
    if (same !== undefined && same.opId !== opId) return "SEQUENCE_REUSED";
    if (this.#applied.some((write) => write.opId === opId)) return "duplicate";
    if (seq <= highest - 64) return "ATTEMPT_TOO_OLD";
    if (this.#order === "strict" && seq !== highest + 1) return "SEQUENCE_GAP";
    this.#applied.push({ token, seq, opId });
    return "apply";
  }
}

interface Play {
  readonly answers: readonly string[];
  readonly expected: readonly string[];
  readonly lines: readonly HistoryLine[];
}

/** Runs the commands against protocol and model. The resource remembers every operation, as its table does. */
function play(script: readonly Command[], order: WriteOrder, protocol: Protocol): Play {
  const model = new Model(order);
  const [answers, expected, lines]: [string[], string[], HistoryLine[]] = [[], [], []];
  const operations = new Map<string, KnownOperation>();
  const sent: Attempt[] = [];
  const highest = new Map<number, number>();
  let row: GuardRow | undefined;

  for (const command of script) {
    const by = leaderOf(command.leader);
    if (command.kind === "claim") {
      const decision = protocol.decideClaim(row, by);
      answers.push(decision.kind === "claimed" ? "claimed" : decision.refusal.code);
      expected.push(model.claim(by));
      if (decision.kind !== "claimed") continue;
      row = decision.row;
      lines.push(lineOf(lines.length, by, "claimed"));
      continue;
    }
    const attempt = attemptOf(command, sent, highest);
    if (attempt === undefined) continue;
    sent.push(attempt);
    highest.set(command.leader, Math.max(highest.get(command.leader) ?? 0, attempt.seq));
    const decision = protocol.decideWrite(row, by, attempt, order, operations.get(attempt.opId));
    answers.push(decision.kind === "refused" ? decision.refusal.code : decision.kind);
    expected.push(model.write(by, attempt));
    if (decision.kind !== "apply") continue;
    row = applied(decision.row, attempt, undefined);
    operations.set(attempt.opId, { opId: attempt.opId, returned: false });
    lines.push(lineOf(lines.length, by, "applied", attempt));
  }
  return { answers, expected, lines };
}

function attemptOf(
  command: Exclude<Command, { kind: "claim" }>,
  sent: readonly Attempt[],
  highest: ReadonlyMap<number, number>,
): Attempt | undefined {
  if (command.kind === "retry") return sent.at(-1 - command.again);
  const seq = Math.max(1, (highest.get(command.leader) ?? 0) + command.ahead);
  return { resource: "ledger", seq, opId: command.opId };
}

function lineOf(
  index: number,
  { namespace, election, token, owner }: Fence,
  event: "claimed" | "applied",
  attempt?: Attempt,
): HistoryLine {
  return {
    v: 1,
    boot: "boot",
    at: String(index + 1),
    wall: index,
    process: owner,
    node: owner,
    namespace,
    election,
    event,
    resource: "ledger",
    instance: owner,
    token,
    ...(attempt && { seq: attempt.seq, opId: attempt.opId }),
  };
}

function violationsOf(lines: readonly HistoryLine[], guardOrder: WriteOrder): readonly string[] {
  return audit(lines, { guardOrder })
    .violations.filter(({ invariant }) => ["I3", "I4", "I9"].includes(invariant))
    .map(({ invariant, message }) => `${invariant}: ${message}`);
}

const honest: Protocol = { decideClaim, decideWrite };

describe("the protocol of guards", () => {
  for (const order of ["any", "strict"] as const) {
    it(`when anything comes in any order and ${order} order is asked for, it answers as the model and breaks no invariant`, () => {
      const seen = new Map<string, number>();
      fc.assert(
        fc.property(commands, (script) => {
          const { answers, expected, lines } = play(script, order, honest);
          for (const answer of answers) seen.set(answer, (seen.get(answer) ?? 0) + 1);
          expect(answers).toEqual(expected);
          expect(violationsOf(lines, order)).toEqual([]);
        }),
        { numRuns: 500 },
      );
      const kinds = [
        "claimed",
        "apply",
        "duplicate",
        "STALE",
        "CONFLICT",
        "CLAIM_MISSING",
        "SEQUENCE_REUSED",
      ];
      const late = order === "strict" ? "SEQUENCE_GAP" : "ATTEMPT_TOO_OLD";
      for (const kind of [...kinds, late]) expect(seen.get(kind), kind).toBeGreaterThan(20);
    });
  }

  const broken: readonly (readonly [what: string, invariant: string, protocol: Protocol])[] = [
    [
      "accepts a lower claim",
      "I3",
      {
        ...honest,
        decideClaim: (row, by) => decideClaim(row && by.token < row.watermark ? undefined : row, by),
      },
    ],
    [
      "accepts an equal claim of another",
      "I4",
      { ...honest, decideClaim: (row, by) => decideClaim(row && { ...row, owner: by.owner }, by) },
    ],
    [
      "applies duplicates",
      "I9",
      {
        ...honest,
        decideWrite: (row, by, attempt, order) =>
          decideWrite(row && { ...row, window: [] }, by, attempt, order),
      },
    ],
  ];
  for (const [what, invariant, protocol] of broken) {
    it(`when it ${what}, the audit of random schedules finds ${invariant} broken`, () => {
      const finds = (script: readonly Command[]) =>
        violationsOf(play(script, "any", protocol).lines, "any").some((found) => found.startsWith(invariant));
      expect(
        fc.check(
          fc.property(commands, (script) => !finds(script)),
          { numRuns: 500 },
        ).failed,
      ).toBe(true);
    });
  }
});
