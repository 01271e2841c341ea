/** One candidate of a case on a real Redis server: its election, what it sent, what it believed, what happened to it. */

import type { Clock } from "../../src/base/clock.js";
import { realChance } from "../../src/base/random.js";
import { realClock } from "../../src/base/real-clock.js";
import { createWitness } from "../../src/cli/demo/witness.js";
import type { Election, Leadership } from "../../src/election/api.js";
import { buildElection } from "../../src/election/election.js";
import type { CommonOptions } from "../../src/election/options.js";
import { lease, type LeaseOptions } from "../../src/lease/lease.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Store } from "../../src/lease/store.js";
import type { RedisStoreOptions } from "../../src/stores/redis/index.js";
import { nowMs, pause } from "../../test/processes/crew.js";
import type { TcpProxy } from "../../test/servers/proxy.js";
import type { ClientName, Connected } from "../../test/stores/redis/clients.js";
import type { Kept } from "./redis-monitor.js";

/** How often a candidate's check is asked, and what a case waits for is looked at. */
export const lookEveryMs = 5;
/** Instants of history are rounded, and so are readings of clocks. */
const roundedMs = 0.01;

export type SeatOptions = Omit<LeaseOptions, "store"> &
  Partial<CommonOptions> & {
    /** "url": by URL, the first client that is installed. */
    readonly client?: ClientName | "url" | ((url: string) => Promise<Connected>);
    /** Default true. */
    readonly proxied?: boolean;
    readonly store?: RedisStoreOptions;
    /** Replaces readings of its clocks. */
    readonly clock?: Partial<Clock>;
  };

export interface Happened {
  readonly event:
    | "elected"
    | "lost"
    | "released"
    | "uncertain"
    | "confirmed"
    | "renewFailed"
    | "follows"
    | "vacant";
  readonly at: number;
  readonly token?: number | undefined;
  readonly reason?: string;
  readonly lateByMs?: number;
  readonly outcome?: string;
  /** Until when it believed at that instant, as its leadership said. */
  readonly until?: number;
  readonly cause?: unknown;
}

/** A write that a candidate handed to its store. */
export interface Send {
  readonly at: number;
  readonly record: LeaseRecord;
}

/** One candidate. */
export class RedisActor {
  readonly node: string;
  readonly election: Election<Leadership>;
  readonly store: Store;
  readonly events: Happened[] = [];
  readonly history: string[] = [];
  readonly sends: Send[] = [];
  readonly #proxy: TcpProxy | undefined;
  readonly #clock: Clock;

  constructor(node: string, store: Store, proxy: TcpProxy | undefined, options: LeaseOptions & SeatOptions) {
    const { client: _, proxied: __, clock = {}, ...rest } = options;
    this.node = node;
    this.store = noting(store, this.sends);
    this.#proxy = proxy;
    this.#clock = { ...realClock, ...clock };
    const common = { name: "job", ...rest, node, history: (line: string) => void this.history.push(line) };
    const around = { clock: this.#clock, chance: realChance };
    this.election = buildElection(lease({ ...rest, store: this.store }), common, around);
    this.#listen();
  }

  get proxy(): TcpProxy {
    if (this.#proxy === undefined) throw new Error(`${this.node} has no proxy`);
    return this.#proxy;
  }

  /** Deadlines that were written down after that instant, by the monotonic clock. */
  extensions(afterAt = 0): readonly { readonly at: number; readonly until: number }[] {
    return this.history
      .map((line) => JSON.parse(line) as { event: string; at: string; until?: string })
      .filter(({ event, at }) => (event === "extended" || event === "elected") && Number(at) / 1e6 > afterAt)
      .map(({ at, until }) => ({ at: Number(at) / 1e6, until: Number(until) / 1e6 }));
  }

  /**
   * Why a deadline that was written down is later than a belief of `beliefMs` allows, counted from the send of the newest
   * write that the server had carried out by then; undefined when none is.
   */
  overdrawn(beliefMs: number, carried: readonly Kept[]): string | undefined {
    for (const { at, until } of this.extensions()) {
      const known = new Set(
        carried.flatMap(({ record }) => (typeof record === "string" ? [] : [record.nonce])),
      );
      const sent = this.sends.findLast((send) => send.at <= at && known.has(send.record.nonce));
      const mostMs = (sent?.at ?? 0) + beliefMs;
      if (until > mostMs + roundedMs) return `${until - mostMs} ms too late at ${at}`;
    }
    return undefined;
  }

  /** What it sent after that instant to go on with that term. */
  renewals(ofToken: number, afterAt = 0): readonly Send[] {
    return this.sends.filter(
      ({ at, record: { token, state } }) => at > afterAt && token === ofToken && state !== "released",
    );
  }

  all(event: Happened["event"], afterAt = 0): readonly Happened[] {
    return this.events.filter((happened) => happened.event === event && happened.at > afterAt);
  }

  #listen(): void {
    const { election, events } = this;
    const tell = (what: Omit<Happened, "at">): void => void events.push({ at: nowMs(), ...what });
    election.on("elected", ({ token }) => {
      tell({ event: "elected", token, until: nowMs() + (election.leadership?.remainingMs() ?? 0) });
      void this.#witness();
    });
    election.on("lost", ({ reason, token, lateByMs }) => tell({ event: "lost", reason, token, lateByMs }));
    election.on("released", ({ outcome }) => tell({ event: "released", outcome }));
    election.on("uncertain", ({ cause }) => tell({ event: "uncertain", cause }));
    election.on("confirmed", () => tell({ event: "confirmed" }));
    election.on("renewFailed", ({ cause }) => tell({ event: "renewFailed", cause }));
    election.on("leaderChanged", (view) => {
      if (view.kind === "vacant") tell({ event: "vacant" });
      else if (view.kind === "held" && view.node !== this.node) tell({ event: "follows", token: view.token });
    });
  }

  /** Asks the check of the term all the time, and writes down when it passed. */
  async #witness(): Promise<void> {
    const { leadership } = this.election;
    if (leadership === undefined) return;
    const { token, fence } = leadership;
    const passes = (): boolean => leadership.isCurrent;
    const identity = { node: this.node, namespace: leadership.namespace, election: leadership.election };
    const parts = {
      identity,
      clock: this.#clock,
      sink: (line: string) => void this.history.push(line),
      onWake() {},
    };
    const witness = createWitness({ instance: fence.owner, token, passes }, parts);
    while (witness.look()) await pause(lookEveryMs);
  }
}

/** The store, with a note of each write. */
function noting(store: Store, sends: Send[]): Store {
  return new Proxy(store, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name, target);
      if (typeof part !== "function") return part;
      if (name !== "write") return part.bind(target) as unknown;
      return async (...args: Parameters<Store["write"]>) => {
        sends.push({ at: nowMs(), record: args[1] });
        return target.write(...args);
      };
    },
  });
}
