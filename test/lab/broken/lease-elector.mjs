// @ts-nocheck -- plain JavaScript, as others bring it
// An elector in a hundred lines, of another make than ours: a lease that is observed for its whole ttl, a deadline from
// the send, and a look at the clock for each answer. Correct as it is. Flaws spoil it in one place each.

/**
 * @typedef {import("tenure/lab").ElectorParts} Parts
 * @typedef {import("tenure/lease").LeaseRecord} LeaseRecord
 * @typedef {{ record: LeaseRecord, version: string, deadline: number }} Lease
 * @typedef {{
 *   deadlineFromReply?: boolean, noDeadline?: boolean, monotonicOnly?: boolean, wallClock?: boolean, belief?: number,
 *   blindTake?: boolean, sameToken?: boolean, halfWait?: boolean, neverGivesUp?: boolean, leavesTimer?: boolean,
 *   keepsOnStop?: boolean, hangsOnStop?: boolean, slow?: boolean, rotates?: boolean, sinceSend?: boolean,
 * }} Flaws
 */

/** @param {Flaws} flaws */
export function leaseElector(flaws = {}) {
  return (/** @type {Parts} */ parts) => new LeaseElector(parts, flaws);
}

class LeaseElector {
  /** @param {Parts} parts @param {Flaws} flaws */
  constructor(parts, flaws) {
    this.parts = parts;
    this.flaws = flaws;
    this.beliefMs = parts.ttlMs * (flaws.belief ?? 2 / 3);
    this.renewMs = parts.ttlMs / 6;
    this.patienceMs = Math.floor((parts.ttlMs * 2) / 15);
    /** @type {Lease | undefined} */
    this.lease = undefined;
    /** @type {{ version: string, sinceMs: number } | undefined} */
    this.seen = undefined;
    /** @type {{ cancel(): void } | undefined} */
    this.timer = undefined;
    this.running = false;
    this.busy = Promise.resolve();
  }

  now() {
    const { clock } = this.parts;
    if (this.flaws.wallClock) return clock.wallMs();
    // Sleep counts, for whoever leads.
    return this.flaws.monotonicOnly ? clock.monotonicMs() : clock.bootMs();
  }

  start() {
    this.running = true;
    this.next(this.parts.random.fraction() * this.renewMs);
  }

  check() {
    if (this.lease === undefined) return false;
    return this.flaws.noDeadline || this.now() < this.lease.deadline;
  }

  token() {
    return this.check() ? this.lease?.record.token : undefined;
  }

  async stop() {
    this.running = false;
    if (!this.flaws.leavesTimer) this.timer?.cancel();
    await this.busy;
    if (this.flaws.hangsOnStop) await new Promise(() => {});
    const { lease } = this;
    if (!this.flaws.keepsOnStop) this.lease = undefined;
    if (lease !== undefined && this.now() < lease.deadline)
      await this.write({ ...this.renewed(lease.record), state: "released" }, lease.version).catch(() => {});
  }

  /** @param {number} ms */
  next(ms) {
    this.timer = this.parts.clock.setTimer(ms, () => {
      if (this.flaws.leavesTimer || this.running) this.next(this.renewMs);
      if (this.running) this.busy = this.busy.then(() => this.step()).catch(() => {});
    });
  }

  async step() {
    if (!this.running) return;
    const { lease } = this;
    if (lease !== undefined && (this.flaws.neverGivesUp || this.now() < lease.deadline)) {
      if (this.flaws.rotates && lease.record.seq > 12) return this.giveBack(lease);
      return this.renew(lease);
    }
    this.lease = undefined;
    await this.stand();
  }

  /** @param {Lease} lease */
  async giveBack(lease) {
    this.lease = undefined;
    this.seen = undefined;
    await this.write({ ...this.renewed(lease.record), state: "released" }, lease.version);
  }

  /** @param {Lease} lease */
  async renew(lease) {
    const sentAt = this.now();
    const record = this.renewed(lease.record);
    const answer = await this.write(record, lease.version);
    if (answer.kind === "written") return this.hold(record, answer.version, sentAt);
    const current = answer.kind === "conflict" ? answer.current : undefined;
    const body = typeof current?.body === "object" ? current.body : undefined;
    // A renewal of mine whose answer was lost: it is in force, since I do not know when.
    if (current !== undefined && body?.instance === record.instance && body.state === "held")
      this.lease = { ...lease, record: body, version: current.version };
    else this.lease = undefined;
  }

  async stand() {
    const { store, key, ttlMs } = this.parts;
    const askedAt = this.parts.clock.monotonicMs();
    const stored = await store.read(key, this.call());
    const old = typeof stored?.body === "object" ? stored.body : undefined;
    if (stored !== undefined && old?.state !== "released") {
      const now = this.parts.clock.monotonicMs();
      if (this.seen?.version !== stored.version) {
        this.seen = { version: stored.version, sinceMs: this.flaws.sinceSend ? askedAt : now };
        return;
      }
      const waitMs = ttlMs * (this.flaws.halfWait ? 0.5 : this.flaws.slow ? 2 : 1);
      if ((this.flaws.sinceSend ? now : askedAt) - this.seen.sinceMs < waitMs) return;
    }
    await this.take(old, stored?.version);
  }

  /** @param {LeaseRecord | undefined} old @param {string | undefined} version */
  async take(old, version) {
    const { random, node, ttlMs, clock, store, key } = this.parts;
    const id = random.id();
    const token = this.flaws.sameToken ? Math.max(old?.token ?? 0, 1) : (old?.token ?? 0) + 1;
    /** @type {LeaseRecord} */
    const record = {
      ...{ v: 1, instance: id, writer: id, nonce: random.id(), token, seq: 1, ttlMs, state: "held" },
      ...{ expiry: "observed", node, electedAt: clock.wallMs(), metadata: {} },
    };
    const sentAt = this.now();
    if (this.flaws.blindTake) version = (await store.read(key, this.call()))?.version;
    const answer = await this.write(record, version);
    if (answer.kind === "written" && this.now() < sentAt + this.beliefMs)
      this.hold(record, answer.version, sentAt);
  }

  /** @param {LeaseRecord} record @param {string} version @param {number} sentAt */
  hold(record, version, sentAt) {
    this.seen = undefined;
    const fromAt = this.flaws.deadlineFromReply ? this.now() : sentAt;
    this.lease = { record, version, deadline: fromAt + this.beliefMs };
  }

  /** @param {LeaseRecord} record @returns {LeaseRecord} */
  renewed(record) {
    return { ...record, nonce: this.parts.random.id(), seq: record.seq + 1 };
  }

  /** @param {LeaseRecord} record @param {string | undefined} version @returns {Promise<import("tenure/lease").Written>} */
  write(record, version) {
    return this.parts.store.write(this.parts.key, record, version, this.call());
  }

  /** @returns {import("tenure/lease").Call} */
  call() {
    const { signal } = new AbortController();
    return { signal, timeoutMs: this.patienceMs, absence: "prove", takeover: "observed" };
  }
}
