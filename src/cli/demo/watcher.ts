/**
 * Looks at the store beside the candidates and tells each version that it sees.
 *
 * A second opinion on what the candidates say they wrote, from a process that no fault
 * strikes. Non-promise: every version; what stands for less than a look is missed.
 */

import { realClock } from "../../base/real-clock.js";
import type { Store, StoreFinding } from "../../lease/store.js";
import { describeFailure } from "../exit-codes.js";
import type { RecordLine } from "./record-line.js";

const everyMs = 20;
const timeoutMs = 1_000;

export class Watcher {
  readonly #store: Store;
  readonly #key: string;
  readonly #tell: (line: RecordLine) => void;
  readonly #over = new AbortController();
  #looking: Promise<void> | undefined;
  #version: string | undefined;

  constructor(store: Store, key: string, tell: (line: RecordLine) => void) {
    this.#store = store;
    this.#key = key;
    this.#tell = tell;
  }

  get findings(): readonly StoreFinding[] {
    return this.#store.findings ?? [];
  }

  start(): void {
    this.#looking = this.#watch();
  }

  /** Looks once more, at what the last candidate left, and lets the store go. */
  async end(): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    await this.#looking;
    await this.#look();
    await this.#store[Symbol.asyncDispose]();
  }

  async #watch(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#look();
      await new Promise<void>((resolve) => realClock.setTimer(everyMs, resolve));
    }
  }

  async #look(): Promise<void> {
    const call = {
      signal: new AbortController().signal,
      timeoutMs,
      absence: "prove",
      takeover: "observed",
    } as const;
    try {
      const stored = await this.#store.read(this.#key, call);
      if (stored === undefined || stored.version === this.#version) return;
      this.#version = stored.version;
      this.#tell({ kind: "seen", version: stored.version, body: stored.body });
    } catch (cause) {
      this.#tell({ kind: "unseen", why: describeFailure(cause) });
    }
  }
}
