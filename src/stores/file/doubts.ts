/**
 * Keys to which a write of this store object went unanswered: it may have its name and not be on disk.
 *
 * Whoever wrote it recognises it by its nonce and goes on from there, as from an answer. So before such a key is shown
 * again its directory is made durable, or the call fails as the write did: without that a power loss could take what
 * the holder has built on. Others may be shown what is not on disk yet, since they build nothing on it.
 */

import type { FileSystem } from "../../chain/file-system.js";

interface Doubt {
  openCount: number;
  /** Of writes that threw since the directory was last made durable. */
  failedCount: number;
}

export class Doubts {
  readonly #files: FileSystem;
  /** By the key's directory. */
  readonly #doubts = new Map<string, Doubt>();

  constructor(files: FileSystem) {
    this.#files = files;
  }

  /** A write as it is: in doubt as long as it runs, and when it throws. One that is written settles those before it. */
  async about<A extends { readonly kind: string }>(path: string, write: () => Promise<A>): Promise<A> {
    const doubt = this.#doubts.get(path) ?? { openCount: 0, failedCount: 0 };
    this.#doubts.set(path, doubt);
    doubt.openCount += 1;
    try {
      const answer = await write();
      if (answer.kind === "written") doubt.failedCount = 0;
      return answer;
    } catch (cause) {
      doubt.failedCount += 1;
      throw cause;
    } finally {
      doubt.openCount -= 1;
      this.#forget(path, doubt);
    }
  }

  /** After the key was read, before it is shown. Rejects with what the file system says. */
  async settle(path: string): Promise<void> {
    const doubt = this.#doubts.get(path);
    if (doubt === undefined) return;
    const { failedCount } = doubt;
    await this.#files.sync(path);
    if (doubt.openCount === 0 && doubt.failedCount === failedCount) doubt.failedCount = 0;
    this.#forget(path, doubt);
  }

  #forget(path: string, doubt: Doubt): void {
    const isOver = doubt.openCount === 0 && doubt.failedCount === 0;
    if (isOver && this.#doubts.get(path) === doubt) this.#doubts.delete(path);
  }
}
