/**
 * The store port on a file system port: calls in, answers or errors of ours out.
 *
 * Must not keep anything in memory that safety rests on, but the first epoch it
 * saw, and must start nothing for a caller who no longer wants it.
 */

import { createError } from "../../errors/index.js";
import type { Call, Store } from "../../lease/store.js";
import { createBells } from "./bell.js";
import { readChain } from "../../chain/chain.js";
import { Doubts } from "./doubts.js";
import { stepFailed } from "./failures.js";
import { recordFormat, toStored } from "./format.js";
import type { FileSystem } from "../../chain/file-system.js";
import { keyPath } from "../../chain/layout.js";
import { createOpening } from "../../chain/opening.js";
import { type Inside, replace } from "./replace.js";

export interface Settings {
  /** Absolute path of the directory. */
  readonly root: string;
  readonly maxTtlMs: number;
  readonly keepVersions: number;
}

export function createDriver({ root, maxTtlMs, keepVersions }: Settings, files: FileSystem): Store {
  const opening = createOpening(files, root, { maxTtlMs });
  const bells = createBells(files, async () => opening.openForReading());
  const doubts = new Doubts(files);
  const inside: Inside = { files, root, keepVersions, opening, bells, doubts, stillWanted };
  let closed = false;

  function stillWanted(call: Call): void {
    call.signal.throwIfAborted();
    if (closed) throw createError("STORE_CLOSED", `the file store in ${root} was closed`);
  }

  async function attempt<T>(call: Call, action: () => Promise<T>): Promise<T> {
    try {
      stillWanted(call);
      return await action();
    } catch (cause) {
      throw stepFailed(cause, root, call.signal);
    }
  }

  return {
    kind: "file",
    scope: "host",
    capabilities: { provesAbsence: true, storeClock: false, readBackProves: true, notifies: true },
    maxTtlMs,
    read: async (key, call) =>
      attempt(call, async () => {
        const path = keyPath(root, key);
        bells.mend(path);
        const identity = await opening.openForReading();
        const head = identity && (await readChain(files, path, identity.generation, recordFormat)).head;
        if (head !== undefined) await doubts.settle(path);
        return toStored(identity, head);
      }),
    write: async (key, record, expected, call) =>
      attempt(call, async () => replace(inside, keyPath(root, key), record, expected, call)),
    watch(keys, wake, signal) {
      if (signal.aborted || closed) return;
      for (const key of new Set(keys)) bells.listen(keyPath(root, key), () => wake(key), signal);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      bells.close();
    },
  };
}
