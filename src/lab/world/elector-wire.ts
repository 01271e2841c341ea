/**
 * The store as one foreign elector reaches it: the port of lease/store.ts over a channel, with any keys.
 *
 * It keeps a driver's manners: a call ends with its `timeoutMs` or its signal, and its outcome is unknown then. What
 * may be left out of a call is read kindly, since here the elector is judged, and not how it fills in calls.
 */

import type { Clock } from "../../base/clock.js";
import { decodeRecord, encodeRecord, type LeaseRecord } from "../../lease/record.js";
import type { Call, Store, StoreCapabilities, Stored, Version, Written } from "../../lease/store.js";
import type { HostedStore } from "../foreign/hosted-store.js";
import type { Answer } from "./register.js";
import type { Channel } from "./channel.js";

/** What a wire needs of the world around it. */
export interface ElectorRoad {
  readonly party: string;
  readonly clock: Clock;
  readonly hosted: HostedStore;
  /** Wakes take their time, and may be lost. */
  hint(wake: () => void): void;
  wrote(): void;
  /** It has the answer to a write. */
  told(): void;
  /** It wrote what nobody can read. */
  unreadable(record: unknown): void;
}

export class ElectorWire implements Store {
  readonly kind = "lab";
  readonly scope = "network";
  readonly capabilities: StoreCapabilities;
  readonly maxTtlMs: number;
  readonly #road: ElectorRoad;
  readonly #channel: Channel;
  #callCount = 0;

  constructor(road: ElectorRoad, channel: Channel) {
    this.#road = road;
    this.#channel = channel;
    this.capabilities = road.hosted.capabilities;
    this.maxTtlMs = road.hosted.maxTtlMs;
  }

  get callCount(): number {
    return this.#callCount;
  }

  readonly read = (key: string, call?: Call): Promise<Stored | undefined> => {
    const { hosted, party } = this.#road;
    return this.#send("read", undefined, call, () => hosted.read(party, key));
  };

  readonly write = async (
    key: string,
    record: LeaseRecord,
    expected: Version | undefined,
    call?: Call,
  ): Promise<Written> => {
    const { hosted, party } = this.#road;
    const sent = decodeRecord(encodeRecord(record));
    if (typeof sent === "string") {
      this.#road.unreadable(record);
      throw new TypeError("what is written must be a lease record of format 1");
    }
    const { absence = "prove", takeover = "observed" } = call ?? {};
    const order = {
      party,
      key,
      record: sent,
      expected: expected ?? undefined,
      absence,
      takeover,
    };
    return this.#send("write", sent.nonce, call, () => {
      this.#road.wrote();
      return hosted.write(order);
    });
  };

  readonly watch = (keys: readonly string[], wake: (key: string) => void, signal?: AbortSignal): void => {
    const { hosted, hint } = this.#road;
    if (signal?.aborted === true) return;
    const until = signal ?? new AbortController().signal;
    hosted.watch(
      keys,
      (key) =>
        hint(() => {
          if (!until.aborted) wake(key);
        }),
      until,
    );
  };

  async [Symbol.asyncDispose](): Promise<void> {}

  async #send<T>(
    kind: "read" | "write",
    mark: string | undefined,
    call: Call | undefined,
    carryOut: () => Answer<T>,
  ): Promise<T> {
    const { clock } = this.#road;
    const { signal, timeoutMs } = call ?? {};
    signal?.throwIfAborted();
    this.#callCount += 1;
    return new Promise<T>((resolve, reject) => {
      const end = () => {
        timer?.cancel();
        signal?.removeEventListener("abort", abort);
      };
      const abort = () => {
        end();
        reject(signal?.reason as Error);
      };
      const giveUp = () => {
        end();
        reject(new Error(`no answer within ${timeoutMs} ms`));
      };
      const timer = Number.isFinite(timeoutMs) ? clock.setTimer(timeoutMs ?? 0, giveUp) : undefined;
      signal?.addEventListener("abort", abort, { once: true });
      const answered = () => {
        if (kind === "write") this.#road.told();
      };
      const settled = this.#channel.call<T>({ kind, mark, carryOut, answered });
      void settled.then(resolve, reject).finally(end);
    });
  }
}
