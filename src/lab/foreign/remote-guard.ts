/** A hosted guard as one process reaches it: claims, reads and writes are calls over the network, answered or not. */

import type { Clock } from "../../base/clock.js";
import { createError, TenureError } from "../../errors/index.js";
import type { Claimant, Fence } from "../../fence/fence.js";
import type { Guard } from "../../fence/guard.js";
import type { ValueHandle, ValueTransaction } from "../../fence/value-guard.js";
import type { WriteOptions } from "../../fence/writer.js";
import type { Channel } from "../world/channel.js";
import { type Count, noCount } from "../world/ledger.js";
import { inTime } from "../world/patience.js";
import { type HostedGuard, refusalOf } from "./hosted-guard.js";

/** Attempts of the network's making: the guard knows nothing of them. */
const unanswered = "lab/unanswered";

export function remoteGuard(hosted: HostedGuard, channel: Channel, clock: Clock): Guard<ValueHandle<Count>> {
  return {
    kind: "remote",
    resource: "ledger",
    async claim(claimed) {
      const claimant: Claimant = "fence" in claimed ? claimed : { fence: claimed };
      const { fence } = claimant;
      let watermark: number | undefined;
      const answer = await inTime(
        clock,
        channel.call<void>({
          kind: "ledger-write",
          mark: `claim ${fence.token}`,
          carryOut: () => hosted.claim(fence, (seen) => (watermark = seen)),
        }),
      );
      if ("answer" in answer) return new RemoteHandle(hosted, channel, clock, claimant);
      refuse(claimant, answer.cause, watermark);
      throw createError("CLAIM_UNCONFIRMED", "the guard gave no answer", answer);
    },
  };
}

class RemoteHandle implements ValueHandle<Count> {
  readonly resource = "ledger";
  readonly #hosted: HostedGuard;
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #claimant: Claimant;

  constructor(hosted: HostedGuard, channel: Channel, clock: Clock, claimant: Claimant) {
    this.#hosted = hosted;
    this.#channel = channel;
    this.#clock = clock;
    this.#claimant = claimant;
  }

  get fence(): Fence {
    return this.#claimant.fence;
  }

  async read(): Promise<Count> {
    const answer = await inTime(
      this.#clock,
      this.#channel.call({
        kind: "ledger-read",
        mark: undefined,
        carryOut: () => this.#hosted.read(this.fence),
      }),
    );
    if ("answer" in answer) return answer.answer;
    refuse(this.#claimant, answer.cause);
    throw createError("GUARD_FAILED", "the guard gave no answer", answer);
  }

  /** What the body puts is sent; the guard calls a body that puts the same. */
  async transaction<R>(
    body: (transaction: ValueTransaction<Count>) => R | Promise<R>,
    options: WriteOptions = {},
  ): Promise<R> {
    const transaction = { value: noCount };
    const result = await body(transaction);
    const count = transaction.value;
    const attempt = options.attempt?.resource === unanswered ? undefined : options.attempt;
    const answer = await inTime(
      this.#clock,
      this.#channel.call<void>({
        kind: "ledger-write",
        mark: count.opId,
        carryOut: () => this.#hosted.write(this.fence, { count, attempt }),
      }),
    );
    if ("answer" in answer) return result;
    const { cause } = answer;
    refuse(this.#claimant, cause);
    const known = TenureError.is(cause, "GUARD_UNCONFIRMED") ? cause.attempt : attempt;
    const again = known ?? { resource: unanswered, seq: 0, opId: count.opId };
    throw createError("GUARD_UNCONFIRMED", "the guard gave no answer", { cause, fields: { attempt: again } });
  }
}

/** Throws what a refusal is, and tells the term of a higher token, as a guard in the process itself does. */
function refuse(claimant: Claimant, cause: unknown, told?: number): void {
  const code = refusalOf(cause);
  if (code === undefined) return;
  const { watermark = told } = cause as { readonly watermark?: number };
  if (watermark !== undefined && (code === "STALE" || code === "CONFLICT")) {
    try {
      claimant.outpaced?.(watermark);
    } catch (lost) {
      if (!TenureError.is(lost, "LEADERSHIP_LOST")) throw lost;
    }
  }
  throw TenureError.is(cause) ? cause : createError(code as "STALE", "the guard refused", { cause });
}
