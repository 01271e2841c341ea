/**
 * One machine with one disk, and on it the store and the guard that ship for directories: each process has its own
 * driver over the same files, and is stopped or killed between any two of their steps.
 *
 * When the machine loses power all of its processes are gone. What was answered must be on the disk after that: no
 * write, no claim, and nothing that somebody took for written. What was shown and not answered may be gone.
 */

import type { VirtualClock } from "../../base/virtual-clock.js";
import type { Guard } from "../../fence/guard.js";
import type { FileSystem } from "../../chain/file-system.js";
import { readGeneration } from "../../chain/marker.js";
import { openFileGuard } from "../../fence/file/open.js";
import type { ValueGuard, ValueHandle } from "../../fence/value-guard.js";
import type { Body } from "../../fence/file/cell.js";
import { readKeptVersions as readValues } from "../../fence/file/kept-versions.js";
import type { Store, Version } from "../../lease/store.js";
import { createDriver } from "../../stores/file/driver.js";
import { readKeptVersions as readRecords } from "../../stores/file/kept-versions.js";
import { diceFor } from "../dice.js";
import { stampedOf } from "../foreign/guard-record.js";
import { maxTtlMs } from "../settings.js";
import { Disk, type DiskUser } from "./disk.js";
import { filesOn } from "./disk-files.js";
import { noCount } from "./ledger.js";

export interface HostScene {
  readonly seed: number;
  createClock(): VirtualClock;
  freshId(): string;
  breaks(why: string): void;
}

/** What stands after a power loss. */
export interface Left {
  readonly version: Version | undefined;
  /** Of the record. */
  readonly nonce: string | undefined;
  /** Of the guarded value: who wrote it last. */
  readonly stamp: string | undefined;
}

/** What the guard has answered so far. */
export interface Answered {
  readonly watermark: number;
  readonly count: number;
}

const root = "/var/lib/tenure";
const storeRoot: string = `${root}/election`;
const guardRoot: string = `${root}/ledger`;
const key = "default/job";

export class FileHost {
  readonly disk: Disk;
  readonly #scene: HostScene;
  readonly #user: (name: string) => DiskUser | undefined;
  readonly #keepVersions: number;
  #stores = new Map<string, Store>();
  /** Whoever watches does so again after each start. */
  readonly #watching: (() => void)[] = [];
  #power = new AbortController();
  /** The last write that was answered. */
  #acknowledged: Place | undefined;
  /** Without power. */
  off = false;

  /** `user`: the process of that name, or the one that leads under that instance. */
  constructor(scene: HostScene, user: (name: string) => DiskUser | undefined) {
    this.#scene = scene;
    this.#user = user;
    const dice = diceFor(scene.seed, "disk");
    this.#keepVersions = dice.pick([4, 16, Number.POSITIVE_INFINITY]);
    const sync = dice.pick([2, 20, 120]);
    const latencyMs = { look: 0.2, change: 1, sync };
    this.disk = new Disk({ clock: scene.createClock(), dice, latencyMs });
  }

  /** Of nobody in particular: for what all have in common, and for hints. */
  get store(): Store {
    return {
      ...this.#open(awake),
      watch: (keys, wake, signal) => {
        const watch = () => this.#open(awake).watch?.(keys, wake, this.#power.signal);
        if (signal.aborted) return;
        this.#watching.push(watch);
        watch();
      },
    };
  }

  /** As the process of that name has it. */
  storeOf(party: string): Store {
    const known = this.#stores.get(party);
    if (known !== undefined) return known;
    const driver = this.#open(this.#userOf(party));
    const store: Store = {
      ...driver,
      write: async (...call) => {
        const answer = await driver.write(...call);
        if (answer.kind === "written") this.#answered(answer.version);
        return answer;
      },
    };
    this.#stores.set(party, store);
    return store;
  }

  /** One for all: a claim is made by whoever leads with that fence. */
  readonly guard: Guard<ValueHandle<unknown>> = {
    kind: "file",
    resource: "ledger",
    claim: async (claimed, options) => {
      const { owner } = "fence" in claimed ? claimed.fence : claimed;
      return this.#openGuard(this.#userOf(owner)).claim(claimed, options);
    },
  };

  losePower(): void {
    this.off = true;
    this.#power.abort();
    this.#stores = new Map();
    this.disk.losePower();
  }

  /** What is left, as audits read it. Breaks the world where something that was answered is not there. */
  async left(answered: Answered): Promise<Left> {
    const scene = this.#scene;
    const files = filesOn(this.disk.look(), () => this.#scene.freshId());
    const record = (await readRecords(storeRoot, key, files)).at(-1);
    const nonce = typeof record?.body === "object" ? record.body.nonce : undefined;
    const found = record === undefined ? "nothing" : `${record.number}/${nonce}`;
    const lost = this.#acknowledged;
    if (lost !== undefined && (lost.number > (record?.number ?? 0) || isOther(lost, record?.number, nonce)))
      scene.breaks(`the disk lost write ${lost.number}/${lost.nonce}, which was answered: it has ${found}`);
    const { watermark, count, stamp } = valueOf((await readValues(guardRoot, "ledger", files)).at(-1)?.body);
    if (watermark < answered.watermark)
      scene.breaks(
        `the disk lost the claim of token ${answered.watermark}, which was answered: it has ${watermark}`,
      );
    if (count < answered.count)
      scene.breaks(
        `the disk lost the write of the count ${answered.count}, which was answered: it has ${count}`,
      );
    const version = nonce === undefined ? undefined : `${await this.#epoch(files)}/${found}`;
    return { version, nonce, stamp };
  }

  async #epoch(files: FileSystem): Promise<string> {
    const { identity } = await files.stat(storeRoot);
    return `${identity}-${await readGeneration(files, storeRoot)}`;
  }

  restart(): void {
    this.off = false;
    this.#power = new AbortController();
    for (const watch of this.#watching) watch();
  }

  #open(user: DiskUser): Store {
    const settings = { root: storeRoot, maxTtlMs, keepVersions: this.#keepVersions };
    return createDriver(settings, this.#filesFor(user));
  }

  #openGuard(user: DiskUser): ValueGuard<unknown> {
    const options = { resource: "ledger", initial: noCount, keepVersions: this.#keepVersions };
    return openFileGuard<unknown>(guardRoot, options, this.#filesFor(user));
  }

  #filesFor(user: DiskUser): FileSystem {
    return filesOn(this.disk.open(user), () => this.#scene.freshId());
  }

  #userOf(name: string): DiskUser {
    return this.#user(name) ?? awake;
  }

  #answered(version: Version): void {
    const place = placeOf(version);
    if (place.number > (this.#acknowledged?.number ?? 0)) this.#acknowledged = place;
  }
}

/** Of nobody in particular. */
const awake: DiskUser = { whenAwake: (read) => read() };

interface Place {
  readonly number: number;
  readonly nonce: string;
}

/** Where a write stands in its chain: a version is `epoch/number/nonce`. */
function placeOf(version: Version): Place {
  const [, number, nonce = ""] = version.split("/");
  return { number: Number(number), nonce };
}

/** Another write has its place. */
function isOther(place: Place, number: number | undefined, nonce: string | undefined): boolean {
  return place.number === number && place.nonce !== nonce;
}

function valueOf(body: Body | undefined): Answered & { readonly stamp: string | undefined } {
  if (typeof body !== "object") return { watermark: 0, count: 0, stamp: undefined };
  const watermark = body.fencing.rows[0]?.row.watermark ?? 0;
  const { count, stamp } = stampedOf(body.value === undefined ? undefined : JSON.parse(body.value));
  return { watermark, count, stamp };
}
