// A register of another make than ours, with a journal that takes its time. Correct as it is; each flaw spoils it in one
// place.

/**
 * @typedef {import("tenure/lab").ServerParts} Parts
 * @typedef {import("tenure/lease").Call} Call
 * @typedef {import("tenure/lease").LeaseRecord} LeaseRecord
 * @typedef {import("tenure/lease").Stored} Stored
 * @typedef {import("tenure/lease").Written} Written
 * @typedef {{
 *   delayMs?: number, noCompare?: boolean, compareThenWrite?: boolean, early?: boolean, repeats?: boolean, stale?: boolean,
 *   losesNow?: boolean, twiceTold?: boolean, dropsField?: boolean, absentAgain?: boolean, rejects?: number, clock?: boolean,
 *   ageUnjudged?: boolean, oldAge?: boolean, wrongShape?: boolean, maxTtlMs?: number, watch?: boolean, watchAsTruth?: boolean,
 *   noProof?: boolean, readOnly?: boolean, sorted?: boolean,
 * }} Flaws
 */

/** @param {Flaws} flaws */
export function journalStore(flaws = {}) {
  return (/** @type {Parts} */ parts) => new JournalStore(parts, flaws);
}

/** @typedef {{ version: string, text: string, atMs: number }} Entry */

class JournalStore {
  /** @param {Parts} parts @param {Flaws} flaws */
  constructor({ clock, random }, flaws) {
    this.clock = clock;
    this.random = random;
    this.flaws = flaws;
    this.kind = "journal";
    this.scope = /** @type {const} */ ("network");
    this.maxTtlMs = flaws.maxTtlMs ?? 60_000;
    this.capabilities = {
      provesAbsence: flaws.noProof !== true,
      storeClock: flaws.clock === true,
      readBackProves: true,
      notifies: flaws.watch === true,
    };
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    /** @type {Entry[]} */
    this.past = [];
    /** @type {Entry | undefined} */
    this.copy = undefined;
    this.count = 0;
    /** @type {((key: string) => void)[]} */
    this.wakes = [];
    this.turn = Promise.resolve();
  }

  /** @param {number} ms @returns {Promise<void>} */
  sleep(ms) {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => void this.clock.setTimer(ms, resolve));
  }

  pause() {
    return this.sleep((this.flaws.delayMs ?? 0) * this.random.fraction());
  }

  /** One after the other, as a single thread of a server. @template T @param {() => Promise<T>} act @returns {Promise<T>} */
  inTurn(act) {
    const result = this.turn.then(act);
    this.turn = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  /** @param {string} key @param {Call} call @returns {Promise<Stored | undefined>} */
  async read(key, call) {
    call.signal.throwIfAborted();
    await this.pause();
    const { flaws } = this;
    let entry = this.entries.get(key);
    if (flaws.stale && this.random.fraction() < 0.05 && this.past.length > 1) entry = this.past.at(-2);
    if (flaws.absentAgain && this.random.fraction() < 0.01) entry = undefined;
    if (flaws.watchAsTruth) {
      this.copy ??= entry;
      entry = this.copy;
    }
    await this.pause();
    return this.shown(entry);
  }

  /** @param {Entry | undefined} entry @returns {Stored | undefined} */
  shown(entry) {
    // Not what the port says.
    if (entry === undefined) return this.flaws.wrongShape ? /** @type {never} */ (null) : undefined;
    const { request, ...rest } = recordIn(entry);
    const body = request === undefined || this.flaws.dropsField ? rest : { ...rest, request };
    const ageMs = this.clock.monotonicMs() - entry.atMs + (this.flaws.oldAge ? 4_000 : 0);
    return { version: entry.version, epoch: "journal", body, ...(this.flaws.clock && { ageMs }) };
  }

  /** @param {string} key @param {LeaseRecord} record @param {string | undefined} expected @param {Call} call @returns {Promise<Written>} */
  async write(key, record, expected, call) {
    call.signal.throwIfAborted();
    await this.pause();
    if (this.flaws.readOnly) throw new Error("the disk is read-only");
    const step = async () => this.step(key, record, expected, call);
    const answer = await (this.flaws.compareThenWrite || this.flaws.early ? step() : this.inTurn(step));
    await this.pause();
    if (this.random.fraction() < (this.flaws.rejects ?? 0)) throw new Error("the connection was closed");
    return answer;
  }

  /** @param {string} key @param {LeaseRecord} record @param {string | undefined} expected @param {Call} call @returns {Promise<Written>} */
  async step(key, record, expected, call) {
    const { flaws } = this;
    const current = this.entries.get(key);
    const young =
      call.takeover === "store-clock" &&
      current !== undefined &&
      !flaws.ageUnjudged &&
      this.clock.monotonicMs() - current.atMs < recordIn(current).ttlMs;
    if ((current?.version !== expected && !flaws.noCompare) || young) {
      if (flaws.twiceTold && this.random.fraction() < 0.2)
        return { kind: "written", version: `j${this.count}`, epoch: "journal" };
      return { kind: "conflict", current: this.shown(current) };
    }
    if (current === undefined && call.absence === "prove" && flaws.noProof)
      return { kind: "unproven", epoch: "journal" };
    if (flaws.compareThenWrite) await this.sleep(5);
    this.count += 1;
    const version = flaws.repeats ? `j${record.seq}` : `j${this.count}`;
    const text = JSON.stringify(flaws.sorted ? backwards(record) : record);
    const entry = { version, text, atMs: this.clock.monotonicMs() };
    const put = () => {
      if (flaws.losesNow && this.random.fraction() < 0.02) return;
      this.entries.set(key, entry);
      this.past.push(entry);
      if (!flaws.watchAsTruth) this.copy = undefined;
      for (const wake of this.wakes) wake(key);
    };
    if (flaws.early) this.clock.setTimer(40, put);
    else put();
    return { kind: "written", version, epoch: "journal" };
  }

  /** @param {readonly string[]} _keys @param {(key: string) => void} wake @param {AbortSignal} signal */
  watch(_keys, wake, signal) {
    if (!this.flaws.watch && !this.flaws.watchAsTruth) return;
    this.wakes.push((key) => {
      if (signal.aborted) return;
      // Renewals wake nobody.
      if (this.flaws.watchAsTruth && this.random.fraction() < 0.5) return;
      this.copy = undefined;
      wake(key);
    });
  }

  async [Symbol.asyncDispose]() {}
}

/** @param {Entry} entry @returns {LeaseRecord} */
function recordIn({ text }) {
  return /** @type {LeaseRecord} */ (JSON.parse(text));
}

/** @param {unknown} value @returns {unknown} */
function backwards(value) {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, entry]) => [name, backwards(entry)]),
  );
}

export const correct = {
  plain: journalStore(),
  "takes its time": journalStore({ delayMs: 150 }),
  "takes up to a second": journalStore({ delayMs: 400 }),
  "rejects now and then, after it has written": journalStore({ delayMs: 20, rejects: 0.03 }),
  "judges by its clock": journalStore({ clock: true, delayMs: 10 }),
  "proves nothing, and takes shorter leases only": journalStore({ noProof: true, maxTtlMs: 9_000 }),
  "gives hints": journalStore({ watch: true, delayMs: 5 }),
  "keeps fields in another order": journalStore({ sorted: true }),
};

export const broken = {
  "writes without comparing": journalStore({ noCompare: true }),
  "compares, waits, and writes": journalStore({ compareThenWrite: true }),
  "answers before it has written": journalStore({ early: true }),
  "versions repeat": journalStore({ repeats: true }),
  "shows what was there before": journalStore({ stale: true }),
  "loses a write that it has acknowledged": journalStore({ losesNow: true }),
  "says written for a conflict": journalStore({ twiceTold: true }),
  "drops a field": journalStore({ dropsField: true }),
  "says absent for what is there": journalStore({ absentAgain: true }),
  "takes over by its clock whatever that says": journalStore({ clock: true, ageUnjudged: true }),
  "shows records older than they are": journalStore({ clock: true, oldAge: true }),
  "answers null": journalStore({ wrongShape: true }),
  "reads from a copy that hints refresh": journalStore({ watchAsTruth: true }),
  "never writes": journalStore({ readOnly: true }),
};
