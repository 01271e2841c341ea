/** What consumers say of one claim: that it was applied, and later that the term is over for them. */

import { freshId } from "../../../base/random.js";
import type { Claimant } from "../../fence.js";
import { outpace } from "../../writer.js";
import type { Reply, TermRefusal } from "./reply.js";

export class Hearing {
  /** Under which replies come. */
  readonly sender: string = freshId();
  /** Resolves with the first reply; for ever pending where none comes. */
  readonly first: Promise<Reply>;
  readonly #claimant: Claimant;
  #refusal: TermRefusal | undefined;
  #resolveFirst: (reply: Reply) => void = () => {};

  constructor(claimant: Claimant) {
    this.#claimant = claimant;
    this.first = new Promise((resolve) => {
      this.#resolveFirst = resolve;
    });
  }

  /** Why this term publishes no more, once a consumer has said so. */
  get refusal(): TermRefusal | undefined {
    return this.#refusal;
  }

  hear(reply: Reply): void {
    this.#resolveFirst(reply);
    if (reply.kind === "claimed") return;
    this.#refusal ??= reply.refusal;
    if ("watermark" in reply.refusal) outpace(this.#claimant, reply.refusal.watermark);
  }
}
