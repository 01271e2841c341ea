/**
 * An honest guarded list in memory, with an operator's hands and answers that can get lost: the base that
 * every broken guard spoils in one place.
 *
 * Promise: passes the whole suite, so that a broken guard fails by its flaw alone. Not for anything but tests.
 */

import { createError } from "../../../errors/index.js";
import type { Attempt, Fence } from "../../../fence/fence.js";
import {
  applied,
  type ClaimDecision,
  decideClaim,
  decideWrite,
  type Guard,
  type KnownOperation,
  type Refusal,
  refuseUse,
  type WriteDecision,
  type WriteOrder,
} from "../../../fence/guard.js";
import { encodeResult } from "../../../fence/results.js";
import { checkFence, type GuardRow } from "../../../fence/row.js";
import { refuseClaim, toClaimant, type WriteAnswer, type Writer, writerFor } from "../../../fence/writer.js";
import type { GuardCapabilities, GuardHarness, GuardRequest, GuardWrite } from "../harness.js";

export const registerGuardCapabilities: GuardCapabilities = {
  savesResults: true,
  ordersStrictly: true,
  remembersOperations: true,
  claimsPassWriters: true,
};

/** One resource. Replaced, never changed. */
export interface State {
  readonly rows: ReadonlyMap<string, GuardRow>;
  readonly operations: readonly KnownOperation[];
  readonly values: readonly string[];
}

/** What a broken guard does otherwise; what is left out is honest. */
export interface Flaw {
  /** `own`: this guard object was asked for this very claim before. */
  readonly decideClaim?: (row: GuardRow | undefined, fence: Fence, own: boolean) => ClaimDecision;
  readonly decideWrite?: (
    row: GuardRow | undefined,
    fence: Fence,
    attempt: Attempt,
    order: WriteOrder,
    known: KnownOperation | undefined,
  ) => WriteDecision;
  /** What becomes of a resource that was `before` at the check, is `now` something else, and was to be `next`. */
  readonly commitLate?: (before: State, now: State, next: State) => State | undefined;
  /** Claims are visible to other guard objects only after their next call, or the next one of the claimer. */
  readonly claimsArriveLate?: boolean;
  readonly restart?: (state: State) => State;
}

const empty: State = { rows: new Map(), operations: [], values: [] };

/** What all guard objects of a harness share. */
class Memory {
  readonly flaw: Flaw;
  states: Map<string, State> = new Map();
  losing: "before" | "after" | undefined;
  readonly #late = new Map<object, () => void>();

  constructor(flaw: Flaw) {
    this.flaw = flaw;
  }

  look(resource: string): State {
    return this.states.get(resource) ?? empty;
  }

  /** False when the answer is lost. */
  put(resource: string, state: State): boolean {
    const { losing } = this;
    this.losing = undefined;
    if (losing !== "before") this.states.set(resource, state);
    return losing === undefined;
  }

  later(by: object, arrive: () => void): void {
    this.#late.set(by, arrive);
  }

  /** What `by` left on its way arrives before its own next call, and after anybody else's. */
  async call<T>(by: object, action: () => Promise<T>): Promise<T> {
    await Promise.resolve();
    this.arrive((owner) => owner === by);
    try {
      return await action();
    } finally {
      this.arrive((owner) => owner !== by);
    }
  }

  arrive(which: (owner: object) => boolean): void {
    for (const [owner, arrive] of this.#late) {
      if (!which(owner)) continue;
      this.#late.delete(owner);
      arrive();
    }
  }
}

/** What a claim answers here. */
class RegisterHandle {
  readonly #memory: Memory;
  readonly #by: object;
  readonly #request: GuardRequest;
  readonly #writer: Writer;

  constructor(memory: Memory, by: object, request: GuardRequest, writer: Writer) {
    this.#memory = memory;
    this.#by = by;
    this.#request = request;
    this.#writer = writer;
  }

  async read(): Promise<readonly string[]> {
    return this.#memory.call(this.#by, async () => {
      const { rows, values } = this.#memory.look(this.#request.resource);
      const { fence } = this.#writer;
      const refusal = refuseUse(rows.get(keyOf(fence)), fence);
      if (refusal !== undefined) throw this.#writer.refuse(refusal);
      return values;
    });
  }

  async apply(write: GuardWrite): Promise<unknown> {
    return this.#writer.write(write.options, async (attempt) =>
      this.#memory.call(this.#by, async () => {
        for (;;) {
          const answer = await this.#round(attempt, write);
          if (answer !== undefined) return answer;
        }
      }),
    );
  }

  /** Undefined when the resource has moved on. */
  async #round(attempt: Attempt, write: GuardWrite): Promise<WriteAnswer<unknown> | undefined> {
    const { resource, order, rememberOperations } = this.#request;
    const { fence } = this.#writer;
    const { flaw } = this.#memory;
    const before = this.#memory.look(resource);
    const key = keyOf(fence);
    const row = before.rows.get(key);
    const known = before.operations.find(({ opId }) => opId === attempt.opId);
    const decision = (flaw.decideWrite ?? decideWrite)(row, fence, attempt, order, known);
    if (decision.kind !== "apply") return decision;
    await write.pause();
    const json = encodeResult(write.result);
    const operation = { opId: attempt.opId, returned: json !== undefined, ...(json && { result: json }) };
    const next: State = {
      rows: new Map(before.rows).set(key, applied(decision.row, attempt, json)),
      operations: rememberOperations ? [...before.operations, operation] : before.operations,
      values: [...before.values, write.value],
    };
    // The atomic step.
    const now = this.#memory.look(resource);
    const state = now === before ? next : flaw.commitLate?.(before, now, next);
    if (state === undefined) return undefined;
    if (this.#memory.put(resource, state)) return { kind: "applied", result: write.result };
    return { kind: "unconfirmed", cause: new Error("the answer was lost") };
  }
}

function openGuard(memory: Memory, request: GuardRequest): Guard<RegisterHandle> {
  const { resource, order } = request;
  const { flaw } = memory;
  const by = {};
  const asked = new Set<string>();

  /** The atomic step. Answers the row, or why not. */
  function raise(fence: Fence): GuardRow | Refusal | "lost" {
    const state = memory.look(resource);
    const key = keyOf(fence);
    const question = JSON.stringify([key, fence.token, fence.owner]);
    const own = asked.has(question);
    asked.add(question);
    const row = state.rows.get(key);
    const decision = flaw.decideClaim?.(row, fence, own) ?? decideClaim(row, fence);
    if (decision.kind === "refused") return decision.refusal;
    if (decision.row === row) return row;
    const rows = new Map(state.rows).set(key, decision.row);
    if (flaw.claimsArriveLate === true && memory.losing === undefined) {
      memory.later(by, () => {
        const now = memory.look(resource);
        const late = decideClaim(now.rows.get(key), fence);
        if (late.kind === "claimed")
          memory.states.set(resource, { ...now, rows: new Map(now.rows).set(key, late.row) });
      });
      return decision.row;
    }
    return memory.put(resource, { ...state, rows }) ? decision.row : "lost";
  }

  return {
    kind: "register",
    resource,
    async claim(claimed, { signal } = {}) {
      const claimant = toClaimant(claimed);
      const fence = checkFence(claimant.fence);
      return memory.call(by, async () => {
        signal?.throwIfAborted();
        const raised = raise(fence);
        if (raised === "lost") throw createError("CLAIM_UNCONFIRMED", "the answer was lost");
        if ("code" in raised) {
          throw refuseClaim(resource, claimant, raised);
        }
        const writer = writerFor(claimant, raised.seq, {
          resource,
          numbering: `register/${resource}`,
          order,
          concurrency: 1,
        });
        return new RegisterHandle(memory, by, request, writer);
      });
    },
  };
}

function keyOf({ namespace, election }: Fence): string {
  return JSON.stringify([namespace, election]);
}

export function createGuardRegister(flaw: Flaw = {}): GuardHarness<RegisterHandle> {
  const memory = new Memory(flaw);
  const settled = () => memory.arrive(() => true);
  return {
    guard: (request) => openGuard(memory, request),
    apply: async (handle, write) => handle.apply(write),
    read: async (handle) => handle.read(),
    content: async (resource) => memory.look(resource).values,
    loseReply(when) {
      memory.losing = when;
    },
    operator: {
      async restart() {
        settled();
        const { restart = (state: State) => state } = flaw;
        memory.states = new Map([...memory.states].map(([name, state]) => [name, restart(state)]));
      },
      async wipe() {
        settled();
        memory.states = new Map();
      },
      async snapshot() {
        settled();
        return new Map(memory.states);
      },
      async restore(snapshot) {
        settled();
        memory.states = new Map(snapshot as ReadonlyMap<string, State>);
      },
    },
    close: async () => {},
  };
}
