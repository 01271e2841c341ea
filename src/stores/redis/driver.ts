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
import type { Recipe } from "../../redis/connection.js";
import { exchange, type Item, type Mode } from "./exchange.js";
import { exchangeFailed } from "./failures.js";
import { Findings } from "./findings.js";
import { Hints } from "./hints.js";
import { type Looked, readItem, writeItem } from "./items.js";
import { placeOf } from "./keys.js";
import { Links } from "./links.js";
import { Memory } from "./memory.js";
import type { Settings } from "./options.js";

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
    // Absence is proven by each write where it can be, and not always: a server without a past proves nothing.
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
    const [answer] = await this.readMany([{ key, call }]);
    return theOne<Looked>(answer).stored;
  }

  async write(
    key: string,
    record: BatchedWrite["record"],
    expected: BatchedWrite["expected"],
    call: Call,
  ): Promise<Written> {
    const [answer] = await this.writeMany([{ key, record, expected, call }]);
    return theOne<Written>(answer);
  }

  async readMany(reads: readonly BatchedRead[]): Promise<readonly (Looked | Failed)[]> {
    return this.#all(
      "r",
      reads.map((read) => readItem(this.#settings, read)),
    );
  }

  async writeMany(writes: readonly BatchedWrite[]): Promise<readonly (Written | Failed)[]> {
    return this.#all(
      "w",
      writes.map((write) => {
        try {
          return writeItem(this.#settings, write);
        } catch (cause) {
          return failed(cause);
        }
      }),
    );
  }

  watch(keys: readonly string[], wake: (key: string) => void, signal: AbortSignal): void {
    for (const key of new Set(keys)) {
      this.#hints?.listen(placeOf(this.#settings.prefix, key), () => wake(key), signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#hints?.close();
    this.#links.close();
  }

  /** One exchange per namespace, as only the keys of one are sure to lie together. Never rejects. */
  async #all<T>(mode: Mode, items: readonly (Item<T> | Failed)[]): Promise<readonly (T | Failed)[]> {
    const groups = new Map<string, Item<T>[]>();
    for (const item of items) {
      if ("kind" in item) continue;
      const group = groups.get(item.place.marker) ?? [];
      groups.set(item.place.marker, group);
      group.push(item);
    }
    const answers = new Map<Item<T>, T>();
    const failures = new Map<string, unknown>();
    await Promise.all(
      [...groups].map(async ([marker, group]) =>
        this.#exchange(mode, group, answers).catch((cause: unknown) => failures.set(marker, cause)),
      ),
    );
    return items.map((item) => {
      if ("kind" in item) return item;
      const answer = answers.get(item);
      if (answer !== undefined) return answer;
      const cause = failures.get(item.place.marker) ?? this.#unwanted(item.call);
      return failed(exchangeFailed(cause, this.maxTtlMs, item.call.signal));
    });
  }

  /** Leaves out whoever gave up before it is sent, also while there is no connection. */
  async #exchange<T>(mode: Mode, group: readonly Item<T>[], answers: Map<Item<T>, T>): Promise<void> {
    const wanted = () => group.filter(({ call }) => this.#unwanted(call) === undefined);
    if (wanted().length === 0) return;
    const timeoutMs = Math.max(...group.map(({ call }) => call.timeoutMs));
    const link = await this.#links.usable({ timeoutMs });
    const items = wanted();
    const [first] = items;
    if (first === undefined) return;
    const memory = this.#memoryOf(first.place.marker);
    const { header, replies } = await exchange(
      async (args) => this.#links.send(link, args, { timeoutMs, late: mode === "w" }),
      mode,
      items,
      {
        maxTtlMs: this.maxTtlMs,
        // A shared client may have connected to another server since.
        runId: this.#settings.connection === "own" ? link.runId : "",
        fresh: memory.fresh,
        watched: memory.watched(this.#clock.monotonicMs()),
      },
    );
    // Renewals that were what their holders know are written without a look at the server.
    if (header.epoch !== "") {
      memory.seen(header.epoch, header.marker, this.#clock.monotonicMs());
      this.#findings.replicas(header.replicaCount);
    }
    for (const [at, item] of items.entries()) answers.set(item, item.answer(header, replies[at] ?? []));
  }

  #memoryOf(marker: string): Memory {
    const memory = this.#memories.get(marker) ?? new Memory(this.maxTtlMs);
    this.#memories.set(marker, memory);
    return memory;
  }

  /** Why a call is not to be sent any more. */
  #unwanted({ signal }: Call): unknown {
    if (this.#closed) return createError("STORE_CLOSED", "the redis store was closed");
    return signal.aborted ? signal.reason : undefined;
  }
}

function failed(cause: unknown): Failed {
  return { kind: "failed", cause };
}

function theOne<T extends object>(answer: T | Failed | undefined): T {
  if (answer === undefined) throw createError("STORE_UNREACHABLE", "the server's answer was empty");
  if (isFailed(answer)) throw answer.cause;
  return answer;
}

function isFailed(answer: object): answer is Failed {
  return "kind" in answer && answer.kind === "failed";
}
