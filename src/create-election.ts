/**
 * `createElection`: an algorithm, options, and the clocks of this machine.
 *
 * With `store`, a lease with defaults; with `algorithm`, that one. Both or neither
 * is an error at compile time and at run time.
 */

import { knownOnly, optionError } from "./base/options.js";
import { realChance } from "./base/random.js";
import { realClock } from "./base/real-clock.js";
import type { Algorithm } from "./election/algorithm.js";
import type { AnyLeadership, Election, Leadership } from "./election/api.js";
import { buildElection } from "./election/election.js";
import { type CommonOptions, commonOptionNames } from "./election/options.js";
import { lease, leaseOptionNames, type LeaseOptions } from "./lease/lease.js";

export type LeadershipOf<A> = A extends Algorithm<infer L> ? L : never;

export interface LeaseElectionOptions extends CommonOptions, LeaseOptions {
  readonly algorithm?: never;
}

export interface AlgorithmElectionOptions<A extends Algorithm> extends CommonOptions {
  readonly algorithm: A;
  readonly store?: never;
}

/**
 * Creates one candidate of the election `name`. Nothing is sent before it campaigns or observes.
 *
 * @throws INVALID_OPTION (a RangeError or TypeError) naming option, value and range.
 */
export function createElection(options: LeaseElectionOptions): Election<Leadership>;
export function createElection<const A extends Algorithm>(
  options: AlgorithmElectionOptions<A>,
): Election<LeadershipOf<A>>;
export function createElection(
  options: LeaseElectionOptions | AlgorithmElectionOptions<Algorithm>,
): Election<AnyLeadership> {
  const { algorithm, store } = options;
  if ((algorithm === undefined) === (store === undefined)) {
    throw optionError("store or algorithm", store, "exactly one of the two");
  }
  const own = algorithm === undefined ? leaseOptionNames : ["algorithm"];
  knownOnly(options, [...commonOptionNames, ...own]);
  const chosen: Algorithm = options.algorithm === undefined ? lease(options) : options.algorithm;
  return buildElection(chosen, options, { clock: realClock, chance: realChance });
}
