/**
 * Leaders that never were, for one probe: claims and writes under an election of its own.
 *
 * Everything is sent through the guard as programs use it. What fences is looked at past the
 * handles, where the guard lets anybody look.
 */

import { freshId } from "../../base/random.js";
import { realClock } from "../../base/real-clock.js";
import { type ErrorCode, TenureError } from "../../errors/index.js";
import type { ElectionRow } from "../cell.js";
import type { Claimant, Fence } from "../fence.js";
import type { Guard } from "../guard.js";
import { type FenceOperator, verifyNamespace } from "../operator.js";
import type { GuardRow } from "../row.js";
import { scriptedSequence } from "../scripted.js";
import type { WriteOptions } from "../writer.js";
import { accepted, failed, type Finding, passed } from "./finding.js";

/** What guards of this package have beyond the protocol; those of others may. */
export interface ProbedGuard<out H> extends Guard<H> {
  inspect?(): Promise<readonly ElectionRow[] | { readonly rows: readonly ElectionRow[] }>;
  readonly operator?: Pick<FenceOperator, "sweep">;
  /**
   * Sends a write past the handles, which shows no fence, where a resource can be sent one: a twelfth probe. Rejects when
   * it is not known what became of it. Of guards that are reached by messages; `result` as in `ProbeWrite`.
   */
  unfenced?(result: string): Promise<"applied" | { readonly refused: string }>;
}

/** One write, as a user's own function is asked for it. */
export interface ProbeWrite {
  /** What the write returns; JSON. It needs no other effect. */
  readonly result: string;
  /** To be awaited inside of the write, between its check and its effect, where there is such a place. */
  readonly pause?: () => Promise<void>;
  /** Hand it to the guard's own write. */
  readonly options: WriteOptions;
}

export interface StandOptions {
  readonly guard: ProbedGuard<unknown>;
  readonly election: string;
  readonly write: (handle: unknown, write: ProbeWrite) => Promise<unknown>;
  readonly patienceMs: number;
}

interface ClaimChange {
  /** Of its writes, in this order. */
  readonly numbers?: readonly number[];
  readonly lineage?: string;
}

export type Settled =
  | { readonly kind: "resolved"; readonly value: unknown }
  | { readonly kind: "rejected"; readonly error: unknown };

export async function settle(promise: Promise<unknown>): Promise<Settled> {
  return promise.then(
    (value) => ({ kind: "resolved", value }),
    (error: unknown) => ({ kind: "rejected", error }),
  );
}

export class Stand {
  readonly #options: StandOptions;
  /** A resource may remember operations across terms, so each probe has names of its own. */
  readonly #prefix = freshId();

  constructor(options: StandOptions) {
    this.#options = options;
  }

  /** Whether a row can be removed, so that what is not known can be asked for. */
  get sweeps(): boolean {
    return this.#options.guard.operator !== undefined;
  }

  async sweep(): Promise<void> {
    await this.#options.guard.operator?.sweep(this.#options.election);
  }

  async claim(token: number, owner: string, change: ClaimChange = {}): Promise<unknown> {
    const { numbers = [1, 2, 3, 4], lineage = `${verifyNamespace}/probe` } = change;
    const { election, guard } = this.#options;
    const fence: Fence = { v: 1, namespace: verifyNamespace, election, lineage, token, owner };
    const sequence = (resource: string) => scriptedSequence(resource, numbers);
    const claimant: Claimant = { fence, sequence };
    return guard.claim(claimant);
  }

  async write(
    handle: unknown,
    opId: string,
    result: string = opId,
    pause?: () => Promise<void>,
  ): Promise<unknown> {
    const write = { result, options: { opId: this.#nameOf(opId) } };
    return this.#options.write(handle, pause === undefined ? write : { ...write, pause });
  }

  /** Whether this write counts under the claim that stands; false where nobody can look. */
  async knows(opId: string): Promise<boolean> {
    return (await this.row())?.window.some((applied) => applied.opId === this.#nameOf(opId)) === true;
  }

  #nameOf(opId: string): string {
    return `${this.#prefix}/${opId}`;
  }

  /** Undefined where there is none, or where nobody can look. */
  async row(): Promise<GuardRow | undefined> {
    const { guard, election } = this.#options;
    const found = await guard.inspect?.();
    const rows = found === undefined ? [] : "rows" in found ? found.rows : found;
    return rows.find((row) => row.namespace === verifyNamespace && row.election === election)?.row;
  }

  /** Sends what must be refused in this way, and must change nothing. */
  async refuses(code: ErrorCode, send: () => Promise<unknown>): Promise<Finding> {
    const before = JSON.stringify(await this.row());
    const settled = await settle(send());
    const after = JSON.stringify(await this.row());
    if (settled.kind === "resolved") return accepted("it went through");
    if (before !== after) return accepted(`it changed what fences, and failed with ${say(settled.error)}`);
    return TenureError.is(settled.error, code) ? passed(code) : failed(say(settled.error));
  }

  /** Sends a write that shows no fence at all, and must change nothing. */
  async refusesUnfenced(): Promise<Finding> {
    const before = JSON.stringify(await this.row());
    const answer = await this.#options.guard.unfenced?.(this.#nameOf("unfenced"));
    if (answer === undefined || answer === "applied") return accepted("it went through");
    const isUnchanged = before === JSON.stringify(await this.row());
    return isUnchanged ? passed(answer.refused) : accepted(`it changed what fences: ${answer.refused}`);
  }

  /** "waiting" when it takes longer than the probe waits for what may be blocked. */
  async inTime<T>(promise: Promise<T>): Promise<T | "waiting"> {
    let end = () => {};
    const late = new Promise<"waiting">((resolve) => {
      const timer = realClock.setTimer(this.#options.patienceMs, () => resolve("waiting"));
      end = () => timer.cancel();
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      end();
    }
  }
}

export function say(error: unknown): string {
  if (TenureError.is(error)) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
