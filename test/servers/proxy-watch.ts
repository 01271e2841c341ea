/** What a test waits for at a proxy: that a request passed, that a message is held, that a duplicate was answered. */
import { type Matching, matches } from "./proxy-fault.js";

export type Happening = "passed" | "held" | "duplicated";

interface Waiter {
  readonly happening: Happening;
  readonly matching: Matching | undefined;
  readonly resolve: (request: Buffer) => void;
  readonly reject: (error: Error) => void;
}

export class Watch {
  #waiters: Waiter[] = [];
  #closed: Error | undefined;

  /** Resolves with the request, when it happens the next time. */
  async next(happening: Happening, matching: Matching | undefined): Promise<Buffer> {
    if (this.#closed !== undefined) throw this.#closed;
    return new Promise((resolve, reject) => {
      this.#waiters.push({ happening, matching, resolve, reject });
    });
  }

  happened(happening: Happening, request: Buffer): void {
    const concerned = (waiter: Waiter) => waiter.happening === happening && matches(waiter.matching, request);
    const told = this.#waiters.filter(concerned);
    this.#waiters = this.#waiters.filter((waiter) => !told.includes(waiter));
    for (const { resolve } of told) resolve(request);
  }

  failed(happening: Happening, error: Error): void {
    const told = this.#waiters.filter((waiter) => waiter.happening === happening);
    this.#waiters = this.#waiters.filter((waiter) => !told.includes(waiter));
    for (const { reject } of told) reject(error);
  }

  close(): void {
    this.#closed = new Error("the proxy was closed");
    for (const { reject } of this.#waiters.splice(0)) reject(this.#closed);
  }
}
