/**
 * A file per key that is touched when followers have something to look at.
 *
 * Renewals do not touch it, so they wake nobody. Wakes are a hint: every failure
 * here is silent and costs at most the time to the next poll. Watching begins
 * with making the bell, and its directory where the key is new; later losses (bell
 * deleted, replaced) are made good by the next read of the key, which makes
 * no directory, so that an operator can delete one under a watcher.
 */

import { join } from "node:path";
import type { LeaseRecord } from "../../lease/record.js";
import { errorName } from "../../chain/failures.js";
import type { FileSystem } from "../../chain/file-system.js";
import type { VersionFile } from "../../chain/layout.js";

const bellName = "bell";

export interface Bells {
  /** Wakes the watchers of the directory in every process. Never throws. */
  ring(path: string, own: VersionFile): Promise<void>;
  /** Ends with the signal or with `close`. */
  listen(path: string, wake: () => void, signal: AbortSignal): void;
  /** Starts listeners again whose bell was lost. */
  mend(path: string): void;
  close(): void;
}

interface Listener {
  readonly path: string;
  readonly wake: () => void;
  readonly end: () => void;
  /** "lost" may be started again; "starting" and "over" must not be. */
  state: "starting" | "listening" | "lost" | "over";
  stop: () => void;
}

/** What followers want to hear of: another holder, another state, a request, a bid. */
export function outline(record: LeaseRecord): string {
  return JSON.stringify([record.instance, record.state, record.request?.id, record.bid?.instance]);
}

/** `prepare` opens the store, so that a bell is never the first thing in a directory. */
export function createBells(files: FileSystem, prepare: () => Promise<unknown>): Bells {
  const listeners = new Set<Listener>();
  const lost = new Set<Listener>();

  /** Answers the system's error name when watching could not start. */
  function arm(listener: Listener): string | undefined {
    try {
      listener.stop = files.watch(join(listener.path, bellName), (what) => report(listener, what));
      listener.state = "listening";
      return undefined;
    } catch (cause) {
      return errorName(cause) ?? "unknown";
    }
  }

  function start(listener: Listener, make: () => Promise<boolean>): void {
    listener.state = "starting";
    const failed = arm(listener);
    if (failed === undefined) return;
    // Anything else, such as the limit of watches, will not pass soon: polling must do.
    if (failed !== "ENOENT") listener.state = "over";
    else {
      void make().then((made) => {
        if (listener.state === "starting" && !(made && arm(listener) === undefined)) lose(listener);
      });
    }
  }

  /** The next read of the key tries again, not this turn, so that nothing spins. */
  function lose(listener: Listener): void {
    listener.state = "lost";
    lost.add(listener);
  }

  function report(listener: Listener, what: "changed" | "gone"): void {
    if (listener.state !== "listening") return;
    if (what === "gone") {
      listener.stop();
      lose(listener);
    }
    listener.wake();
  }

  return {
    ring: async (path, own) => ring(files, path, own),
    listen(path, wake, signal) {
      const end = () => {
        if (listener.state === "listening") listener.stop();
        listener.state = "over";
        listeners.delete(listener);
        lost.delete(listener);
        signal.removeEventListener("abort", end);
      };
      const listener: Listener = { path, wake, end, state: "starting", stop: () => {} };
      listeners.add(listener);
      signal.addEventListener("abort", end, { once: true });
      start(listener, async () => makeBell(files, path, prepare));
    },
    mend(path) {
      for (const listener of [...lost]) {
        if (listener.path !== path) continue;
        lost.delete(listener);
        start(listener, async () => makeBell(files, path));
      }
    },
    close() {
      for (const listener of [...listeners]) listener.end();
    },
  };
}

async function ring(files: FileSystem, path: string, own: VersionFile): Promise<void> {
  try {
    const { modifiedMs } = await files.stat(join(path, own.name));
    await files.touch(join(path, bellName), modifiedMs);
  } catch {
    // Most often: no bell, since nobody ever watched.
  }
}

/** Whether there is a bell now. With `prepare` its directory is made as well. */
async function makeBell(files: FileSystem, path: string, prepare?: () => Promise<unknown>): Promise<boolean> {
  try {
    if (prepare !== undefined) {
      await prepare();
      await files.makeDirectory(path);
    }
    await files.writeNew(join(path, bellName), "");
    return true;
  } catch (cause) {
    return errorName(cause) === "EEXIST";
  }
}
