/**
 * What a test may do to its election: let it win, make it lose, and leave it in doubt.
 *
 * Works from outside, by the store and the clock, so that the election under it is the one that ships. Every wait
 * is bounded in virtual time and says what stood in its way.
 */

import { optionError } from "../base/options.js";
import type { VirtualWorld } from "../base/virtual-clock.js";
import type { Election, Leadership } from "../election/api.js";
import type { EndReason } from "../election/events.js";
import type { LossReason } from "./api.js";
import type { FailingStore } from "./failing-store.js";

/** Coarse enough for a ttl of virtual time to take milliseconds, fine enough for any lease. */
const stepMs = 10;
const lossReasons: readonly LossReason[] = ["superseded", "deadline", "store-lost"];

interface Parts {
  readonly world: VirtualWorld;
  readonly failing: FailingStore;
  readonly election: Election<Leadership>;
  readonly ttlMs: number;
}

export class Controls {
  readonly #world: VirtualWorld;
  readonly #failing: FailingStore;
  readonly #election: Election<Leadership>;
  readonly #ttlMs: number;
  #uncertain = false;
  /** Why the last term ended, once it has. */
  #lost: EndReason | undefined;
  #awayUntilLost = false;

  constructor({ world, failing, election, ttlMs }: Parts) {
    this.#world = world;
    this.#failing = failing;
    this.#election = election;
    this.#ttlMs = ttlMs;
    election.on("uncertain", () => void (this.#uncertain = true));
    election.on("confirmed", () => void (this.#uncertain = false));
    election.on("lost", ({ reason }) => {
      this.#uncertain = false;
      this.#lost = reason;
      // Before the work has heard of it, so that what it does next meets a store that answers.
      if (this.#awayUntilLost) failing.setReachable(true);
      this.#awayUntilLost = false;
    });
  }

  async elect(): Promise<Leadership> {
    const election = this.#election;
    this.#failing.setReachable(true);
    let elected = election.leadership;
    let refused: { readonly cause: unknown } | undefined;
    const giveUp = new AbortController();
    const off = election.on("elected", () => void (elected = election.leadership));
    // A candidate that stands already may win in this instant, and `run` stands again between two terms.
    await this.#world.settle();
    if (elected === undefined && this.#standsNot()) {
      election.campaign({ signal: giveUp.signal }).catch((cause: unknown) => (refused = { cause }));
    }
    await this.#passUntil(() => elected !== undefined || refused !== undefined, this.#longestRaceMs());
    off();
    if (elected !== undefined) return elected;
    if (refused !== undefined) throw refused.cause;
    const failure = new Error(`not elected within ${this.#longestRaceMs()} ms: ${this.#obstacle()}`);
    giveUp.abort();
    throw failure;
  }

  async loseNow(reason: LossReason): Promise<void> {
    if (!lossReasons.includes(reason)) throw optionError("reason", reason, lossReasons.join(", "));
    const leadership = await this.#current("loseNow");
    this.#lost = undefined;
    this.#awayUntilLost = reason === "deadline";
    this.#failing.setReachable(reason !== "deadline");
    if (reason === "superseded") await this.#failing.overtake();
    if (reason === "store-lost") this.#failing.wipe();
    if (reason !== "deadline") await this.#renewNow(leadership);
    await this.#passUntil(() => this.#lost !== undefined, this.#ttlMs);
    if (this.#lost !== reason) throw new Error(`the term ended as ${this.#lost} and not as ${reason}`);
  }

  async goUncertain(): Promise<void> {
    const leadership = await this.#current("goUncertain");
    this.#failing.setReachable(false);
    if (!this.#uncertain) await this.#renewNow(leadership);
    await this.#passUntil(() => this.#uncertain || !leadership.isCurrent, this.#ttlMs);
    if (!this.#uncertain) throw new Error(`the term ended as ${this.#lost} before it was uncertain`);
  }

  async recover(): Promise<void> {
    this.#failing.setReachable(true);
    const { leadership } = this.#election;
    if (leadership === undefined || !this.#uncertain) return;
    await this.#renewNow(leadership);
    await this.#passUntil(() => !this.#uncertain, this.#ttlMs);
  }

  /** Asks for more than is left, so that the election renews at once. */
  async #renewNow(leadership: Leadership): Promise<void> {
    await this.#world.advance(1);
    void leadership.ensure(this.#election.budget.stopMs).catch(() => {});
    await this.#world.settle();
  }

  async #current(control: string): Promise<Leadership> {
    await this.#world.settle();
    const { leadership, status } = this.#election;
    if (leadership !== undefined) return leadership;
    throw new Error(`${control}() needs a term; the election is "${status.state}": call elect() first`);
  }

  async #passUntil(done: () => boolean, limitMs: number): Promise<void> {
    const endMs = this.#world.nowMs + limitMs;
    await this.#world.settle();
    while (!done() && this.#world.nowMs < endMs) await this.#world.advance(stepMs);
  }

  /** A drain, a silent holder, and the longest pause after short terms. */
  #longestRaceMs(): number {
    const { stuckWorkMs } = this.#election.budget;
    return stuckWorkMs + 2 * this.#ttlMs;
  }

  #standsNot(): boolean {
    const { state } = this.#election.status;
    return state === "idle" || state === "stopped";
  }

  #obstacle(): string {
    const { state } = this.#election.status;
    if (state !== "draining" && state !== "settling") return `the election is "${state}"; is it eligible?`;
    return "the work of its last term has not settled: let it return, or call resign() on a term of campaign()";
  }
}
