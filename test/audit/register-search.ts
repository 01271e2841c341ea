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
  const nonces = noncesOf(history);
  if (nonces === undefined) return false;
  const owners = new Map<string, RegisterCall>();
  for (const call of calls) {
    if (call.answer?.kind !== "written") continue;
    if (owners.has(call.answer.version) || call.answer.version === initial) return false;
    owners.set(call.answer.version, call);
  }
  const open = calls.filter(({ call, answer, mayRepeat }) => {
    return call.kind === "write" && (answer === undefined || mayRepeat === true);
  });
  /** Versions that this call may make without being told so. */
  const extra = new Map(
    open.map((call) => {
      const nonce = call.call.kind === "write" ? call.call.nonce : "";
      const versions = [...nonces].filter(([version, of]) => of === nonce && version !== initial);
      const free = versions.filter(([version]) => (owners.get(version) ?? call) === call);
      return [call, [...free.map(([version]) => version), null]] as const;
    }),
  );
  const isKnown = (version: string): boolean =>
    version === initial ||
    (!owners.has(version) && ![...extra.values()].some((versions) => versions.includes(version)));

  const visited = new Set<string>();
  const search = (state: State): boolean => {
    if (state.calls.length === 0 && state.losses.length === 0) return true;
    if (state.calls.some(({ answeredAt = Infinity }) => answeredAt < state.at)) return false;
    const key = JSON.stringify([
      state.at,
      state.current === undefined ? "absent" : state.current === null ? 0 : `=${state.current}`,
      [...state.made].toSorted(),
      state.calls.map(({ id }) => id),
      state.losses.length,
    ]);
    if (visited.has(key)) return false;
    visited.add(key);
    return next(state).some(search);
  };

  function* steps(state: State): Generator<State> {
    const [loss, ...losses] = state.losses;
    if (loss !== undefined && loss.at >= state.at) {
      const { at, left } = loss;
      const isLeft = left === undefined || isKnown(left) || state.made.has(left) || state.current === left;
      if (isLeft) yield { ...state, at, current: left, losses };
    }
    for (const call of state.calls) {
      const at = Math.max(state.at, call.invokedAt);
      if (at > (call.answeredAt ?? Infinity)) continue;
      const after = carriedOut(state, call);
      if (after === undefined) continue;
      yield { ...state, at, ...after, calls: state.calls.filter((other) => other !== call) };
    }
    for (const call of open) {
      if (call.call.kind !== "write" || call.call.expected !== state.current) continue;
      const at = Math.max(state.at, call.invokedAt);
      for (const version of extra.get(call) ?? []) {
        const made = version === null ? state.made : new Set([...state.made, version]);
        yield { ...state, at, current: version, made };
      }
    }
  }
  const next = (state: State): readonly State[] => [...steps(state)];

  const answered = calls.filter(({ answer }) => answer !== undefined);
  const sorted = losses.toSorted((a, b) => a.at - b.at);
  return search({ at: -Infinity, current: initial, made: new Set(), calls: answered, losses: sorted });
}

/** The answered execution of a call; undefined where the register would answer something else. */
function carriedOut(state: State, { call, answer }: RegisterCall): Partial<State> | undefined {
  if (answer === undefined || answer.kind === "unproven") return {};
  if (call.kind === "read")
    return answer.kind === "read" && answer.version === state.current ? {} : undefined;
  if (answer.kind === "conflict") {
    if (answer.version !== state.current) return undefined;
    return answer.version !== call.expected || answer.judged === true ? {} : undefined;
  }
  if (answer.kind !== "written" || call.expected !== state.current) return undefined;
  if (answer.version === call.expected) return undefined;
  return { current: answer.version, made: new Set([...state.made, answer.version]) };
}

/** Which nonce each version stands for; undefined when one stands for two. */
function noncesOf({ calls }: RegisterHistory): ReadonlyMap<string, string> | undefined {
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
