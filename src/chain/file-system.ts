/**
 * The file system port: the handful of operations that the file store is made of.
 *
 * Each is one step that can be recorded, stopped or frozen alone, so the tests
 * can put a crash between any two. All of them may run concurrently and may
 * block for as long as the disk does; "no answer" means that the step may have
 * been done. A failed step rejects with an Error that carries the system's error
 * name as `code`. Nothing is buffered: what one step did, the next one sees.
 */

export interface FileFacts {
  /** Names this very file or directory, also where its path or its inode number is used again. */
  readonly identity: string;
  /** When the content was last changed, by the file system's wall clock, ms. */
  readonly modifiedMs: number;
}

export interface FileSystem {
  /** The file system's type number as statfs(2) reports it. */
  mountType(path: string): Promise<number>;
  stat(path: string): Promise<FileFacts>;
  /** Names in a directory, in no order. Not a snapshot: entries that come or go meanwhile may be missed. */
  list(path: string): Promise<readonly string[]>;
  /** The first `limitBytes` bytes as UTF-8. */
  read(path: string, limitBytes: number): Promise<string>;
  /** Makes a file that must not exist yet. Durable only after `sync` of the file and of its directory. */
  writeNew(path: string, content: string): Promise<void>;
  /** fsync(2) of a file, or of a directory's entries. */
  sync(path: string): Promise<void>;
  /** A second name for a file; atomic, and fails with EEXIST when the name is taken. */
  link(existing: string, name: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes a directory and those above it; answers the topmost one made, or undefined when all were there. */
  makeDirectory(path: string): Promise<string | undefined>;
  /** Sets the modification time, which wakes those who watch the file. */
  touch(path: string, modifiedMs: number): Promise<void>;
  /**
   * Reports each touch as "changed"; "gone" once, when the file was removed or replaced or
   * watching failed. Answers how to stop. Throws when watching cannot start. Keeps no process alive.
   */
  watch(path: string, report: (what: "changed" | "gone") => void): () => void;
  /** A word within [a-z0-9-] that nobody has used and nobody else will, for names and nonces. Never fails. */
  freshId(): string;
}
