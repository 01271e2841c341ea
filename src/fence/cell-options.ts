/** The options that guards of one value have in common. */

import { knownOnly, oneOf, optionError, text } from "../base/options.js";
import type { CellOptions } from "./cell.js";
import type { WriteOrder } from "./guard.js";
import { encodeValue } from "./value-guard.js";

export interface ValueGuardOptions<V> {
  /** The value before the first write; JSON. */
  readonly initial: V;
  /**
   * `any`: each write once, in whatever order they arrive. `strict`: each only after the one before it, so a
   * write with an unknown outcome has to be settled before the next one. Default `any`: writes that are
   * started together arrive in any order, and refusing them would refuse good work.
   */
  readonly order?: WriteOrder;
  /**
   * How many operations are remembered across terms, so that a successor which repeats one is answered and
   * does not repeat it; 0 to 10 000. Default 0: names and results are written with every version.
   */
  readonly rememberOperations?: number;
}

const valueOptionNames: readonly string[] = ["initial", "order", "rememberOperations"];

export interface ResolvedValueOptions extends Omit<CellOptions, "numbering"> {
  /** JSON text. */
  readonly initial: string;
}

export function resolveValueOptions<V>(
  resource: string,
  options: ValueGuardOptions<V>,
  otherNames: readonly string[] = [],
): ResolvedValueOptions {
  knownOnly(options, [...valueOptionNames, ...otherNames]);
  const { initial, order = "any", rememberOperations = 0 } = options;
  oneOf("order", order, ["any", "strict"]);
  if (!Number.isInteger(rememberOperations) || rememberOperations < 0 || rememberOperations > 10_000) {
    throw optionError("rememberOperations", rememberOperations, "a whole number from 0 to 10 000");
  }
  return {
    resource: text("resource", resource, 1_024),
    initial: encodeValue("initial", initial),
    order,
    rememberOperations,
  };
}
