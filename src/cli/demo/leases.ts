/**
 * The histories against the store: what was believed must have been written there.
 *
 * The two are made by different code, so a mistake in one shows in the other.
 */

import { type BeliefTerm, scenesOf } from "../../audit/index.js";
import type { Evidence } from "./evidence.js";

/** Every term of the histories is a lease in the store, from the store's first record on. */
export function missingRecords({ lines, kept }: Evidence): readonly string[] {
  const leases = leasesOf(kept);
  const unknown = termsOf(lines)
    .filter((term) => !leases.has(leaseOf(term)))
    .map(({ node, token }) => `store: no record of the term of ${node} with token ${token}`);
  const first = kept[0]?.number ?? 0;
  return first === 1 ? unknown : [`store: the records begin with number ${first}`, ...unknown];
}

/** Lawful: a take that succeeded too late to be believed, or whose taker died before it heard of it. */
export function unbelieved({ lines, kept }: Evidence): readonly string[] {
  const believed = new Set(termsOf(lines).map(leaseOf));
  const count = [...leasesOf(kept)].filter((lease) => !believed.has(lease)).length;
  return count === 0 ? [] : [`${count} leases in the store that nobody believed in`];
}

/** A term that says it was transferred was asked to, offered its lease to the bidder, and was followed by it. */
export function brokenHandovers({ lines, kept }: Evidence): readonly string[] {
  const handed = termsOf(lines).filter(
    ({ lost, released }) => lost?.line.reason === "transferred" && released?.line.outcome === "released",
  );
  return handed.flatMap((term) => {
    const own = kept.findLastIndex(({ body }) => typeof body !== "string" && leaseOf(body) === leaseOf(term));
    const [offer, next] = [kept[own]?.body, kept[own + 1]?.body];
    if (typeof offer === "object" && typeof next === "object") {
      const { state, offeredTo, request } = offer;
      const followed = next.instance === offeredTo && next.follows === request?.id;
      if (state === "offered" && request !== undefined && followed) return [];
    }
    const { node, token } = term;
    return [`store: ${node} handed over with token ${token}, but no record follows its offer`];
  });
}

function termsOf(lines: Evidence["lines"]): readonly BeliefTerm[] {
  return scenesOf(lines).flatMap(({ terms }) => terms);
}

function leasesOf(kept: Evidence["kept"]): ReadonlySet<string> {
  return new Set(kept.flatMap(({ body }) => (typeof body === "string" ? [] : [leaseOf(body)])));
}

function leaseOf({ instance, token }: Pick<BeliefTerm, "instance" | "token">): string {
  return `${instance} ${token}`;
}
