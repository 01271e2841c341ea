/** Runs of parties against a register, right or broken, with requests that are late, doubled or never answered. */

import type { Loss, RegisterAnswer, RegisterCall, RegisterHistory } from "../../src/audit/index.js";

export type Break =
  | "compares nothing"
  | "shows old states"
  | "forgets an acknowledged write"
  | "names two writes alike"
  | "shows what nobody wrote"
  | "acknowledges twice"
  | "refuses without a reason";

export interface RunOptions {
  readonly callCount: number;
  readonly partyCount: number;
  readonly lossCount: number;
  /** Chance that an answer does not arrive, and that a request arrives twice. */
  readonly faulty: number;
  readonly broken?: Break | undefined;
}

/** Numbers in [0, 1), the same for the same seed. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Stored {
  readonly version: string;
  readonly nonce: string;
}

/** One run. Each party has one call under way, and expects what it was shown last. */
export class Run {
  readonly #chance: () => number;
  readonly #options: RunOptions;
  readonly #past: (Stored | undefined)[] = [undefined];
  readonly #knows = new Map<string, string | undefined>();
  readonly #losses: Loss[] = [];
  #current: Stored | undefined;
  #count = 0;

  constructor(seed: number, options: RunOptions) {
    this.#chance = chanceOf(seed);
    this.#options = options;
  }

  history(): RegisterHistory {
    const { callCount, partyCount, lossCount } = this.#options;
    const parties = Array.from({ length: partyCount }, (_, index) => `p${index}`);
    const freeAt = new Map(parties.map((party) => [party, this.#below(4)]));
    const losses = Array.from({ length: lossCount }, () => this.#below(2 * callCount)).toSorted(
      (a, b) => a - b,
    );
    const calls: RegisterCall[] = [];
    const late: { readonly at: number; readonly run: () => void }[] = [];
    for (let index = 0; index < callCount; index += 1) {
      const [party, invokedAt] = [...freeAt].toSorted(([, a], [, b]) => a - b)[0] ?? ["p0", 0];
      const endAt = invokedAt + 1 + this.#below(6);
      // The party chooses when it sends; what happens until its answer is done in the order of instants.
      late.push({ at: invokedAt, run: () => this.#send(calls, late, { party, index, invokedAt, endAt }) });
      freeAt.set(party, endAt + this.#below(3));
    }
    for (const at of losses) late.push({ at, run: () => this.#lose(at) });
    while (late.length > 0) {
      late.sort((a, b) => a.at - b.at);
      late.shift()?.run();
    }
    return { calls, losses: this.#losses };
  }

  #send(
    calls: RegisterCall[],
    late: { readonly at: number; readonly run: () => void }[],
    { party, index, invokedAt, endAt }: { party: string; index: number; invokedAt: number; endAt: number },
  ): void {
    const isRead = this.#chance() < 0.4;
    const expected = this.#chance() < 0.15 ? undefined : this.#knows.get(party);
    const call = isRead
      ? ({ kind: "read" } as const)
      : ({ kind: "write", nonce: `n${index}`, expected } as const);
    const answered = this.#chance() >= this.#options.faulty;
    const mayRepeat = this.#chance() < this.#options.faulty;
    const times = answered ? 1 : this.#below(3);
    const within = () => invokedAt + this.#chance() * (endAt - invokedAt);
    let answer: RegisterAnswer | undefined;
    const place = calls.length;
    calls.push({ id: index, party, invokedAt, answeredAt: undefined, call, answer: undefined, mayRepeat });
    for (let time = 0; time < times; time += 1) {
      const first = time === 0 && answered;
      const at = first ? within() : within() + this.#below(12);
      late.push({ at, run: () => void (answer = first ? this.#do(call) : (this.#do(call), answer)) });
    }
    if (mayRepeat) late.push({ at: within() + this.#below(12), run: () => void this.#do(call) });
    if (!answered) return;
    const settle = (): void => {
      calls[place] = { id: index, party, invokedAt, answeredAt: endAt, call, answer, mayRepeat };
      if (answer !== undefined && answer.kind !== "unproven") this.#knows.set(party, answer.version);
    };
    late.push({ at: endAt, run: settle });
  }

  #do(call: RegisterCall["call"]): RegisterAnswer {
    const { broken } = this.#options;
    const fails = broken !== undefined && this.#chance() < 0.3;
    if (call.kind === "read") {
      if (fails && broken === "shows what nobody wrote") return { kind: "read", version: "x", nonce: "nx" };
      const shown = fails && broken === "shows old states" ? this.#old() : this.#current;
      return { kind: "read", version: shown?.version, nonce: shown?.nonce };
    }
    const current = this.#current;
    if (this.#chance() < 0.05) return { kind: "unproven" };
    const refused = { kind: "conflict", version: current?.version, nonce: current?.nonce } as const;
    if (fails && broken === "refuses without a reason") return refused;
    if (call.expected !== current?.version && !(fails && broken === "compares nothing")) {
      if (!fails || broken !== "acknowledges twice") return refused;
      return { kind: "written", version: `v${(this.#count += 1)}` };
    }
    if (this.#chance() < 0.05) return { ...refused, judged: true };
    const alike = fails && broken === "names two writes alike";
    const version = alike ? `v${this.#count}` : `v${(this.#count += 1)}`;
    if (fails && broken === "forgets an acknowledged write") return { kind: "written", version };
    this.#current = { version, nonce: call.nonce };
    this.#past.push(this.#current);
    return { kind: "written", version };
  }

  #lose(at: number): void {
    this.#current = this.#chance() < 0.3 ? undefined : this.#old();
    this.#losses.push({ kind: "loss", at, left: this.#current?.version });
  }

  #old(): Stored | undefined {
    return this.#past[this.#below(this.#past.length)];
  }

  /** A whole number. */
  #below(limit: number): number {
    return Math.floor(this.#chance() * limit);
  }
}

/** Answers drawn from a hat: hardly ever right, and full of cases that no run comes upon. */
export function jumble(seed: number): RegisterHistory {
  const chance = chanceOf(seed);
  const below = (limit: number): number => Math.floor(chance() * limit);
  const versions = [undefined, "a", "b", "c"];
  const version = () => versions[below(versions.length)];
  // In some histories one version cannot be read, in some one stands for two writes.
  const unread = chance() < 0.3 ? version() : undefined;
  const mixed = chance() < 0.2;
  const nonce = (of: string | undefined) => {
    if (of === undefined || of === unread) return undefined;
    return mixed && chance() < 0.3 ? "n-a" : `n-${of}`;
  };
  const calls = Array.from({ length: 2 + below(5) }, (_, id): RegisterCall => {
    const invokedAt = below(10);
    const shown = version();
    const kind = chance();
    const own = versions[1 + below(3)] ?? "a";
    const call =
      kind < 0.4
        ? ({ kind: "read" } as const)
        : ({ kind: "write", nonce: `n-${own}`, expected: version() } as const);
    const common = { id, party: `p${id}`, invokedAt, call, mayRepeat: chance() < 0.2 };
    if (call.kind === "write" && chance() < 0.4)
      return { ...common, answeredAt: undefined, answer: undefined };
    let answer: RegisterAnswer = { kind: "written", version: own };
    if (call.kind === "read") answer = { kind: "read", version: shown, nonce: nonce(shown) };
    else if (kind > 0.8)
      answer = { kind: "conflict", version: shown, nonce: nonce(shown), judged: kind > 0.95 };
    return { ...common, answeredAt: invokedAt + below(6), answer };
  });
  const losses = Array.from(
    { length: below(3) },
    () => ({ kind: "loss", at: below(12), left: version() }) as const,
  );
  return { calls, losses, initial: chance() < 0.2 ? "a" : undefined };
}
