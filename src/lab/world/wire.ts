/** The store as one process reaches it: the port of lease/store.ts over a channel. */

import type { RegisterCall } from "../../audit/index.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { Call, Store, StoreCapabilities, Stored, Version, Written } from "../../lease/store.js";
import { type CallLog, type OpenCall, registerAnswer } from "./call-log.js";
import type { Channel } from "./channel.js";
import { type Answer, type Author, electionKey, type Order } from "./register.js";

/** What a wire needs of the world around it. */
export interface StoreRoad {
  readonly nowMs: number;
  readonly capabilities: StoreCapabilities;
  readonly maxTtlMs: number;
  /** Where calls and answers are kept, in worlds whose store is judged by them. */
  readonly calls: CallLog | undefined;
  readonly name: string;
  readonly by: Author;
  readonly read: () => Answer<Stored | undefined>;
  write(order: Order): Answer<Written>;
  /** Whether the caller has given up on it. */
  isLate(call: Call, sentAt: number): boolean;
  sent(record: LeaseRecord, expected: Version | undefined, manner: Pick<Call, "absence" | "takeover">): void;
  delivered(
    answer: Stored | Written | undefined,
    written: LeaseRecord | undefined,
    sentAt: number,
    late: boolean,
  ): void;
}

const reading: RegisterCall["call"] = { kind: "read" };

export class Wire {
  readonly #road: StoreRoad;
  readonly #channel: Channel;
  #wakes: { readonly wake: () => void; readonly signal: AbortSignal }[] = [];

  constructor(road: StoreRoad, channel: Channel) {
    this.#road = road;
    this.#channel = channel;
  }

  /** A hint from the store. */
  hint(): void {
    this.#wakes = this.#wakes.filter(({ signal }) => !signal.aborted);
    for (const { wake } of this.#wakes) wake();
  }

  store(): Store {
    const road = this.#road;
    return {
      kind: "lab",
      scope: "network",
      capabilities: road.capabilities,
      maxTtlMs: road.maxTtlMs,
      read: (_key, call) => this.#read(call),
      write: (_key, record, expected, call) => this.#write(record, expected, call),
      watch: (_keys, wake, signal) => void this.#wakes.push({ wake: () => wake(electionKey), signal }),
      async [Symbol.asyncDispose]() {},
    };
  }

  #read(call: Call): Promise<Stored | undefined> {
    const road = this.#road;
    const sentAt = road.nowMs;
    const open = this.#log(reading);
    return this.#channel.call({
      kind: "read",
      mark: undefined,
      carryOut: road.read,
      answered: (stored) => {
        open?.answered(registerAnswer(stored));
        if (!road.isLate(call, sentAt)) road.delivered(stored, undefined, sentAt, false);
      },
    });
  }

  #write(record: LeaseRecord, expected: Version | undefined, call: Call): Promise<Written> {
    const road = this.#road;
    const { by } = road;
    const { absence, takeover } = call;
    const sentAt = road.nowMs;
    if (!this.#channel.following) road.sent(record, expected, call);
    const open = this.#log({ kind: "write", nonce: record.nonce, expected });
    return this.#channel.call({
      kind: "write",
      mark: record.nonce,
      carryOut: () => road.write({ by, record, expected, absence, takeover, sentAt }),
      answered: (answer) => {
        open?.answered(registerAnswer(answer));
        road.delivered(answer, record, sentAt, road.isLate(call, sentAt));
      },
    });
  }

  /** A twin that still follows sends nothing of its own. */
  #log(call: RegisterCall["call"]): OpenCall | undefined {
    if (this.#channel.following) return undefined;
    return this.#road.calls?.begin(electionKey, this.#road.name, call);
  }
}
