/**
 * The foreign parts of one world, each where it stands: store and guard at their servers, electors before their court.
 *
 * What a part throws as it is made, or what it makes in another shape than its port's, is told as its failure, and the
 * world has its own part in that place until it ends, which is at once.
 */

import type { Loss } from "../../audit/index.js";
import type { VirtualClock } from "../../base/virtual-clock.js";
import type { Chance } from "../../base/random.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle } from "../../fence/value-guard.js";
import type { Store } from "../../lease/store.js";
import { memoryStore } from "../../stores/memory/index.js";
import { diceFor } from "../dice.js";
import type { Power } from "../judge/power.js";
import { maxTtlMs, type Settings } from "../settings.js";
import type { Moment } from "../timeline.js";
import type { DiskUser } from "../world/disk.js";
import { FileHost } from "../world/file-host.js";
import { noCount } from "../world/ledger.js";
import { ElectorCourt } from "./elector-court.js";
import { EvictingStore } from "./evicting-store.js";
import { HostedGuard } from "./hosted-guard.js";
import { HostedStore } from "./hosted-store.js";
import { judgeGuard } from "./judge-guard.js";
import { PartClock } from "./part-clock.js";
import type { Parts } from "./parts.js";
import { shown } from "./plain.js";

export interface PartsScene {
  readonly seed: number;
  readonly nowMs: number;
  readonly power: Power;
  readonly timers: { delay(ms: number): Promise<void> };
  readonly cast: {
    named(name: string): DiskUser | undefined;
    readonly living: readonly (DiskUser & { readonly term: { readonly instance: string } | undefined })[];
  };
  createClock(): VirtualClock;
  freshId(): string;
  breaks(why: string): void;
  say(kind: Moment["kind"], party: string, text: string): void;
}

export class InstalledParts {
  readonly parts: Parts;
  readonly electors: ElectorCourt | undefined;
  /** Also where electors are foreign and the store is not: they may use what keys they like. */
  readonly store: HostedStore | undefined;
  readonly guard: HostedGuard | undefined;
  /** The machine that both of ours stand on, in worlds of the file store. */
  readonly host: FileHost | undefined;
  /** What its disk was left with by each power loss. */
  readonly losses: Loss[] = [];
  readonly #scene: PartsScene;
  readonly #storeClock: VirtualClock | undefined;
  readonly #foreignStore: boolean;
  /** Where the store is ours and may hold any keys. */
  readonly #evicting: EvictingStore | undefined;

  constructor(scene: PartsScene, parts: Parts, { store: kind, fenced }: Pick<Settings, "store" | "fenced">) {
    this.#scene = scene;
    this.parts = parts;
    const { createElector, createStore, createGuard } = parts;
    const host =
      kind === "file" && createStore === undefined
        ? new FileHost(scene, (name) => userIn(scene, name))
        : undefined;
    this.host = host;
    this.#foreignStore = createStore !== undefined || host !== undefined;
    if (createElector !== undefined) this.electors = new ElectorCourt(scene);
    if (host !== undefined) this.store = new HostedStore(host.store, scene, (by) => host.storeOf(by));
    else if (createStore !== undefined) {
      this.#storeClock = scene.createClock();
      const { clock, random } = this.#server("createStore", this.#storeClock);
      const store = this.#make("createStore", () => createStore({ clock, random }), wrongStore);
      this.store = new HostedStore(store ?? memoryStore({ maxTtlMs }), scene);
    } else if (createElector !== undefined) {
      this.#evicting = new EvictingStore(maxTtlMs);
      this.store = new HostedStore(this.#evicting.store, scene);
    }
    if (createGuard !== undefined) {
      const server = this.#server("createGuard", scene.createClock());
      const asked = { ...server, resource: "ledger", initial: noCount };
      const guard = this.#make("createGuard", () => createGuard(asked), wrongGuard);
      this.guard = guard && this.#host(guard);
    } else if (host !== undefined && fenced) this.guard = this.#host(host.guard);
  }

  /** Nobody leaves to the store's clock what the store does not judge. */
  settingsFor(settings: Settings): Settings {
    if (this.store?.capabilities.storeClock !== false) return settings;
    return { ...settings, byStoreClock: settings.byStoreClock.map(() => false) };
  }

  /** Whether hints are the store's own affair. */
  get hintsItself(): boolean {
    return this.store?.capabilities.notifies === true;
  }

  /** For our elections, which watch one key for as long as the world lasts. */
  hintAt(key: string, wake: () => void): void {
    if (this.electors === undefined) this.store?.watch([key], wake, new AbortController().signal);
  }

  /** A fault steps the clock of the store's machine. */
  stepStoreClock(byMs: number): void {
    this.#storeClock?.jump("wall", byMs);
    this.store?.ages.stepped(byMs);
  }

  evict(what: "expiring" | "all"): void {
    this.#evicting?.evict(what);
  }

  /** What store and guard did, as a whole. */
  stories(): readonly string[] {
    const calls = this.#foreignStore ? (this.store?.calls.stories(this.losses) ?? []) : [];
    const guard = this.guard === undefined ? [] : judgeGuard(this.guard.record);
    return [...calls.map((story) => `createStore: ${story}`), ...guard];
  }

  /** What may explain that nobody leads, or that nothing is written. */
  hints(): string {
    const { store, guard } = this;
    const hints = [
      store !== undefined && store.rejectedCount > 0
        ? `the store rejected ${store.rejectedCount} of ${store.calls.count} calls, last with ${shown(store.lastRejection)}`
        : "",
      store !== undefined && store.slowestMs > 0
        ? `its slowest answer took ${Math.round(store.slowestMs)} ms`
        : "",
      guard !== undefined && guard.failedCount > 0
        ? `the guard failed ${guard.failedCount} times, last with ${shown(guard.lastFailure)}`
        : "",
    ];
    const said = hints.filter((hint) => hint !== "").join("; ");
    return said === "" ? "" : ` (${said})`;
  }

  #server(part: string, clock: VirtualClock): { readonly clock: PartClock; readonly random: Chance } {
    const lot = diceFor(this.#scene.seed, part);
    return {
      clock: new PartClock(clock, (cause) =>
        this.#scene.breaks(`${part}: a timer of what it made failed: ${shown(cause)}`),
      ),
      random: { id: () => this.#scene.freshId(), fraction: () => lot.fraction() },
    };
  }

  #make<T>(name: string, create: () => T, wrongWith: (made: unknown) => string | undefined): T | undefined {
    try {
      const made = create();
      const wrong = made instanceof Promise ? "it made a promise; it must answer at once" : wrongWith(made);
      if (wrong === undefined) return made;
      this.#scene.breaks(`${name}: ${wrong}`);
    } catch (cause) {
      this.#scene.breaks(`${name} threw ${shown(cause)}`);
    }
    return undefined;
  }

  #host(guard: Guard<ValueHandle<unknown>>): HostedGuard {
    const scene = this.#scene;
    return new HostedGuard(guard, {
      get nowMs() {
        return scene.nowMs;
      },
      dice: diceFor(scene.seed, "bodies"),
      delay: async (ms) => scene.timers.delay(ms),
      breaks: (why) => scene.breaks(why),
      granted(what, { token, owner }) {
        scene.power.count(what === "claimed" ? "claims" : "guarded-writes");
        scene.say(
          "guard",
          "ledger",
          `${what === "claimed" ? "is claimed" : "is written"} by ${owner} with token ${token}`,
        );
      },
    });
  }
}

/** A claim is made by whoever leads with its fence. */
function userIn({ cast }: PartsScene, name: string): DiskUser | undefined {
  return cast.named(name) ?? cast.living.find(({ term }) => term?.instance === name);
}

function wrongStore(made: unknown): string | undefined {
  if (typeof made !== "object" || made === null) return `it made ${shown(made)}, which is no store`;
  const { read, write, capabilities, maxTtlMs: longest } = made as Partial<Store>;
  if (typeof read !== "function" || typeof write !== "function")
    return "what it made has no methods read and write";
  if (typeof capabilities !== "object" || capabilities === null) return "what it made has no capabilities";
  const names = ["provesAbsence", "storeClock", "readBackProves", "notifies"] as const;
  const unsaid = names.filter((name) => typeof capabilities[name] !== "boolean");
  if (unsaid.length > 0) return `its capabilities do not say ${unsaid.join(", ")}`;
  if (!Number.isSafeInteger(longest) || (longest ?? 0) < 1_000) return `its maxTtlMs is ${shown(longest)}`;
  return undefined;
}

function wrongGuard(made: unknown): string | undefined {
  if (typeof made !== "object" || made === null) return `it made ${shown(made)}, which is no guard`;
  return typeof (made as Partial<Guard<unknown>>).claim === "function"
    ? undefined
    : "what it made has no method claim";
}
