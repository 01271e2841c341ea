/**
 * The clock of a store that judges expiry: ages that it shows, and takeovers that it lets through by them.
 *
 * Both may be late and never early: a lease that looks older than it is is taken from a leader that is alive. A write
 * takes place between its call and its answer, so an age is too old only where no such instant explains it.
 */

import type { LeaseRecord } from "../../lease/record.js";
import type { Call, Version } from "../../lease/store.js";

interface AgeHost {
  readonly nowMs: number;
  breaks(why: string): void;
}

/** Resolution and rounding of its clock. */
const slackMs = 20;

export class Ages {
  readonly #host: AgeHost;
  readonly #judges: boolean;
  /** When the write of a version began. */
  readonly #beganAt = new Map<Version, { readonly at: number; readonly record: LeaseRecord }>();
  /** By how much a fault stepped its clock, in all. */
  #steppedMs = 0;

  constructor(judges: boolean, host: AgeHost) {
    this.#judges = judges;
    this.#host = host;
  }

  stepped(byMs: number): void {
    this.#steppedMs += Math.abs(byMs);
  }

  written(
    {
      record,
      expected,
      takeover,
    }: {
      readonly record: LeaseRecord;
      readonly expected: Version | undefined;
      readonly takeover: Call["takeover"];
    },
    version: Version,
    beganAt: number,
  ): void {
    if (!this.#judges) return;
    this.#beganAt.set(version, { at: beganAt, record });
    const old = expected === undefined ? undefined : this.#beganAt.get(expected);
    if (takeover !== "store-clock" || old === undefined) return;
    const ageMs = this.#host.nowMs - old.at + this.#steppedMs + slackMs;
    if (ageMs >= old.record.ttlMs) return;
    this.#host.breaks(
      `createStore: a takeover that was left to the store's clock replaced ${expected} after ` +
        `${Math.round(ageMs - slackMs)} of ${old.record.ttlMs} ms`,
    );
  }

  shown(version: Version, ageMs: number): void {
    const began = this.#beganAt.get(version);
    if (began === undefined) return;
    const mostMs = this.#host.nowMs - began.at + this.#steppedMs + slackMs;
    if (ageMs <= mostMs) return;
    this.#host.breaks(
      `createStore: ${version} is shown as ${Math.round(ageMs)} ms old, ` +
        `${Math.round(mostMs - slackMs)} ms after its write was sent`,
    );
  }
}
