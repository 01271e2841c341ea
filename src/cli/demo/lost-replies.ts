/**
 * A file system whose next link is made, and whose answer says that nobody knows: a reply that was lost.
 *
 * The write it belongs to counts. Its writer cannot tell, so it has to send it again.
 */

import type { FileSystem } from "../../chain/file-system.js";

export interface LosingFiles {
  readonly files: FileSystem;
  /** Runs `action` with the reply of its first link lost. */
  losing<T>(action: () => Promise<T>): Promise<T>;
}

export function losingReplies(files: FileSystem): LosingFiles {
  let armed = false;
  return {
    files: {
      ...files,
      async link(existing, name) {
        await files.link(existing, name);
        if (!armed) return;
        armed = false;
        throw new Error("the reply was lost on purpose");
      },
    },
    async losing(action) {
      armed = true;
      try {
        return await action();
      } finally {
        armed = false;
      }
    },
  };
}
