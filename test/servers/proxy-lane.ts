/**
 * One direction of a connection through the proxy: messages pass in order, and a message that is held or late keeps
 * back what comes after it, as TCP does.
 *
 * TCP never delivers a stream with a hole. A lane that lost bytes delivers nothing any more; its connection is reset
 * when the fault ends.
 */
import type { Socket } from "node:net";
import type { Fault } from "./proxy-fault.js";

export interface Item {
  readonly bytes: Buffer;
  /** The message itself, or the one that it answers. */
  readonly request: Buffer;
  /** By `performance.now()`. */
  dueMs: number;
  /** The faults that keep it back. */
  readonly heldBy: Set<Fault>;
  /** Called when the system has taken the bytes. */
  readonly onPassed: () => void;
}

export class Lane {
  readonly #to: Socket;
  readonly #queue: (Item | "end")[] = [];
  #timer: NodeJS.Timeout | undefined;
  #swallows = false;

  constructor(to: Socket) {
    this.#to = to;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  get swallows(): boolean {
    return this.#swallows;
  }

  push(item: Item | "end"): void {
    if (this.#swallows) return;
    this.#queue.push(item);
    this.#pump();
  }

  /** Everything is lost from here on. Returns how many messages were on their way. */
  swallow(): number {
    this.#swallows = true;
    clearTimeout(this.#timer);
    return this.#queue.splice(0).filter((item) => item !== "end").length;
  }

  /** Messages wait no longer for this fault, or for any delay when none is given. */
  release(fault?: Fault): void {
    for (const item of this.#queue) {
      if (item === "end") continue;
      if (fault === undefined) item.dueMs = 0;
      else item.heldBy.delete(fault);
    }
    this.#pump();
  }

  get held(): readonly Item[] {
    return this.#queue.filter((item): item is Item => item !== "end" && item.heldBy.size > 0);
  }

  #pump(): void {
    clearTimeout(this.#timer);
    for (let item = this.#queue[0]; item !== undefined; item = this.#queue[0]) {
      if (item === "end") {
        this.#to.end();
      } else {
        if (item.heldBy.size > 0) return;
        const waitMs = item.dueMs - performance.now();
        if (waitMs > 0) {
          this.#timer = setTimeout(() => this.#pump(), Math.ceil(waitMs));
          return;
        }
        const { bytes, onPassed } = item;
        // A receiver that is gone is no fault of ours; its socket's events tell the connection.
        if (this.#to.writable) this.#to.write(bytes, (error) => error ?? onPassed());
      }
      this.#queue.shift();
    }
  }
}
