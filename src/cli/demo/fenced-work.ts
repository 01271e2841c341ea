/**
 * What a demo leader of this package does in its term: operation after operation, each done once, whoever does it.
 *
 * First the journal, then the ledger, both under the operation's name. A successor finds in
 * the journal what may have been left half done, and does it again: done already, it is
 * answered as a duplicate. Now and then a reply is treated as lost and the attempt sent
 * again. A leader that was held in the middle of a write, and woke up after another one had
 * written, goes on with that write, and tries two more with the handles it holds.
 */

import { setTimeout as pause } from "node:timers/promises";
import { TenureError } from "../../errors/index.js";
import type { Attempt } from "../../fence/fence.js";
import type { WriteOptions } from "../../fence/writer.js";
import type { Hold } from "./hold.js";
import type { Books, Ledger } from "./ledger.js";
import type { LosingFiles } from "./lost-replies.js";
import { writeEveryMs } from "./settings.js";
import { type Answer, isRefusal, type TermLog } from "./term-log.js";

export interface FencedWorkParts {
  readonly node: string;
  readonly token: number;
  readonly books: Books;
  readonly files: LosingFiles;
  readonly log: TermLog;
  readonly hold: Hold;
  readonly passes: () => boolean;
  /** Aborts with the term: what was not sent by then is not sent, and nobody waits for the next operation. */
  readonly signal: AbortSignal;
  /** Called after the first write of the term. */
  readonly onWrote: () => void;
  /** Called when a leader that woke up has tried all it tries. */
  readonly onTried: () => void;
}

type Within = Pick<WriteOptions, "signal">;

/** One reply in so many is lost, of each resource in turn. */
const lossEvery = 6;

export class FencedWork {
  readonly #parts: FencedWorkParts;
  #stale = false;

  constructor(parts: FencedWorkParts) {
    this.#parts = parts;
  }

  /** Resolves when the term is over and nothing is under way. */
  async run(): Promise<void> {
    const { books, log, passes, signal, onWrote, onTried } = this.#parts;
    log.claimed(["ledger", "journal"], passes);
    try {
      const { upTo, entries } = await books.journal.replay();
      log.replayed(upTo + entries.length);
      const last = entries.at(-1);
      if (last !== undefined) await this.#post(last.opId, { signal });
      for (let count = 1; passes(); count += 1) {
        await this.#operation(count);
        onWrote();
        await pause(writeEveryMs, undefined, { signal }).catch(() => {});
      }
    } catch (cause) {
      if (!isRefusal(cause) && !isOver(cause, signal)) throw cause;
    }
    if (!this.#stale) return;
    await this.#tryStale();
    onTried();
  }

  async #operation(count: number): Promise<void> {
    const { node, token, files, hold, signal, log } = this.#parts;
    const opId = `${node}-${token}-${count}`;
    const losing = async (when: number, action: () => Promise<void>) =>
      count % lossEvery === when ? files.losing(action) : action();
    const held = hold.take();
    // Whoever is held goes on with its write whatever it hears: the resource has to refuse it.
    const within = held ? {} : { signal };
    await losing(2, async () => this.#announce(opId, within));
    await losing(5, async () =>
      this.#post(opId, within, async () => {
        if (!held || !(await hold.stand(token))) return;
        this.#stale = true;
        log.staleTry("ledger", opId);
      }),
    );
  }

  async #announce(opId: string, within: Within = {}): Promise<void> {
    const { node, books, log } = this.#parts;
    await log.settle("journal", opId, async (attempt) => {
      const { index, duplicate } = await books.journal.append(
        { by: node },
        { ...within, ...named(opId, attempt) },
      );
      return { number: index, duplicate };
    });
  }

  /** `between`: called between reading and writing. */
  async #post(opId: string, within: Within = {}, between?: () => Promise<void>): Promise<void> {
    const { node, token, books, log } = this.#parts;
    await log.settle("ledger", opId, async (attempt): Promise<Answer> => {
      let duplicate = true;
      const body = async (transaction: { value: Ledger }) => {
        duplicate = false;
        await between?.();
        const total = transaction.value.total + 1;
        transaction.value = { total, last: { opId, token, node } };
        return total;
      };
      const number = await books.ledger.transaction(body, { ...within, ...named(opId, attempt) });
      return { number, duplicate };
    });
  }

  /** Whatever the answers are, the log has them. */
  async #tryStale(): Promise<void> {
    const { node, token, log } = this.#parts;
    const opId = `${node}-${token}-stale`;
    log.staleTry("ledger", opId);
    await this.#post(opId).catch(unlessRefused);
    log.staleTry("journal", opId);
    await this.#announce(opId).catch(unlessRefused);
  }
}

/** The term ended under a write: it was not sent, or the answer to its first sending stays unknown. */
function isOver(cause: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (cause === signal.reason || TenureError.is(cause, "GUARD_UNCONFIRMED"));
}

function named(opId: string, attempt: Attempt | undefined): { attempt: Attempt } | { opId: string } {
  return attempt === undefined ? { opId } : { attempt };
}

function unlessRefused(cause: unknown): void {
  if (!isRefusal(cause)) throw cause;
}
