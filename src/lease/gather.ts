/**
 * Calls of many elections to one store object, sent together (rule 11).
 *
 * Promise: what is asked for in one turn goes out at the end of its microtasks, at most 64 items an exchange; each
 * call keeps its own signal and gets its own answer. A call that is aborted before that is not sent. A store that
 * offers no batches is used as it is. Non-promise: order. Nothing is retried, and nothing waits for a timer.
 */

import type { BatchedRead, BatchedWrite, Failed, Store, Stored, Written } from "./store.js";

type Calls = Pick<Store, "read" | "write">;

/** One exchange stays well below what servers take at once, and what keeps others waiting. */
const mostItems = 64;

const gathered = new WeakMap<Store, Calls>();

/** The calls of this store object, gathered with those of everybody who uses the same object. */
export function gather(store: Store): Calls {
  if (store.readMany === undefined && store.writeMany === undefined) return store;
  let calls = gathered.get(store);
  if (calls === undefined) {
    calls = gathering(store);
    gathered.set(store, calls);
  }
  return calls;
}

function gathering(store: Store): Calls {
  const reads = new Gatherer<BatchedRead, Stored | undefined>(
    async ({ key, call }) => store.read(key, call),
    async (items) => (await many(store.readMany?.(items))).map(readAnswer),
  );
  const writes = new Gatherer<BatchedWrite, Written>(
    async ({ key, record, expected, call }) => store.write(key, record, expected, call),
    async (items) => (await many(store.writeMany?.(items))).map(writeAnswer),
  );
  return {
    read:
      store.readMany === undefined ? store.read.bind(store) : async (key, call) => reads.add({ key, call }),
    write:
      store.writeMany === undefined
        ? store.write.bind(store)
        : async (key, record, expected, call) => writes.add({ key, record, expected, call }),
  };
}

async function many<R>(answers: Promise<readonly R[]> | undefined): Promise<readonly R[]> {
  return (await answers) ?? [];
}

type Outcome<A> = { readonly answer: A } | Failed;

function readAnswer(result: { readonly stored: Stored | undefined } | Failed): Outcome<Stored | undefined> {
  return "kind" in result ? result : { answer: result.stored };
}

function writeAnswer(result: Written | Failed): Outcome<Written> {
  return result.kind === "failed" ? result : { answer: result };
}

interface Waiting<I, A> {
  readonly item: I;
  readonly resolve: (answer: A) => void;
  readonly reject: (cause: unknown) => void;
}

class Gatherer<I extends BatchedRead, A> {
  readonly #sendOne: (item: I) => Promise<A>;
  readonly #sendMany: (items: readonly I[]) => Promise<ReadonlyArray<Outcome<A>>>;
  #waiting: Waiting<I, A>[] = [];

  constructor(
    sendOne: (item: I) => Promise<A>,
    sendMany: (items: readonly I[]) => Promise<ReadonlyArray<Outcome<A>>>,
  ) {
    this.#sendOne = sendOne;
    this.#sendMany = sendMany;
  }

  async add(item: I): Promise<A> {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#flush());
    return new Promise((resolve, reject) => void this.#waiting.push({ item, resolve, reject }));
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const wanted = waiting.filter(({ item, reject }) => {
      const { signal } = item.call;
      if (signal.aborted) reject(signal.reason);
      return !signal.aborted;
    });
    for (let from = 0; from < wanted.length; from += mostItems)
      void this.#send(wanted.slice(from, from + mostItems));
  }

  async #send(batch: ReadonlyArray<Waiting<I, A>>): Promise<void> {
    const [first, second] = batch;
    if (first !== undefined && second === undefined) {
      this.#sendOne(first.item).then(first.resolve, first.reject);
      return;
    }
    try {
      const outcomes = await this.#sendMany(batch.map(({ item }) => item));
      for (const [index, one] of batch.entries()) settle(one, outcomes[index]);
    } catch (cause) {
      // Nobody knows what became of any of them.
      for (const { reject } of batch) reject(cause);
    }
  }
}

function settle<A>({ resolve, reject }: Waiting<unknown, A>, outcome: Outcome<A> | undefined): void {
  if (outcome === undefined) reject(new Error("the store answered fewer calls than it was sent"));
  else if ("answer" in outcome) resolve(outcome.answer);
  else reject(outcome.cause);
}
