/**
 * The bytes of one file: as memory has them, and as the disk has them.
 *
 * What is written is in memory at once and on the disk after `sync`. At a power loss each page that was not synced is
 * there, is not there, or is torn; so is the length. Must not decide when that happens: `disk.ts` does.
 *
 * A failed sync leaves the pages clean, as Linux does (PostgreSQL wiki, "Fsync Errors"): memory shows what was written,
 * the next sync has nothing to do and succeeds, and the data is gone with the power.
 */

import type { Dice } from "../dice.js";

/** Written as one; what a torn page is made of. A sector of common disks. */
const pageBytes = 512;

export class DiskBytes {
  #memory: Uint8Array = new Uint8Array(0);
  #disk: Uint8Array = new Uint8Array(0);
  readonly #dirty = new Set<number>();
  #lengthDirty = false;

  get size(): number {
    return this.#memory.length;
  }

  read(from: number, length: number): Uint8Array {
    return this.#memory.slice(from, from + length);
  }

  /** Beyond the end there are zeros up to `at`. */
  write(at: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#resize(Math.max(this.size, at + bytes.length));
    this.#memory.set(bytes, at);
    for (let page = pageOf(at); page <= pageOf(at + bytes.length - 1); page += 1) this.#dirty.add(page);
  }

  truncate(length: number): void {
    this.#resize(length);
    for (const page of this.#dirty) if (page * pageBytes >= length) this.#dirty.delete(page);
  }

  sync(): void {
    if (this.#lengthDirty) this.#disk = resized(this.#disk, this.size);
    for (const page of this.#dirty) this.#put(page, pageBytes);
    this.forgetDirty();
  }

  /** A sync that failed. */
  forgetDirty(): void {
    this.#dirty.clear();
    this.#lengthDirty = false;
  }

  losePower(dice: Dice): void {
    const lot = dice.fraction();
    const [all, none] = [lot < 0.3, lot >= 0.7];
    if (this.#lengthDirty && !none) {
      const [least, most] = [this.#disk.length, this.size].toSorted((a, b) => a - b) as [number, number];
      const length = all || dice.happens(0.5) ? this.size : least + dice.below(most - least + 1);
      this.#disk = resized(this.#disk, length);
    }
    for (const page of [...this.#dirty].toSorted((a, b) => a - b)) {
      if (none || (!all && dice.happens(0.3))) continue;
      const used = Math.min(pageBytes, Math.max(this.size - page * pageBytes, 1));
      this.#put(page, all || dice.happens(0.5) ? used : dice.below(used));
    }
    this.forgetDirty();
    this.#memory = this.#disk.slice();
  }

  /** One bit changes where it lies; a page that is still to be written will be right again. Undefined: no byte lies there. */
  flipBit(dice: Dice): number | undefined {
    if (this.#disk.length === 0) return undefined;
    const at = dice.below(this.#disk.length);
    const bit = 1 << dice.below(8);
    this.#disk[at] = (this.#disk[at] ?? 0) ^ bit;
    if (at < this.size && !this.#dirty.has(pageOf(at))) this.#memory[at] = this.#disk[at] ?? 0;
    return at;
  }

  #resize(length: number): void {
    if (length === this.size) return;
    this.#memory = resized(this.#memory, length);
    this.#lengthDirty = true;
  }

  /** The first bytes of a page reach the disk, as far as the file is that long there. */
  #put(page: number, count: number): void {
    const from = page * pageBytes;
    const until = Math.min(from + count, this.size, this.#disk.length);
    if (from < until) this.#disk.set(this.#memory.subarray(from, until), from);
  }
}

function pageOf(at: number): number {
  return Math.floor(at / pageBytes);
}

function resized(bytes: Uint8Array, length: number): Uint8Array {
  const made = new Uint8Array(length);
  made.set(bytes.subarray(0, length));
  return made;
}
