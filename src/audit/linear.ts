/**
 * Judges the calls to one register: is there an order of instants, each between a call's invocation and its answer,
 * in which a compare-and-set register answers so?
 *
 * Promise: exact. A version names one write for ever, so it is known what was written over what, and between two
 * losses the register's states form one chain. Going through the calls in time, a read counts as soon as its version
 * stands, a write only when an answer cannot be explained without it: whatever order exists can be bent into that
 * one. So nothing is searched, and n calls cost n log n. Only a loss opens branches, since writes that were under
 * way may have come before or after it; so do two calls with one nonce.
 *
 * Non-promise: beyond `mostBranches` the calls until the next loss, or those under way at a loss, pass unjudged. A
 * caller that guesses a version which no answer showed looks like a register that invents one. After a contradiction
 * the state is not known, so nothing more is told until a loss says what it is.
 */

import type { Loss, RegisterCall, RegisterHistory, RegisterStory } from "./register.js";
import { type Branch, type Move, distinct, settled } from "./register-branch.js";
import { factAgainst } from "./register-facts.js";
import { tellCall, tellLoss } from "./register-story.js";
import { shownBy, Versions, type Write } from "./register-versions.js";

const mostBranches = 256;

/** At most one story between two losses, of whatever contradicts itself first. */
export function judgeRegister(history: RegisterHistory): readonly RegisterStory[] {
  const versions = new Versions(history);
  const fact = factAgainst(history, versions);
  // What contradicts itself in any order has no order to be looked for.
  return fact === undefined ? new Scan(history, versions).stories() : [fact];
}

class Scan {
  readonly #versions: Versions;
  readonly #sent: readonly RegisterCall[];
  readonly #answered: readonly RegisterCall[];
  readonly #losses: readonly Loss[];
  readonly #stories: RegisterStory[] = [];
  /** Sent, and to be answered. */
  readonly #pending = new Set<RegisterCall>();
  /** Calls that nobody can judge: under way when a loss first told again what stands. */
  readonly #excused = new Set<RegisterCall>();
  /** The ways in which it may have gone so far. None: nobody knows, until the next loss. */
  #branches: readonly Branch[];
  #now = Number.NEGATIVE_INFINITY;

  constructor({ calls, losses = [], initial }: RegisterHistory, versions: Versions) {
    this.#versions = versions;
    const answered = calls.filter(({ answer }) => answer !== undefined);
    this.#sent = answered.toSorted((a, b) => a.invokedAt - b.invokedAt);
    this.#answered = answered.toSorted((a, b) => endOf(a) - endOf(b));
    this.#losses = losses.toSorted((a, b) => a.at - b.at);
    this.#branches = [{ current: initial, made: [], kept: [], seen: [], trail: undefined }];
  }

  /** In one instant calls begin, then data is lost, then calls end: so whatever may have been at once, may. */
  stories(): readonly RegisterStory[] {
    let sent = 0;
    let lost = 0;
    for (const call of this.#answered) {
      const endAt = endOf(call);
      for (let loss = this.#losses[lost]; loss !== undefined && loss.at <= endAt; loss = this.#losses[lost]) {
        sent = this.#sendUntil(sent, loss.at);
        this.#lose(loss);
        lost += 1;
      }
      sent = this.#sendUntil(sent, endAt);
      this.#answer(call);
      this.#pending.delete(call);
    }
    return this.#stories;
  }

  #sendUntil(from: number, endAt: number): number {
    let next = from;
    for (
      let call = this.#sent[next];
      call !== undefined && call.invokedAt <= endAt;
      call = this.#sent[next]
    ) {
      this.#pending.add(call);
      const shown = shownBy(call);
      if (shown !== undefined) this.#look(call, shown.version);
      next += 1;
    }
    this.#now = endAt;
    return next;
  }

  #look(call: RegisterCall, version: string | undefined): void {
    if (!this.#branches.some(({ current }) => current === version)) return;
    this.#branches = this.#branches.map((branch) =>
      branch.current === version ? { ...branch, seen: [...branch.seen, call] } : branch,
    );
  }

  #answer(call: RegisterCall): void {
    const { answer } = call;
    const shown = shownBy(call);
    if (shown !== undefined) this.#require(call, shown.version);
    else if (answer?.kind === "written") this.#require(call, answer.version);
  }

  /** Keeps the branches in which the call has been carried out, or still can be. */
  #require(call: RegisterCall, version: string | undefined): void {
    const [first] = this.#branches;
    if (first === undefined || this.#excused.has(call)) return;
    const after: Branch[] = [];
    for (const branch of this.#branches) {
      if (isDone(branch, call, version)) after.push(settled(branch, call, version));
      else for (const way of this.#reach(branch, version, call)) after.push(settled(way, call, version));
    }
    if (after.length === 0) this.#stories.push(tellCall(this.#versions, first, call, version));
    this.#branches = after.length > mostBranches ? [] : distinct(after);
  }

  /** Every way from where a branch stands to a version, by calls that can be carried out now. */
  #reach(
    branch: Branch,
    version: string | undefined,
    because: RegisterCall,
    passed: Set<string> = new Set(),
  ): readonly Branch[] {
    if (branch.current === version) return [branch];
    if (version === undefined || passed.has(version)) return [];
    passed.add(version);
    const ways: Branch[] = [];
    for (const maker of this.#versions.makersOf(version)) {
      if (ways.length > mostBranches || !this.#canMake(branch, maker, version)) continue;
      for (const way of this.#reach(branch, maker.call.expected, because, passed)) {
        ways.push(this.#move(way, maker, version, because));
      }
    }
    passed.delete(version);
    return ways;
  }

  #canMake({ made }: Branch, maker: Write, version: string): boolean {
    if (maker.invokedAt > this.#now || this.#versions.unreadBy(maker.call.expected) !== undefined)
      return false;
    if (maker.answer === undefined || maker.mayRepeat === true) return true;
    // It came once, before its answer.
    return (this.#pending.has(maker) && !made.includes(version)) || this.#excused.has(maker);
  }

  #move(branch: Branch, maker: Write, version: string, because: Move["because"]): Branch {
    const { current, kept, trail } = branch;
    const isOwn = this.#pending.has(maker) && this.#versions.owners.get(version) === maker;
    return {
      current: version,
      made: isOwn ? including(branch.made, version) : branch.made,
      kept: kept && this.#versions.isLeft(version) ? including(kept, version) : kept,
      seen: this.#seeing(branch, version),
      trail: { over: current, version, maker, because, before: trail },
    };
  }

  /** Whoever is to be shown this version, and may look now, has seen it. */
  #seeing({ seen }: Branch, version: string | undefined): readonly RegisterCall[] {
    let all = seen;
    for (const call of this.#pending) {
      const shown = shownBy(call);
      if (shown !== undefined && shown.version === version) all = including(all, call);
    }
    return all;
  }

  #lose(loss: Loss): void {
    const { left } = loss;
    const [first] = this.#branches;
    const ways = this.#branches.flatMap((branch) => this.#spread(branch, loss));
    const possible = ways.filter((branch) => this.#isWritten(branch, left));
    if (first !== undefined && possible.length === 0) {
      this.#stories.push(tellLoss(this.#versions, loss));
    }
    const isKnown = possible.length > 0 && ways.length <= mostBranches;
    if (!isKnown) for (const call of this.#pending) this.#excused.add(call);
    this.#branches = isKnown
      ? distinct(possible.map((branch) => this.#fallBack(branch, loss)))
      : [unknownBefore(loss)];
  }

  #fallBack(branch: Branch, loss: Loss): Branch {
    const trail = { over: branch.current, version: loss.left, loss, before: branch.trail };
    return { ...branch, current: loss.left, seen: this.#seeing(branch, loss.left), trail };
  }

  /** The branch, and every one that calls under way make of it. */
  #spread(branch: Branch, because: Loss, passed: readonly string[] = []): readonly Branch[] {
    const ways: Branch[] = [branch];
    for (const { version, maker } of this.#versions.linksFrom(branch.current)) {
      if (passed.includes(version) || !this.#canMake(branch, maker, version)) continue;
      ways.push(...this.#spread(this.#move(branch, maker, version, because), because, [...passed, version]));
      if (ways.length > mostBranches) break;
    }
    return ways;
  }

  /** Whether what a loss left can have been there before. */
  #isWritten({ kept }: Branch, left: string | undefined): boolean {
    if (left === undefined || kept === undefined || kept.includes(left)) return true;
    const makers = this.#versions.makersOf(left);
    const owner = this.#versions.owners.get(left);
    // Nobody here has made it: then it is from elsewhere. Or its maker has been told so.
    return makers.length === 0 || (owner !== undefined && endOf(owner) < this.#now);
  }
}

function unknownBefore(loss: Loss): Branch {
  const { left } = loss;
  const trail = { over: left, version: left, loss, before: undefined };
  return { current: left, made: [], kept: undefined, seen: [], trail };
}

function isDone({ made, seen }: Branch, call: RegisterCall, version: string | undefined): boolean {
  if (call.answer?.kind === "written") return version !== undefined && made.includes(version);
  return seen.includes(call);
}

function endOf({ answeredAt }: RegisterCall): number {
  return answeredAt ?? Number.MAX_VALUE;
}

function including<T>(items: readonly T[], item: T): readonly T[] {
  return items.includes(item) ? items : [...items, item];
}
