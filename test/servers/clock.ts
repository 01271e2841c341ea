/**
 * The wall clock of one server, by libfaketime: it can jump and run at another rate while the server runs.
 *
 * The library reads a file at each look at the clock; we replace that file. The monotonic clock stays as it is, as it
 * does when NTP or an operator sets the time, so the server's own timers go on. Programs that read the clock past
 * libc, those written in Go above all, see none of it.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateOrThrow } from "./binaries.js";
import { guardPath } from "./guardian.js";

/** The rate while a server starts; see `started`. */
const startRate = 0.5;

export class ServerClock {
  readonly #file: string;
  /** When the library was loaded into the process whose clock it is: it counts from there. */
  #startedAt = Date.now();
  /** The line that the clock follows: `fake` at `real`, and from there `rate` milliseconds for each. */
  #line = { real: Date.now(), fake: Date.now(), rate: 1 };

  constructor(folder: string) {
    this.#file = join(folder, "clock");
    this.#write(this.#line.rate);
  }

  /** What the environment of the server needs. `preload` goes before what the program itself needs there. */
  env(preload: readonly string[] = []): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: [locateOrThrow("libfaketime").path, ...preload].join(":"),
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: "1",
      // Two versions of the library, two names.
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    };
  }

  /** How far the server's clock is ahead of ours now, by what it was told. */
  get offsetMs(): number {
    const now = Date.now();
    return this.#fakeAt(now) - now;
  }

  jump(ms: number): void {
    this.#follow(ms, this.#line.rate);
  }

  /** 1 is the rate of our own clock. The time shown now does not change. */
  rate(rate: number): void {
    if (!(rate > 0)) throw new Error(`a clock that runs backwards or stands still is not offered: ${rate}`);
    this.#follow(0, rate);
  }

  /** Back to our own time and rate. */
  heal(): void {
    const now = Date.now();
    this.#line = { real: now, fake: now, rate: 1 };
    this.#write(this.#line.rate);
  }

  /** To be called before a program is started with this clock. It goes on from what it shows, at half speed. */
  starting(): void {
    this.#startedAt = Date.now();
    this.#write(startRate);
  }

  /**
   * To be called once it can be asked what its clock shows. The library counts from its own start, which nobody tells
   * us and which may be tens of milliseconds after that of the process; a clock at half speed shows it. Slow rather
   * than fast, so that nothing expires too early while the server starts.
   */
  async started(shown: () => Promise<number>): Promise<void> {
    const offset = this.#fakeAt(this.#startedAt) - this.#startedAt;
    let best = { tookMs: Number.POSITIVE_INFINITY, startedAt: 0 };
    for (let round = 0; round < 5; round += 1) {
      const before = Date.now();
      const begun = performance.now();
      const shownMs = await shown();
      const tookMs = performance.now() - begun;
      const real = before + tookMs / 2;
      const startedAt = (shownMs - offset - startRate * real) / (1 - startRate);
      if (tookMs < best.tookMs) best = { tookMs, startedAt };
    }
    this.#startedAt = best.startedAt;
    this.#write(this.#line.rate);
  }

  #follow(jumpMs: number, rate: number): void {
    const now = Date.now();
    this.#line = { real: now, fake: this.#fakeAt(now) + jumpMs, rate };
    this.#write(this.#line.rate);
  }

  #fakeAt(real: number): number {
    return this.#line.fake + (real - this.#line.real) * this.#line.rate;
  }

  /** The library shows `start + offset + (now - start) * rate`; the file is never seen half written. */
  #write(rate: number): void {
    const offset = (this.#fakeAt(this.#startedAt) - this.#startedAt) / 1_000;
    const text = `${offset < 0 ? "-" : "+"}${Math.abs(offset).toFixed(6)} x${rate}\n`;
    writeFileSync(`${this.#file}.new`, text);
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** The library leaves these behind when its process is killed. */
function leftovers(pid: number): readonly string[] {
  return [`/dev/shm/sem.faketime_sem_${pid}`, `/dev/shm/faketime_shm_${pid}`];
}

export function guardLeftovers(pid: number): void {
  for (const path of leftovers(pid)) guardPath(path);
}

export function removeLeftovers(pid: number): void {
  for (const path of leftovers(pid)) rmSync(path, { force: true });
}
