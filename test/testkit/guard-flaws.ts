/** One small flaw per test of the guard suite, each over the honest register: what an author may get wrong. A flaw may break more than its test. */

import { decideClaim, decideWrite } from "../../src/fence/guard.js";
import type { Guard } from "../../src/fence/guard.js";
import { TenureError } from "../../src/errors/index.js";
import { createGuardRegister, type Flaw } from "../../src/testkit/guard/broken/register.js";
import type { GuardHarness, GuardRequest, GuardTestId, GuardWrite } from "../../src/testkit/index.js";

export interface GuardFlaw {
  readonly id: GuardTestId;
  readonly what: string;
  readonly open: () => GuardHarness<unknown>;
}

type Change = (harness: GuardHarness<unknown>) => Partial<GuardHarness<unknown>>;

function protocol(id: GuardTestId, what: string, flaw: Flaw): GuardFlaw {
  return { id, what, open: () => createGuardRegister(flaw) };
}

/** A flaw around the honest register. */
function around(id: GuardTestId, what: string, change: Change): GuardFlaw {
  const open = () => {
    const harness: GuardHarness<unknown> = createGuardRegister();
    return { ...harness, ...change(harness) };
  };
  return { id, what, open };
}

/** A flaw in what is asked of a guard. */
function requests(id: GuardTestId, what: string, change: (request: GuardRequest) => GuardRequest): GuardFlaw {
  return around(id, what, (inner) => ({ guard: (request) => inner.guard(change(request)) }));
}

/** A flaw in how a resource is called. */
function names(what: string, change: (name: string) => string): GuardFlaw {
  return around("odd-resources-kept-apart", what, (inner) => ({
    guard: (request) => inner.guard({ ...request, resource: change(request.resource) }),
    content: async (resource) => inner.content(change(resource)),
  }));
}

/** A flaw in how a write is sent. */
function writes(id: GuardTestId, what: string, change: (write: GuardWrite) => GuardWrite): GuardFlaw {
  return around(id, what, (inner) => ({
    apply: async (handle, write) => inner.apply(handle, change(write)),
  }));
}

/** A flaw in how a guard is claimed. */
function claims(
  id: GuardTestId,
  what: string,
  change: (inner: Guard<unknown>) => Guard<unknown>["claim"],
): GuardFlaw {
  return around(id, what, (inner) => ({
    guard(request) {
      const guard = inner.guard(request);
      return { kind: guard.kind, resource: guard.resource, claim: change(guard) };
    },
  }));
}

const noWindow: Flaw = {
  decideWrite: (row, fence, attempt, order, known) =>
    decideWrite(row && { ...row, window: [] }, fence, attempt, order, known),
};

/** Rows of different elections are one. */
const oneElection = (id: GuardTestId, what: string, part: (name: string) => string): GuardFlaw =>
  claims(id, what, (inner) => async (claimed, options) => {
    const claimant = "fence" in claimed ? claimed : { fence: claimed };
    const { namespace, election } = claimant.fence;
    const fence = { ...claimant.fence, namespace: part(namespace), election: part(election) };
    return inner.claim({ ...claimant, fence }, options);
  });

/** Unknown outcomes are reported as if nothing had happened. */
const guessesDefinite: Change = (inner) => ({
  async apply(handle, write) {
    try {
      return await inner.apply(handle, write);
    } catch (cause) {
      if (TenureError.is(cause, "GUARD_UNCONFIRMED")) throw new Error("the write failed", { cause });
      throw cause;
    }
  },
});

/** What was not confirmed is sent again as something new, which is what a plain retry does. */
const retriesAnew: Change = (inner) => ({
  async apply(handle, write) {
    try {
      return await inner.apply(handle, write);
    } catch (cause) {
      if (!TenureError.is(cause, "GUARD_UNCONFIRMED")) throw cause;
      return inner.apply(handle, { ...write, options: {} });
    }
  },
});

export const guardFlaws: readonly GuardFlaw[] = [
  around("first-claim-granted", "shows nothing of what was written", () => ({ content: async () => [] })),
  protocol("lower-claim-is-stale", "lets the last claim win", {
    decideClaim: (_, fence) => decideClaim(undefined, fence),
  }),
  claims(
    "tokens-only-ordered",
    "takes a token far ahead for an absurd one",
    (inner) => async (claimed, options) => {
      const { token } = "fence" in claimed ? claimed.fence : claimed;
      if (token > 1_800_000_000_000) throw new Error("absurd");
      return inner.claim(claimed, options);
    },
  ),
  claims("bad-fences-refused", "cuts tokens to what it can store", (inner) => async (claimed, options) => {
    const claimant = "fence" in claimed ? claimed : { fence: claimed };
    const token = Math.max(1, Math.min(2 ** 52, Math.trunc(claimant.fence.token) || 1));
    return inner.claim({ ...claimant, fence: { ...claimant.fence, token } }, options);
  }),
  claims("fence-as-json", "refuses fields it does not know", (inner) => async (claimed, options) => {
    const fence = "fence" in claimed ? claimed.fence : claimed;
    if (Object.keys(fence).length !== 6) throw new Error("unknown field");
    return inner.claim(claimed, options);
  }),
  claims(
    "aborted-claim-raises-nothing",
    "forgets the signal",
    (inner) => async (claimed) => inner.claim(claimed),
  ),
  protocol("foreign-lineage-write-refused", "compares tokens of two lineages in writes", {
    decideWrite: (row, fence, attempt, order, known) =>
      decideWrite(row && { ...row, lineage: fence.lineage }, fence, attempt, order, known),
  }),
  oneElection("elections-beside-each-other", "has one row per resource", () => "one"),
  oneElection("odd-names-kept-apart", "folds case in names", (name) => name.toLowerCase()),
  oneElection("odd-names-kept-apart", "normalises names", (name) => name.normalize("NFC")),
  oneElection("odd-names-kept-apart", "trims names", (name) => name.trim() || name),
  names("folds case", (name) => name.toLowerCase()),
  names("trims", (name) => name.trim() || name),
  names("cuts at 255", (name) => name.slice(0, 255)),
  names("replaces slashes", (name) => name.replaceAll("/", "-")),
  protocol("good-leader-writes-on", "refuses the second write under a token", {
    decideWrite(row, fence, attempt, order, known) {
      if (row === undefined || row.seq === 0) return decideWrite(row, fence, attempt, order, known);
      const { watermark, owner } = row;
      return { kind: "refused", refusal: { code: "STALE", watermark, owner } };
    },
  }),
  protocol("stale-write-refused", "checks claims alone", {
    decideWrite: (row, fence, attempt, order, known) =>
      decideWrite(
        row && { ...row, watermark: fence.token, owner: fence.owner },
        fence,
        attempt,
        order,
        known,
      ),
  }),
  around("stale-read-refused", "reads without a check", (inner) => ({
    read: async () => inner.content("ledger"),
  })),
  protocol("rivals-only-rise", "lets the last claim win", {
    decideClaim: (_, fence) => decideClaim(undefined, fence),
  }),
  racing(),
  around("guard-objects-agree", "keeps rows and data per guard object", perObject),
  protocol("wiped-claim-is-missing", "claims by writing where nothing is", {
    decideWrite(row, fence, attempt, order, known) {
      if (row !== undefined) return decideWrite(row, fence, attempt, order, known);
      const claimed = decideClaim(undefined, fence);
      return claimed.kind === "claimed" ? { kind: "apply", row: claimed.row } : claimed;
    },
  }),
  protocol("duplicate-answered", "remembers no numbers", noWindow),
  writes("sent-twice-applied-once", "names each send anew", (write) => ({ ...write, options: {} })),
  around("failed-write-frees-its-number", "writes half when work fails", (inner) => ({
    async apply(handle, write) {
      let failed: { readonly cause: unknown } | undefined;
      const pause = async () => {
        await write.pause().catch((cause: unknown) => {
          failed = { cause };
        });
      };
      const result = await inner.apply(handle, { ...write, pause });
      if (failed !== undefined) throw failed.cause;
      return result;
    },
  })),
  protocol("any-order-applies-once", "wants every number to rise", {
    decideWrite(row, fence, attempt, order, known) {
      const decision = decideWrite(row, fence, attempt, order, known);
      const low = decision.kind === "apply" && attempt.seq <= decision.row.seq;
      return low ? { kind: "refused", refusal: { code: "ATTEMPT_TOO_OLD" } } : decision;
    },
  }),
  requests("strict-order-refuses-gaps", "forgets the order", (request) => ({ ...request, order: "any" })),
  protocol("number-64-behind-is-too-old", "takes what it does not know for new", {
    decideWrite(row, fence, attempt, order, known) {
      const decision = decideWrite(row, fence, attempt, order, known);
      const old = decision.kind === "refused" && decision.refusal.code === "ATTEMPT_TOO_OLD";
      return row !== undefined && old ? { kind: "apply", row } : decision;
    },
  }),
  writes("oversized-result-writes-nothing", "cuts long results", (write) => ({
    ...write,
    result: typeof write.result === "string" ? write.result.slice(0, 1_000) : write.result,
  })),
  lostUpdates(),
  requests("operation-known-to-the-successor", "remembers no operations", (request) => ({
    ...request,
    rememberOperations: false,
  })),
  claims(
    "lost-claim-repeated",
    "says nothing clear of a claim whose answer was lost",
    (inner) =>
      async (...args) =>
        inner.claim(...args).catch((cause: unknown) => {
          throw TenureError.is(cause, "CLAIM_UNCONFIRMED") ? new Error("the claim failed", { cause }) : cause;
        }),
  ),
  around("lost-before-effect-applied-once", "takes the lost for applied", (inner) => ({
    apply: async (handle, write) =>
      inner.apply(handle, write).catch((cause: unknown) => {
        if (!TenureError.is(cause, "GUARD_UNCONFIRMED")) throw cause;
      }),
  })),
  around("lost-after-effect-applied-once", "says that what may have happened did not", guessesDefinite),
  around("lost-after-effect-applied-once", "sends it again under a new number", retriesAnew),
  around("pending-attempt-named", "says that what may have happened did not", guessesDefinite),
];

/** Each guard object works on its own. */
function perObject(): Partial<GuardHarness<unknown>> {
  const all: GuardHarness<unknown>[] = [];
  const owners = new Map<unknown, GuardHarness<unknown>>();
  return {
    guard(request) {
      const own: GuardHarness<unknown> = createGuardRegister();
      all.push(own);
      const guard = own.guard(request);
      return {
        kind: guard.kind,
        resource: guard.resource,
        async claim(claimed, options) {
          const handle = await guard.claim(claimed, options);
          owners.set(handle, own);
          return handle;
        },
      };
    },
    apply: async (handle, write) => owners.get(handle)?.apply(handle, write),
    content: async (resource) => (await Promise.all(all.map(async (own) => own.content(resource)))).flat(),
  };
}

/** A write takes effect some turns after its check, whoever has claimed meanwhile. */
function racing(): GuardFlaw {
  const flaw: Flaw = {
    commitLate: (before, now, next) => ({
      ...now,
      values: [...now.values, ...next.values.slice(before.values.length)],
    }),
  };
  const open = () => {
    const harness: GuardHarness<unknown> = createGuardRegister(flaw);
    return {
      ...harness,
      apply: async (handle: unknown, write: GuardWrite) => {
        const pause = async () => {
          for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
          await write.pause();
        };
        return harness.apply(handle, { ...write, pause });
      },
    };
  };
  return { id: "racing-claim-cuts-off", what: "checks, and acts some turns later", open };
}

/** Writes that run at once each put back what they read. */
function lostUpdates(): GuardFlaw {
  const open = () => {
    const harness: GuardHarness<unknown> = createGuardRegister();
    const running = new Set<unknown>();
    return {
      ...harness,
      async apply(handle: unknown, write: GuardWrite) {
        if (running.size > 0) return write.result;
        running.add(write);
        try {
          return await harness.apply(handle, write);
        } finally {
          running.delete(write);
        }
      },
    };
  };
  return { id: "concurrent-writes-lose-nothing", what: "loses what is written at once", open };
}
