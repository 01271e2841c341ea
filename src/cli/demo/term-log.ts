/**
 * One term's account of its writes: lines for the audit and for the verdict, written as the answers come.
 *
 * A write is stamped with the instant before it was sent, a claim with one after it was
 * answered. So a process that is stopped between an answer and its line cannot look guilty,
 * and a write that the lines show behind a higher claim was one.
 */

import type { HistoryEvent } from "../../history/line.js";
import { TenureError } from "../../errors/index.js";
import type { Attempt } from "../../fence/fence.js";
import type { Resource, WorkLine } from "./work-line.js";

export interface TermLogParts {
  readonly node: string;
  readonly now: () => bigint;
  /** Writes a history line down. */
  readonly tell: (at: bigint, event: HistoryEvent) => void;
  readonly write: (line: WorkLine) => void;
}

export interface Answer {
  /** Place in the resource. */
  readonly number: number;
  readonly duplicate: boolean;
}

export interface Term {
  readonly instance: string;
  readonly token: number;
}

export class TermLog {
  readonly #parts: TermLogParts;
  readonly #term: Term;

  constructor(parts: TermLogParts, { instance, token }: Term) {
    this.#parts = parts;
    this.#term = { instance, token };
  }

  /** `current`: a claim that is told of after its term is not placed by its line. */
  claimed(resources: readonly Resource[], current: () => boolean): void {
    const at = this.#parts.now();
    if (!current()) return;
    for (const resource of resources) this.#parts.tell(at, { event: "claimed", resource, ...this.#term });
  }

  replayed(entries: number): void {
    this.#parts.write({ kind: "replayed", entries, ...this.#stamp() });
  }

  staleTry(resource: Resource, opId: string): void {
    this.#parts.write({ kind: "stale-try", resource, opId, ...this.#stamp() });
  }

  /** Sends an operation until its outcome is known. Rejects when it is refused or fails. */
  async settle(
    resource: Resource,
    opId: string,
    send: (attempt: Attempt | undefined) => Promise<Answer>,
  ): Promise<void> {
    const { now, tell, write } = this.#parts;
    const at = now();
    const about = { resource, opId, ...this.#stamp() };
    try {
      const { answer, doubted } = await this.#send(about, send);
      if (doubted || !answer.duplicate) tell(at, { event: "applied", resource, opId, ...this.#term });
      write({ kind: "acknowledged", ...answer, ...about });
    } catch (cause) {
      if (isRefusal(cause)) {
        tell(at, { event: "refused", resource, opId, code: cause.code, ...this.#term });
        write({ kind: "refused", code: cause.code, ...about });
      }
      throw cause;
    }
  }

  async #send(
    about: Omit<Extract<WorkLine, { kind: "reply-lost" }>, "kind">,
    send: (attempt: Attempt | undefined) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly doubted: boolean }> {
    try {
      return { answer: await send(undefined), doubted: false };
    } catch (cause) {
      if (!TenureError.is(cause, "GUARD_UNCONFIRMED")) throw cause;
      this.#parts.write({ kind: "reply-lost", ...about });
      return { answer: await send(cause.attempt), doubted: true };
    }
  }

  #stamp(): { readonly node: string; readonly token: number } {
    return { node: this.#parts.node, token: this.#term.token };
  }
}

/** The resource says that this term may not write any more. */
export function isRefusal(cause: unknown): cause is TenureError {
  return TenureError.is(cause, "STALE") || TenureError.is(cause, "CONFLICT");
}
