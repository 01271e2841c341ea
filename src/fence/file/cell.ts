/**
 * A register in a directory: each version of the resource is a file that link(2) makes.
 *
 * The successor of a version has one possible name, so of two writers that decided on the
 * same version one is beaten, however long it was frozen in between. Nothing is locked: a
 * process that stands still blocks nobody.
 */

import { append } from "../../chain/append.js";
import { type Format, type Head, readChain } from "../../chain/chain.js";
import type { FileSystem } from "../../chain/file-system.js";
import { keyPath } from "../../chain/layout.js";
import type { Identity, Terms } from "../../chain/marker.js";
import { createOpening, type Opening } from "../../chain/opening.js";
import { prune } from "../../chain/prune.js";
import { createError, TenureError } from "../../errors/index.js";
import type { Cell, Fencing, Replaced } from "../cell.js";
import { decodeEnvelope, encodeEnvelope, type Envelope } from "../envelope.js";
import type { ValueSnapshot } from "../value-guard.js";

export interface FileCellOptions {
  /** Absolute path of the directory. */
  readonly root: string;
  readonly resource: string;
  /** What the marker says of the directory. One that was made for something else is refused, and refuses this one. */
  readonly terms: Terms;
  readonly maxBytes: number;
  /** The value of the next version, JSON text; `change` is undefined when only the fencing changes. */
  readonly carry: (before: string | undefined, change: string | undefined) => string | undefined;
  /** How many of the newest versions must stay once `value` is number `number`. */
  readonly keep: (number: number, value: string | undefined) => number;
}

export interface FileSnapshot extends ValueSnapshot {
  readonly identity: Identity | undefined;
  readonly head: Head<Body> | undefined;
}

export type Body = Envelope | "newer" | "unreadable";

const nothing: Fencing = { rows: [], operations: [] };

export function envelopeFormat(maxBytes: number): Format<Body> {
  return {
    limitBytes: maxBytes,
    decode(text) {
      const body = decodeEnvelope(text);
      return { body, nonce: typeof body === "string" ? undefined : body.nonce };
    },
  };
}

export class FileCell implements Cell<FileSnapshot, string> {
  readonly #options: FileCellOptions;
  readonly #files: FileSystem;
  readonly #opening: Opening;
  readonly #format: Format<Body>;
  readonly #path: string;

  constructor(options: FileCellOptions, files: FileSystem) {
    this.#options = options;
    this.#files = files;
    this.#opening = createOpening(files, options.root, options.terms);
    this.#format = envelopeFormat(options.maxBytes);
    this.#path = keyPath(options.root, options.resource);
  }

  async read(): Promise<FileSnapshot> {
    return this.#failing(async () => {
      const identity = await this.#opening.openForReading();
      const head =
        identity && (await readChain(this.#files, this.#path, identity.generation, this.#format)).head;
      if (head === undefined) return { fencing: nothing, value: undefined, identity, head };
      if (typeof head.body !== "string") return { ...head.body, identity, head };
      const message = `"${this.#options.resource}" in ${this.#options.root} is ${head.body}; it is left as it is`;
      throw createError("GUARD_ROW_UNREADABLE", message);
    });
  }

  async replace(
    before: FileSnapshot,
    fencing: Fencing,
    change: string | undefined,
    stillWanted: () => void,
  ): Promise<Replaced> {
    const value = this.#options.carry(before.value, change);
    const body: Envelope = { nonce: this.#files.freshId(), fencing, value };
    const content = this.#sized(encodeEnvelope(body));
    let unwanted = false;
    try {
      return await this.#append(before, body, content, () => {
        unwanted = true;
        stillWanted();
        unwanted = false;
      });
    } catch (cause) {
      if (unwanted) throw cause;
      if (TenureError.is(cause) && cause.outcome === "unknown") return { kind: "unconfirmed", cause };
      throw this.#failed(cause);
    }
  }

  async confirm({ head }: FileSnapshot): Promise<void> {
    if (head !== undefined) await this.#failing(async () => this.#files.sync(this.#path));
  }

  async #append(
    before: FileSnapshot,
    body: Envelope,
    content: string,
    stillWanted: () => void,
  ): Promise<Replaced> {
    const files = this.#files;
    const path = this.#path;
    const identity = await this.#opening.open();
    // What was read lies in a directory that is no more.
    if (before.identity !== undefined && before.identity.epoch !== identity.epoch)
      return { kind: "conflict" };
    const site = { files, directory: this.#options.root, path, opening: this.#opening, format: this.#format };
    const { nonce } = body;
    const { head } = before;
    const version = { body, nonce, content, head, identity, stillWanted, announce: async () => {} };
    const appended = await append(site, version);
    if (appended.kind === "conflict") return { kind: "conflict" };
    const { chain, own } = appended;
    const { number } = own.file;
    // Others may have gone on since: what this version needs says nothing of how many came after it.
    const since = (chain.head?.file.number ?? number) - number;
    await prune(files, path, chain, own.file, this.#options.keep(number, body.value) + since);
    return { kind: "replaced" };
  }

  #sized(content: string): string {
    const { maxBytes, resource } = this.#options;
    const bytes = Buffer.byteLength(content);
    if (bytes <= maxBytes) return content;
    const message = `"${resource}" would have ${bytes} bytes, the limit is ${maxBytes}; nothing was written`;
    throw createError("VALUE_TOO_LARGE", message);
  }

  async #failing<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  #failed(cause: unknown): Error {
    if (TenureError.is(cause, "GUARD_ROW_UNREADABLE")) return cause;
    const { resource, root } = this.#options;
    const why = cause instanceof Error ? cause.message : "no error was given";
    return createError("GUARD_FAILED", `"${resource}" in ${root} failed: ${why}`, { cause });
  }
}
