/**
 * The same question by brute force, after Wing and Gong: tries every order, so it fits histories of a few calls.
 *
 * Knows nothing of chains: a state, the instants passed so far, and which calls are still to be placed.
 */

import type { Loss, RegisterCall, RegisterHistory } from "../../src/audit/index.js";

interface State {
  readonly at: number;
  /** `null`: a version that nobody was ever shown. */
  readonly current: string | undefined | null;
  readonly made: ReadonlySet<string>;
  readonly calls: readonly RegisterCall[];
  readonly losses: readonly Loss[];
}

export function canBeOrdered(history: RegisterHistory): boolean {
  const { calls, losses = [], initial } = history;
  const nonces = noncesOf(calls);
  const owners = ownersOf(history);
  if (nonces === undefined || owners === undefined) return false;
  return new Search(calls, initial, owners, nonces).succeeds({
    at: Number.NEGATIVE_INFINITY,
    current: initial,
    made: new Set(),
    calls: calls.filter(({ answer }) => answer !== undefined),
    losses: losses.toSorted((a, b) => a.at - b.at),
  });
}

class Search {
  readonly #initial: string | undefined;
  readonly #owners: ReadonlyMap<string, RegisterCall>;
  readonly #nonces: ReadonlyMap<string, string>;
  /** What each write may make without being told so. */
  readonly #extra: ReadonlyMap<RegisterCall, readonly (string | null)[]>;
  /** Versions that cannot be read: nothing replaces them. */
  readonly #unread: ReadonlySet<string | undefined>;
  readonly #visited = new Set<string>();

  constructor(
    calls: readonly RegisterCall[],
    initial: string | undefined,
    owners: ReadonlyMap<string, RegisterCall>,
    nonces: ReadonlyMap<string, string>,
  ) {
    this.#initial = initial;
    this.#owners = owners;
    this.#nonces = nonces;
    const shown = calls.flatMap(({ answer }) => (answer !== undefined && "nonce" in answer ? [answer] : []));
    const unread = shown.filter(({ version, nonce }) => version !== undefined && nonce === undefined);
    const read = ({ version = "" }: (typeof shown)[number]) => nonces.has(version);
    this.#unread = new Set(unread.filter((answer) => !read(answer)).map(({ version }) => version));
    const open = calls.filter(({ answer, mayRepeat }) => answer === undefined || mayRepeat === true);
    this.#extra = new Map(
      open.flatMap((call) =>
        call.call.kind === "write" ? [[call, this.#extraOf(call, call.call.nonce)]] : [],
      ),
    );
  }

  succeeds(state: State): boolean {
    if (state.calls.length === 0 && state.losses.length === 0) return true;
    if (state.calls.some(({ answeredAt = Infinity }) => answeredAt < state.at)) return false;
    const { at, current, made, calls, losses } = state;
    const stands = current === undefined ? "absent" : current === null ? 0 : `=${current}`;
    const key = JSON.stringify([at, stands, [...made].toSorted(), calls.map(({ id }) => id), losses.length]);
    if (this.#visited.has(key)) return false;
    this.#visited.add(key);
    return [...this.#steps(state)].some((next) => this.succeeds(next));
  }

  *#steps(state: State): Generator<State> {
    const [loss, ...losses] = state.losses;
    if (loss !== undefined && loss.at >= state.at && this.#canBeLeft(state, loss.left)) {
      yield { ...state, at: loss.at, current: loss.left, losses };
    }
    for (const call of state.calls) {
      const at = Math.max(state.at, call.invokedAt);
      const after = at > (call.answeredAt ?? Infinity) ? undefined : carriedOut(this.#unread, state, call);
      if (after === undefined) continue;
      yield { ...state, at, ...after, calls: state.calls.filter((other) => other !== call) };
    }
    for (const [{ call, invokedAt }, versions] of this.#extra) {
      if (call.kind !== "write" || call.expected !== state.current || this.#unread.has(call.expected))
        continue;
      for (const version of versions) {
        const made = version === null ? state.made : new Set([...state.made, version]);
        yield { ...state, at: Math.max(state.at, invokedAt), current: version, made };
      }
    }
  }

  #extraOf(call: RegisterCall, nonce: string): readonly (string | null)[] {
    const versions = [...this.#nonces].filter(([, of]) => of === nonce).map(([version]) => version);
    const mayMake = (version: string): boolean =>
      version !== this.#initial && (this.#owners.get(version) ?? call) === call;
    return [...versions.filter(mayMake), null];
  }

  /** It stands or stood, or nobody here can have made it. */
  #canBeLeft({ current, made }: State, left: string | undefined): boolean {
    if (left === undefined || left === current || made.has(left) || left === this.#initial) return true;
    return !this.#owners.has(left) && ![...this.#extra.values()].some((versions) => versions.includes(left));
  }
}

/** The answered execution of a call; undefined where the register would answer something else. */
function carriedOut(
  unread: ReadonlySet<string | undefined>,
  state: State,
  { call, answer }: RegisterCall,
): Partial<State> | undefined {
  if (answer === undefined || answer.kind === "unproven") return {};
  if (call.kind === "read")
    return answer.kind === "read" && answer.version === state.current ? {} : undefined;
  if (answer.kind === "conflict") {
    if (answer.version !== state.current) return undefined;
    const isUnread = answer.version !== undefined && answer.nonce === undefined;
    return answer.version !== call.expected || answer.judged === true || isUnread ? {} : undefined;
  }
  if (answer.kind !== "written" || call.expected !== state.current) return undefined;
  if (answer.version === call.expected || unread.has(call.expected)) return undefined;
  return { current: answer.version, made: new Set([...state.made, answer.version]) };
}

/** Who was told that a version is its own; undefined when two were, or when it is not new. */
function ownersOf({ calls, initial }: RegisterHistory): ReadonlyMap<string, RegisterCall> | undefined {
  const owners = new Map<string, RegisterCall>();
  for (const call of calls) {
    if (call.answer?.kind !== "written") continue;
    if (owners.has(call.answer.version) || call.answer.version === initial) return undefined;
    owners.set(call.answer.version, call);
  }
  return owners;
}

/** Which nonce each version stands for; undefined when one stands for two. */
function noncesOf(calls: readonly RegisterCall[]): ReadonlyMap<string, string> | undefined {
  const nonces = new Map<string, string>();
  for (const { call, answer } of calls) {
    if (answer === undefined || answer.kind === "unproven" || answer.version === undefined) continue;
    const nonce = answer.kind === "written" ? call.kind === "write" && call.nonce : answer.nonce;
    if (typeof nonce !== "string") continue;
    if ((nonces.get(answer.version) ?? nonce) !== nonce) return undefined;
    nonces.set(answer.version, nonce);
  }
  return nonces;
}
