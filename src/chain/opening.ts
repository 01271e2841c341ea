/**
 * Finding out, with every operation, which directory this is.
 *
 * Opens lazily: the first operation makes directory and marker where they are
 * missing. The first epoch seen is the one thing that is remembered, since only
 * there can it be said that nothing later than what is there was forgotten (rule 5). Must not
 * answer from memory: the directory may have been replaced since the last call.
 */

import { createError } from "../errors/index.js";
import { isRefusal } from "./failures.js";
import type { FileSystem } from "./file-system.js";
import { createMarker, type Identity, readIdentity, type Terms } from "./marker.js";
import { refuseShared } from "./mounts.js";

export interface Opening {
  /** Makes what is missing. Throws when the directory is not ours or not fit. */
  open(): Promise<Identity>;
  /** As `open`; undefined where there is no marker and this process may not make one: nothing was ever written. */
  openForReading(): Promise<Identity | undefined>;
  /** Makes nothing; undefined when the directory or its marker is gone. */
  look(): Promise<Identity | undefined>;
  /** Whether this is the epoch that was opened first. */
  isFirst(identity: Identity): boolean;
}

export function createOpening(files: FileSystem, directory: string, terms: Terms): Opening {
  let firstEpoch: string | undefined;

  async function look(): Promise<Identity | undefined> {
    return readIdentity(files, directory, terms);
  }

  async function open(): Promise<Identity> {
    let identity = await look();
    if (identity === undefined) {
      await createMarker(files, directory, terms);
      identity = await look();
    }
    if (identity === undefined) {
      throw createError("STORE_UNREACHABLE", `${directory} was deleted while it was opened`);
    }
    // Another epoch may be another mount.
    if (identity.epoch !== firstEpoch) await refuseShared(files, directory);
    firstEpoch ??= identity.epoch;
    return identity;
  }

  return {
    look,
    open,
    async openForReading() {
      try {
        return await open();
      } catch (cause) {
        if (isRefusal(cause) && (await look()) === undefined) return undefined;
        throw cause;
      }
    },
    isFirst: (identity) => identity.epoch === firstEpoch,
  };
}
