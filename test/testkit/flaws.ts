/**
 * One small flaw per test, each over the honest register: what a driver's author
 * may get wrong. A flaw may break more than its test.
 */

import { createRegister, type RegisterOptions } from "../../src/testkit/broken/register.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Call, Store, Stored, Written } from "../../src/lease/store.js";
import type { StoreHarness, StoreTestId } from "../../src/testkit/index.js";

type Change = (inner: Store, register: StoreHarness) => Partial<Store>;

export interface Flaw {
  readonly id: StoreTestId;
  readonly what: string;
  readonly open: () => StoreHarness;
}

/** A flaw in every store object. */
function flaw(id: StoreTestId, what: string, change: Change, options: RegisterOptions = {}): Flaw {
  const open = (): StoreHarness => {
    const register = createRegister(options);
    return {
      ...register,
      store() {
        const inner = register.store();
        return { ...inner, ...change(inner, register) };
      },
    };
  };
  return { id, what, open };
}

/** A flaw in what is written. */
function writes(id: StoreTestId, what: string, change: (record: LeaseRecord) => LeaseRecord): Flaw {
  return flaw(id, what, (inner) => ({
    write: (key, record, expected, call) => inner.write(key, change(record), expected, call),
  }));
}

/** A flaw in what is asked of the register. */
function calls(id: StoreTestId, what: string, change: (call: Call) => Call): Flaw {
  return flaw(id, what, (inner) => ({
    write: (key, record, expected, call) => inner.write(key, record, expected, change(call)),
  }));
}

/** A flaw in what is read. */
function reads(id: StoreTestId, what: string, change: (stored: Stored) => Stored): Flaw {
  return flaw(id, what, (inner) => ({
    async read(key, call) {
      const stored = await inner.read(key, call);
      return stored && change(stored);
    },
  }));
}

/** A flaw in how keys are written down. */
function keys(what: string, change: (key: string) => string): Flaw {
  return flaw("odd-keys-kept-apart", what, (inner) => ({
    read: (key, call) => inner.read(change(key), call),
    write: (key, record, expected, call) => inner.write(change(key), record, expected, call),
  }));
}

/** Compares, waits a turn, then writes whatever is there by then. */
const checkThenAct: Change = (inner) => ({
  async write(key, record, expected, call) {
    const current = await inner.read(key, call);
    if (current?.version !== expected) return { kind: "conflict", current };
    await Promise.resolve();
    return upsert(inner, key, record, call);
  },
});

const serialCheckThenAct: Change = (inner, register) => {
  const { write } = { ...inner, ...checkThenAct(inner, register) };
  let last: Promise<unknown> = Promise.resolve();
  return {
    write: async (key, record, expected, call) => {
      const mine = last.then(async () => write(key, record, expected, call));
      last = mine.catch(() => {});
      return mine;
    },
  };
};

async function upsert(inner: Store, key: string, record: LeaseRecord, call: Call): Promise<Written> {
  const current = await inner.read(key, call);
  const answer = await inner.write(key, record, current?.version, call);
  return answer.kind === "conflict" ? upsert(inner, key, record, call) : answer;
}

const replacesAnything: Change = (inner) => ({
  write: (key, record, expected, call) =>
    expected === undefined ? inner.write(key, record, expected, call) : upsert(inner, key, record, call),
});

const createsWhatIsGone: Change = (inner) => ({
  async write(key, record, expected, call) {
    const current = await inner.read(key, call);
    return inner.write(key, record, current && expected, call);
  },
});

const forgetsRenewals: Change = (inner) => ({
  async write(key, record, expected, call) {
    const renewal = record.state === "held" && record.seq > 1 && expected !== undefined;
    return renewal
      ? { kind: "written", version: expected, epoch: "none" }
      : inner.write(key, record, expected, call);
  },
});

const overwritesAnything: Change = (inner, register) => ({
  async write(key, record, expected, call) {
    const answer = await inner.write(key, record, expected, call);
    const opaque = answer.kind === "conflict" && typeof answer.current?.body === "string";
    if (!opaque || answer.current?.version !== expected) return answer;
    await register.operator.remove(key);
    return inner.write(key, record, undefined, call);
  },
});

function withoutLeaseFields({ unknown: _, ...record }: LeaseRecord): LeaseRecord {
  return record;
}

function withoutBid({ bid: _, ...record }: LeaseRecord): LeaseRecord {
  return record;
}

function withOwnNonce(record: LeaseRecord): LeaseRecord {
  return { ...record, nonce: `${record.nonce}-of-the-driver` };
}

let sharedEpochs = 0;

export const flaws: readonly Flaw[] = [
  flaw("capabilities-as-declared", "declares no ability", () => ({
    capabilities: { provesAbsence: false, storeClock: false, readBackProves: false, notifies: false },
  })),
  flaw("absent-reads-undefined", "rejects where nothing is", (inner) => ({
    async read(key, call) {
      const stored = await inner.read(key, call);
      if (stored === undefined) throw new Error("no such key");
      return stored;
    },
  })),
  flaw("create-conflicts-when-present", "creates over what is there", (inner) => ({
    write: (key, record, expected, call) =>
      expected === undefined ? upsert(inner, key, record, call) : inner.write(key, record, expected, call),
  })),
  flaw("replace-needs-the-current-version", "replaces whatever is there", replacesAnything),
  flaw("replace-conflicts-when-absent", "creates what it should replace", createsWhatIsGone),
  flaw("one-winner-within-an-object", "checks, then acts", checkThenAct),
  flaw("one-winner-among-objects", "checks, then acts, one call at a time per object", serialCheckThenAct),
  writes("record-comes-back-as-written", "has no column for the bid", withoutBid),
  writes("unknown-fields-kept", "keeps only the fields it knows", withoutLeaseFields),
  flaw("records-are-not-shared", "hands out one object to all", (inner) => {
    const seen = new Map<string, Stored>();
    return {
      async read(key, call) {
        const stored = await inner.read(key, call);
        if (stored === undefined) return undefined;
        const known = seen.get(stored.version) ?? stored;
        seen.set(stored.version, known);
        return known;
      },
    };
  }),
  writes("metadata-of-4-kib", "cuts long metadata", (record) => ({
    ...record,
    metadata: Object.fromEntries(
      Object.entries(record.metadata).map(([k, value]) => [k, value.slice(0, 255)]),
    ),
  })),
  flaw("record-limit-refused", "drops what is too large in silence", (inner) => ({
    async write(key, record, expected, call) {
      const large = JSON.stringify(record).length > 16 * 1_024;
      return large
        ? { kind: "written", version: "none", epoch: "none" }
        : inner.write(key, record, expected, call);
    },
  })),
  flaw("concurrent-calls-kept-apart", "answers every waiting read with the last answer", (inner) => {
    let last: Stored | undefined;
    return {
      async read(key, call) {
        last = await inner.read(key, call);
        await Promise.resolve();
        return last;
      },
    };
  }),
  flaw("restored-state-conflicts", "takes the record's seq for its version", (inner) => ({
    async read(key, call) {
      const stored = await inner.read(key, call);
      return stored && { ...stored, version: seqOf(stored) };
    },
    async write(key, record, expected, call) {
      const current = await inner.read(key, call);
      const matches = (current && seqOf(current)) === expected;
      const answer = await inner.write(key, record, matches ? current?.version : "other", call);
      return answer.kind === "written" ? { ...answer, version: String(record.seq) } : answer;
    },
  })),
  flaw("wiped-store-conflicts", "counts versions from 1 in every memory", () => ({}), {
    version: perKeyCount(),
  }),
  flaw("first-use-absence", "never proves absence", (inner) => ({
    async write(key, record, expected, call) {
      const create = expected === undefined && call.absence === "prove";
      return create ? { kind: "unproven", epoch: "none" } : inner.write(key, record, expected, call);
    },
  })),
  flaw("waited-absence-creates", "proves absence or nothing", (inner) => ({
    async write(key, record, expected, call) {
      const current = await inner.read(key, call);
      if (current === undefined && expected === undefined) return { kind: "unproven", epoch: "none" };
      return inner.write(key, record, expected, call);
    },
  })),
  flaw("offer-is-taken-or-doubted", "doubts what was given back for ever", (inner) => ({
    async write(key, record, expected, call) {
      const current = await inner.read(key, call);
      const given = typeof current?.body === "object" && current.body.state !== "held";
      return given ? { kind: "unproven", epoch: current.epoch } : inner.write(key, record, expected, call);
    },
  })),
  flaw("held-is-taken-or-doubted", "takes every other holder for a mistake", (inner) => ({
    async write(key, record, expected, call) {
      const current = await inner.read(key, call);
      const held = typeof current?.body === "object" && current.body.instance !== record.instance;
      const taken = held && current.body.state === "held" && call.absence === "prove";
      return taken ? { kind: "conflict", current } : inner.write(key, record, expected, call);
    },
  })),
  flaw("epoch-constant", "takes each connection for an epoch", (inner) => {
    sharedEpochs += 1;
    const epoch = `connection-${sharedEpochs}`;
    return {
      async read(key, call) {
        const stored = await inner.read(key, call);
        return stored && { ...stored, epoch };
      },
      async write(key, record, expected, call) {
        const answer = await inner.write(key, record, expected, call);
        return answer.kind === "conflict" ? answer : { ...answer, epoch };
      },
    };
  }),
  reads("wipe-changes-epoch", "takes the server's name for the epoch", (stored) => ({
    ...stored,
    epoch: "server",
  })),
  calls("wiped-store-proves-nothing", "takes an empty store for a new one", (call) => ({
    ...call,
    absence: "waited",
  })),
  reads("age-rises-until-written", "tells the time of day for an age", (stored) => ({
    ...stored,
    ageMs: 1_700_000_000_000 + (stored.ageMs ?? 0),
  })),
  flaw("age-comes-with-conflicts", "gives no age to whoever lost", (inner) => ({
    async write(key, record, expected, call) {
      const answer = await inner.write(key, record, expected, call);
      if (answer.kind !== "conflict" || answer.current === undefined) return answer;
      const { ageMs: _, ...current } = answer.current;
      return { kind: "conflict", current };
    },
  })),
  calls("young-record-conflicts", "knows nothing of takeovers", (call) => ({
    ...call,
    takeover: "observed",
  })),
  flaw("old-record-is-taken", "judges by a ttl of its own", (inner) => ({
    async write(key, record, expected, call) {
      if (call.takeover === "observed") return inner.write(key, record, expected, call);
      return { kind: "conflict", current: await inner.read(key, call) };
    },
  })),
  flaw("observation-needs-no-age", "judges every write on another's record", (inner) => ({
    async write(key, record, expected, call) {
      const current = await inner.read(key, call);
      const takes = typeof current?.body === "object" && current.body.instance !== record.instance;
      return inner.write(key, record, expected, takes ? { ...call, takeover: "store-clock" } : call);
    },
  })),
  keys("folds case", (key) => key.toLowerCase()),
  keys("trims", (key) => key.trim()),
  keys("trims the end", (key) => key.trimEnd()),
  keys("normalises", (key) => key.normalize("NFC")),
  keys("cuts at 255", (key) => key.slice(0, 255)),
  keys("decodes percent signs", (key) => key.replaceAll(/%2f/gi, "/")),
  keys("replaces slashes", (key) => key.replaceAll("/", "-")),
  keys("resolves dots", (key) => new URL(`file:///${key.replaceAll("%", "%25")}`).pathname),
  keys("drops NUL", (key) => key.replaceAll("\u0000", "")),
  writes("odd-ids-survive", "normalises text", (record) => ({
    ...record,
    node: record.node.normalize("NFC"),
  })),
  flaw("unreadable-never-overwritten", "replaces what it cannot read", overwritesAnything),
  flaw("newer-without-header-kept", "replaces what is newer", overwritesAnything),
  reads("newer-with-header-replaceable", "refuses every later format", (stored) =>
    typeof stored.body === "object" && stored.body.v > 1 ? { ...stored, body: "newer" } : stored,
  ),
  calls("aborted-call-writes-nothing", "forgets the signal", (call) => ({
    ...call,
    signal: new AbortController().signal,
  })),
  flaw("disposed-store-rejects", "goes on after dispose", () => ({
    async [Symbol.asyncDispose]() {},
  })),
  flaw("disposed-store-rejects", "cannot be disposed twice", (inner) => {
    let disposed = false;
    return {
      async [Symbol.asyncDispose]() {
        if (disposed) throw new Error("already closed");
        disposed = true;
        await inner[Symbol.asyncDispose]();
      },
    };
  }),
  oneConnection(),
  flaw("watch-wakes-on-state-change", "wakes nobody", () => ({ watch: () => {} })),
  flaw("watch-ends-with-its-signal", "forgets the signal", (inner) => ({
    watch: (watched, wake) => inner.watch?.(watched, wake, new AbortController().signal),
  })),
  flaw("watch-never-throws", "throws when there is nothing to watch", (inner) => ({
    watch(watched, wake, signal) {
      if (watched.length === 0) throw new Error("nothing to watch");
      inner.watch?.(watched, wake, signal);
    },
  })),
  writes("lost-reply-keeps-the-term", "makes nonces of its own", withOwnNonce),
  writes("late-reply-keeps-the-term", "makes nonces of its own", withOwnNonce),
  flaw("one-unsettled-call-keeps-the-term", "forgets renewals", forgetsRenewals),
  flaw("late-reply-counts-from-the-send", "forgets renewals", forgetsRenewals),
  flaw("reply-after-the-deadline-ends-the-term", "forgets renewals", forgetsRenewals),
  flaw("unsettled-calls-end-the-term", "forgets renewals", forgetsRenewals),
  flaw("ghost-renewal-delays-the-successor", "forgets renewals", forgetsRenewals),
  flaw("late-execution-conflicts", "replaces whatever is there", replacesAnything),
  flaw("delivery-twice-changes-nothing", "replaces whatever is there", replacesAnything),
  flaw("removed-record-ends-the-term", "creates what it should replace", createsWhatIsGone),
  flaw("wiped-store-ends-the-term", "creates what it should replace", createsWhatIsGone),
  flaw("restored-store-ends-the-term", "replaces whatever is there", replacesAnything),
  flaw("unsafe-counter-loses-nothing", "replaces whatever is there", replacesAnything),
];

function seqOf({ body }: Stored): string {
  return typeof body === "object" ? String(body.seq) : body;
}

function perKeyCount(): NonNullable<RegisterOptions["version"]> {
  const counts = new Map<string, number>();
  return ({ key, creates }) => {
    const count = creates ? 1 : (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return String(count);
  };
}

/** All store objects share one connection, and whoever is disposed first closes it. */
function oneConnection(): Flaw {
  const open = (): StoreHarness => {
    const register = createRegister();
    const shared = register.store();
    return { ...register, store: () => shared };
  };
  return { id: "dispose-spares-other-objects", what: "shares one connection", open };
}
