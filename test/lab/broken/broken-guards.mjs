// A guarded value of another make than ours: a row with the watermark, its owner and the last writes, behind a lock.
// Correct as it is; each flaw spoils it in one place.

/**
 * @typedef {import("tenure/lab").GuardParts} Parts
 * @typedef {import("tenure/fence").Claimant | import("tenure/fence").Fence} Claimed
 * @typedef {import("tenure/fence").Fence} Fence
 * @typedef {import("tenure/fence/memory").ValueHandle<unknown>} Handle
 * @typedef {Parameters<Handle["transaction"]>[0]} Body
 * @typedef {import("tenure/fence").WriteOptions} WriteOptions
 * @typedef {{
 *   acceptsLower?: boolean, acceptsEqual?: boolean, claimNotRaised?: boolean, noLock?: boolean, repeats?: boolean,
 *   forgetsAfterMs?: number, checksClaimOnly?: boolean, lateClaim?: boolean, dropsWrite?: boolean, refusesOwner?: boolean,
 *   neverWrites?: boolean, delayMs?: number, optimistic?: boolean, blindCommit?: boolean,
 *   unconfirmed?: number, bits?: number,
 * }} Flaws
 */

/** @param {Flaws} flaws */
export function lockedGuard(flaws = {}) {
  return (/** @type {Parts} */ parts) => new LockedGuard(parts, flaws);
}

class LockedGuard {
  /** @param {Parts} parts @param {Flaws} flaws */
  constructor({ clock, random, resource, initial }, flaws) {
    this.clock = clock;
    this.random = random;
    this.flaws = flaws;
    this.kind = "locked";
    this.resource = resource;
    this.value = JSON.stringify(initial);
    this.change = 0;
    this.claimedAt = 0;
    /** @type {{ token: number, owner: string } | undefined} */
    this.row = undefined;
    /** @type {string[]} */
    this.applied = [];
    this.turn = Promise.resolve();
  }

  /** @template T @param {() => Promise<T>} act @returns {Promise<T>} */
  locked(act) {
    if (this.flaws.noLock || this.flaws.optimistic) return act();
    const result = this.turn.then(act);
    this.turn = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  async pause() {
    const ms = (this.flaws.delayMs ?? 0) * this.random.fraction();
    if (ms > 0) await new Promise((resolve) => void this.clock.setTimer(ms, () => resolve(undefined)));
  }

  /** @param {string} code */
  refusal(code) {
    const error = new Error(`${code}: refused`);
    const { token, owner } = this.row ?? {};
    return Object.assign(error, { code, watermark: token, owner });
  }

  /** What the column holds of it. @param {number} token */
  kept(token) {
    return this.flaws.bits === undefined ? token : token % 2 ** this.flaws.bits;
  }

  /** @param {{ token: number, owner: string }} fence */
  check({ token, owner }) {
    const { row, flaws } = this;
    token = this.kept(token);
    const forgotten =
      flaws.forgetsAfterMs !== undefined && this.clock.monotonicMs() - this.claimedAt > flaws.forgetsAfterMs;
    if (row === undefined || forgotten) return;
    if (token < row.token && !flaws.acceptsLower) throw this.refusal("STALE");
    if (token === row.token && owner !== row.owner && !flaws.acceptsEqual) throw this.refusal("CONFLICT");
    if (token === row.token && owner === row.owner && flaws.refusesOwner) throw this.refusal("STALE");
  }

  /** @param {Claimed} claimant @returns {Promise<Handle>} */
  async claim(claimant) {
    const fence = "fence" in claimant ? claimant.fence : claimant;
    await this.pause();
    await this.locked(async () => {
      this.check(fence);
      this.claimedAt = this.clock.monotonicMs();
      const raise = () => {
        const token = this.kept(fence.token);
        if (this.row === undefined || token >= this.row.token || this.flaws.acceptsLower)
          this.row = { token, owner: fence.owner };
      };
      if (this.flaws.lateClaim) this.clock.setTimer(3_000, raise);
      else if (!this.flaws.claimNotRaised) raise();
      // A change that others must notice.
      this.change += 1;
    });
    return {
      resource: this.resource,
      fence,
      read: async () => {
        this.check(fence);
        return this.parsed();
      },
      // What a body answers is not kept, and nobody here asks for it.
      transaction: /** @type {Handle["transaction"]} */ (
        async (/** @type {Body} */ body, /** @type {WriteOptions | undefined} */ options) => {
          await this.pause();
          await this.locked(() => this.write(fence, body, options?.attempt?.opId ?? options?.opId));
          await this.pause();
          if (this.random.fraction() < (this.flaws.unconfirmed ?? 0))
            throw new Error("the connection was closed");
        }
      ),
    };
  }

  /** @returns {unknown} */
  parsed() {
    return JSON.parse(this.value);
  }

  /** @param {Fence} fence @param {Body} body @param {string | undefined} opId @returns {Promise<void>} */
  async write(fence, body, opId) {
    const { flaws } = this;
    if (flaws.neverWrites) throw new Error("the disk is read-only");
    const op = `${fence.token} ${fence.owner} ${opId}`;
    for (;;) {
      const before = this.change;
      if (!flaws.checksClaimOnly) this.check(fence);
      if (this.applied.includes(op) && !flaws.repeats) return;
      const transaction = { value: this.parsed() };
      await body(transaction);
      // Without a lock, whoever came in between is noticed by the change.
      if (before !== this.change && flaws.optimistic && !flaws.blindCommit) continue;
      this.change += 1;
      this.applied.push(op);
      if (flaws.dropsWrite && this.random.fraction() < 0.05) return;
      this.value = JSON.stringify(transaction.value);
      return;
    }
  }
}

export const correct = {
  plain: lockedGuard(),
  optimistic: lockedGuard({ optimistic: true }),
  "takes its time": lockedGuard({ delayMs: 200 }),
  "fails now and then, after it has written": lockedGuard({ unconfirmed: 0.05, delayMs: 20 }),
  "optimistic, takes its time, and fails now and then": lockedGuard({
    optimistic: true,
    delayMs: 50,
    unconfirmed: 0.05,
  }),
};

export const broken = {
  "accepts a lower token": lockedGuard({ acceptsLower: true }),
  "raises no watermark": lockedGuard({ claimNotRaised: true }),
  "raises the watermark after it has answered": lockedGuard({ lateClaim: true }),
  "checks, lets the body run, and writes": lockedGuard({ noLock: true }),
  "writes whatever came in between": lockedGuard({ optimistic: true, blindCommit: true }),
  "applies a write twice": lockedGuard({ repeats: true }),
  "forgets its watermark after 30 s": lockedGuard({ forgetsAfterMs: 30_000 }),
  "checks claims only": lockedGuard({ checksClaimOnly: true }),
  "drops a write that it has acknowledged": lockedGuard({ dropsWrite: true }),
  "refuses its owner": lockedGuard({ refusesOwner: true }),
  "never writes": lockedGuard({ neverWrites: true }),
  "accepts an equal token of another": lockedGuard({ acceptsEqual: true }),
  "keeps 32 bits of a token": lockedGuard({ bits: 32 }),
};
