/**
 * Calls to the store, each with its own timeout.
 *
 * Promise: every call is reported once in time, by its answer or as failed after the
 * timeout, whatever the driver does; a write's answer that comes later is reported as
 * well, since it may be the proof that the write is in force.
 */

import type { Clock, Timer } from "../base/clock.js";
import { createError, TenureError } from "../errors/index.js";
import type { Answer } from "./core-types.js";
import type { Call } from "./store.js";

export type Send = (call: Call) => Promise<Answer>;

interface Manner {
  readonly late: boolean;
  readonly absence: Call["absence"];
  readonly takeover: Call["takeover"];
}

interface OpenCall {
  readonly id: number;
  readonly aborter: LazyAborter;
  readonly timer: Timer;
}

const none: readonly OpenCall[] = [];

export class OpenCalls {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #storeKind: string;
  readonly #report: (id: number, answer: Answer) => void;
  /** One or two at a time. */
  #open: readonly OpenCall[] = none;

  constructor(
    clock: Clock,
    timeoutMs: number,
    storeKind: string,
    report: (id: number, answer: Answer) => void,
  ) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#storeKind = storeKind;
    this.#report = report;
  }

  /** Sends now. `late`: an answer after the timeout is reported too. */
  start(id: number, send: Send, { late, absence, takeover }: Manner): void {
    const aborter = new LazyAborter();
    const timer = this.#clock.setTimer(this.#timeoutMs, () => this.#timeOut(id));
    this.#open = this.#open === none ? [{ id, aborter, timer }] : [...this.#open, { id, aborter, timer }];
    const call = new CallOf(aborter, this.#timeoutMs, absence, takeover);
    sent(send, call).then(
      (answer) => this.#settle(id, answer, late),
      (cause: unknown) => this.#settle(id, { kind: "failed", cause, verdict: verdictOf(cause) }, false),
    );
  }

  /** Asks drivers to stop trying; nothing is reported any more. */
  close(): void {
    for (const { timer, aborter } of this.#open) {
      timer.cancel();
      aborter.abort(createError("ELECTION_STOPPED", "the election was stopped"));
    }
    this.#open = none;
  }

  #timeOut(id: number): void {
    const call = this.#take(id);
    const message = `${this.#storeKind} store: no answer within ${this.#timeoutMs} ms`;
    const cause = createError("STORE_TIMEOUT", message);
    call?.aborter.abort(cause);
    this.#report(id, { kind: "failed", cause, verdict: "unknown" });
  }

  #settle(id: number, answer: Answer, late: boolean): void {
    const call = this.#take(id);
    call?.timer.cancel();
    if (call !== undefined || late) this.#report(id, answer);
  }

  #take(id: number): OpenCall | undefined {
    const call = this.#open.find((open) => open.id === id);
    this.#open =
      this.#open.length === 1 && call !== undefined ? none : this.#open.filter((open) => open !== call);
    return call;
  }
}

/** A signal costs more than all else of a call, and many drivers never ask for it. */
class LazyAborter {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
}

class CallOf implements Call {
  declare readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly absence: Call["absence"];
  readonly takeover: Call["takeover"];
  readonly #aborter: LazyAborter;

  constructor(aborter: LazyAborter, timeoutMs: number, absence: Call["absence"], takeover: Call["takeover"]) {
    this.#aborter = aborter;
    this.timeoutMs = timeoutMs;
    this.absence = absence;
    this.takeover = takeover;
    Object.defineProperty(this, "signal", CallOf.#signal);
  }

  /** Of each call itself, so that a copy of a call has it; one function for all, which is what makes it cheap. */
  static readonly #signal: PropertyDescriptor = {
    enumerable: true,
    get(this: CallOf): AbortSignal {
      return this.#aborter.signal;
    },
  };
}

/** A driver that throws before it returns a promise is a driver whose outcome is unknown. */
function sent(send: Send, call: Call): Promise<Answer> {
  try {
    return Promise.resolve(send(call));
  } catch (cause) {
    return Promise.reject(cause);
  }
}

function verdictOf(cause: unknown): "unknown" | "definite" | "permanent" {
  if (!TenureError.is(cause)) return "unknown";
  return cause.retry === "never" ? "permanent" : cause.outcome;
}
