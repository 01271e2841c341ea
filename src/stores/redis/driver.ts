/**
 * The store port on exchanges with a server: calls in, answers or errors of ours out.
 *
 * Must keep nothing in memory that safety rests on, but since when it has known an epoch, and
 * must send nothing for a caller who no longer wants it.
 */

import type { Clock } from "../../base/clock.js";
import { createError } from "../../errors/index.js";
import type {
  BatchedRead,
  BatchedWrite,
  Call,
  Failed,
  Store,
  StoreCapabilities,
  StoreFinding,
  Stored,
  Written,
} from "../../lease/store.js";
import type { Recipe } from "./connection.js";
import { argsOfWrite, exchange, type Header, type Reply } from "./exchange.js";
import { exchangeFailed, itemFailed } from "./failures.js";
import { Findings } from "./findings.js";
import { Hints } from "./hints.js";
import { type Place, placeOf } from "./keys.js";
import { Links } from "./links.js";
import { Memory } from "./marker.js";
import type { Settings } from "./options.js";
import { decodeValue, nonceWord, versionOf } from "./value.js";

type Looked = { readonly stored: Stored | undefined };

/** What becomes of one item of a batch. */
interface Item {
  readonly place: Place;
  readonly call: Call;
  readonly args: readonly string[];
}

export class RedisDriver implements Store {
  readonly kind = "redis";
  readonly scope = "network";
  readonly capabilities: StoreCapabilities;
  readonly maxTtlMs: number;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #links: Links;
  readonly #hints: Hints | undefined;
  readonly #findings: Findings = new Findings();
  readonly #memories = new Map<string, Memory>();
  #closed = false;

  constructor(settings: Settings, recipe: Recipe, clock: Clock) {
    const own = settings.connection === "own";
    // Absence is proven by each write, where it can be, and not always: a server without a past proves nothing.
    this.capabilities = { provesAbsence: false, storeClock: true, readBackProves: true, notifies: own };
    this.maxTtlMs = settings.maxTtlMs;
    this.#settings = settings;
    this.#clock = clock;
    const connectTimeoutMs = Math.max(1_000, Math.floor((settings.maxTtlMs * 2) / 15));
    const silentMs = Math.floor(settings.maxTtlMs / 1.5);
    const inspected = this.#findings.inspected.bind(this.#findings);
    this.#links = new Links({ recipe, clock, connectTimeoutMs, silentMs, inspected });
    this.#hints = own ? new Hints(recipe, clock, connectTimeoutMs) : undefined;
  }

  get findings(): readonly StoreFinding[] {
    return this.#findings.all;
  }

  async read(key: string, call: Call): Promise<Stored | undefined> {
    const answer = only(await this.readMany([{ key, call }]));
    if ("kind" in answer) throw answer.cause;
    return answer.stored;
  }

  async write(
    key: string,
    record: BatchedWrite["record"],
    expected: BatchedWrite["expected"],
    call: Call,
  ): Promise<Written> {
    const answer = only(await this.writeMany([{ key, record, expected, call }]));
    if (answer.kind === "failed") throw answer.cause;
    return answer;
  }

  async readMany(items: readonly BatchedRead[]): Promise<readonly (Looked | Failed)[]> {
    const reads = items.map(({ key, call }) => ({
      place: placeOf(this.#settings.prefix, key),
      call,
      args: [],
    }));
    return this.#inNamespaces(reads, "r", (header, [value = null]) => ({ stored: storedOf(header, value) }));
  }

  async writeMany(items: readonly BatchedWrite[]): Promise<readonly (Written | Failed)[]> {
    const { prefix, tombstoneMs } = this.#settings;
    const nonces = new Map<Item, string>();
    const writes = items.map(({ key, record, expected, call }): Item | Failed => {
      const place = placeOf(prefix, key);
      try {
        const item = { place, call, args: argsOfWrite(place, record, expected, call, tombstoneMs) };
        nonces.set(item, record.nonce);
        return item;
      } catch (cause) {
        return { kind: "failed", cause };
      }
    });
    return this.#inNamespaces(writes, "w", (header, reply, item) =>
      writtenOf(header, reply, nonces.get(item) ?? ""),
    );
  }

  watch(keys: readonly string[], wake: (key: string) => void, signal: AbortSignal): void {
    for (const key of new Set(keys)) {
      this.#hints?.listen(placeOf(this.#settings.prefix, key), () => wake(key), signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#hints?.close();
    this.#links.close();
  }

  /** One exchange per namespace, as only keys of one namespace are sure to lie together. */
  async #inNamespaces<T>(
    items: readonly (Item | Failed)[],
    mode: "r" | "w",
    answer: (header: Header, reply: Reply, item: Item) => T,
  ): Promise<readonly (T | Failed)[]> {
    const answers = new Map<Item | Failed, T | Failed>();
    const groups = new Map<string, Item[]>();
    for (const item of items) {
      const failure = "kind" in item ? item : this.#unwanted(item.call);
      if (failure !== undefined) answers.set(item, failure);
      else if (!("kind" in item)) {
        const group = groups.get(item.place.marker) ?? [];
        groups.set(item.place.marker, group);
        group.push(item);
      }
    }
    await Promise.all(
      [...groups].map(async ([marker, group]) => {
        try {
          const sent = await this.#exchange(marker, mode, group);
          for (const { item, header, reply } of sent) answers.set(item, answer(header, reply, item));
        } catch (cause) {
          const [first] = group;
          const failed = exchangeFailed(cause, this.maxTtlMs, first?.call.signal);
          for (const item of group) answers.set(item, { kind: "failed", cause: failed });
        }
        for (const item of group) answers.set(item, answers.get(item) ?? unsent(item.call));
      }),
    );
    return items.map((item) => answers.get(item) ?? { kind: "failed", cause: new Error("not sent") });
  }

  async #exchange(
    marker: string,
    mode: "r" | "w",
    group: readonly Item[],
  ): Promise<readonly { readonly item: Item; readonly header: Header; readonly reply: Reply }[]> {
    const patience = { timeoutMs: Math.max(...group.map(({ call }) => call.timeoutMs)) };
    const link = await this.#links.usable(patience);
    // Whoever gave up while there was no connection is left out.
    const wanted = group.filter(({ call }) => this.#unwanted(call) === undefined);
    if (wanted.length === 0) return [];
    const memory = this.#memoryOf(marker);
    const { maxTtlMs } = this;
    const { header, replies } = await exchange(
      async (args) => this.#links.send(link, args, { ...patience, late: mode === "w" }),
      {
        marker,
        mode,
        keys: wanted.map(({ place }) => place.key),
        args: wanted.flatMap(({ args }) => args),
      },
      {
        maxTtlMs,
        // A shared client may have connected to another server since.
        runId: this.#settings.connection === "own" ? link.runId : "",
        fresh: memory.fresh,
        watched: memory.watched(this.#clock.monotonicMs()),
      },
    );
    memory.seen(header.epoch, header.marker, this.#clock.monotonicMs());
    this.#findings.replicas(header.replicaCount);
    return wanted.map((item, at) => ({ item, header, reply: replies[at] ?? [] }));
  }

  #memoryOf(marker: string): Memory {
    const memory = this.#memories.get(marker) ?? new Memory(this.maxTtlMs);
    this.#memories.set(marker, memory);
    return memory;
  }

  #unwanted(call: Call): Failed | undefined {
    if (this.#closed)
      return { kind: "failed", cause: createError("STORE_CLOSED", "the redis store was closed") };
    return call.signal.aborted ? unsent(call) : undefined;
  }
}

function unsent({ signal }: Call): Failed {
  return { kind: "failed", cause: signal.reason };
}

function only<T>(answers: readonly T[]): T {
  const [answer] = answers;
  if (answer === undefined) throw createError("STORE_UNREACHABLE", "the server's answer was empty");
  return answer;
}

function storedOf({ epoch, nowMs }: Header, value: string | null): Stored | undefined {
  return value === null ? undefined : decodeValue(value, epoch, nowMs);
}

function writtenOf(header: Header, [kind, value = null, error]: Reply, nonce: string): Written | Failed {
  const { epoch } = header;
  if (kind === "written") return { kind, version: versionOf(epoch, nonceWord(nonce)), epoch };
  if (kind === "conflict") return { kind, current: storedOf(header, value) };
  if (kind === "unproven") return { kind, epoch };
  return { kind: "failed", cause: itemFailed(String(error)) };
}
