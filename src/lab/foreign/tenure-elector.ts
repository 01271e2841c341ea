/**
 * The election of this package behind the seam of foreign electors: what others are compared with, and what a wrapper
 * wraps. Nothing of it decides: each call is one call of the election.
 */

import type { Election, Leadership } from "../../election/api.js";
import { buildElection } from "../../election/election.js";
import { lease } from "../../lease/lease.js";
import type { CreateElector, Elector, ElectorParts } from "./elector.js";

/**
 * Our own elector, at the seam of `--elector`.
 *
 * @throws INVALID_OPTION for a key that is not "namespace/name", or a ttl that the store does not take.
 */
export const createElector: CreateElector = (parts) => new TenureElector(parts);

class TenureElector implements Elector {
  readonly #parts: ElectorParts;
  #election: Election<Leadership>;
  #stopped = false;

  constructor(parts: ElectorParts) {
    this.#parts = parts;
    this.#election = build(parts);
  }

  start(): void {
    if (this.#stopped) this.#election = build(this.#parts);
    this.#stopped = false;
    // It ends with `stop`. Where a store refuses for good, nobody is there to be told: that must not go unheard.
    void this.#election.run(async (leadership) => {
      await leadership.ended;
    });
  }

  check(): boolean {
    return this.#election.leadership !== undefined;
  }

  token(): number | undefined {
    return this.#election.leadership?.token;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#election.stop();
  }
}

function build({ store, key, clock, random, node, ttlMs, history }: ElectorParts): Election<Leadership> {
  const [namespace = "", name = ""] = key.split("/");
  return buildElection(
    lease({ store, ttlMs }),
    { namespace, name, node },
    { clock, chance: random, ...(history && { history }) },
  );
}
