/**
 * One process's calls to one server.
 *
 * The channel of a twin follows that of its original, call by call, until the two part: it sends nothing, and reads
 * what its original reads.
 */

import type { CallKind } from "../faults/fault.js";
import type { Answer } from "./register.js";
import type { Link, Network } from "./network.js";

interface Followed {
  readonly answer: Promise<unknown>;
  readonly settle: (answer: Promise<unknown>) => void;
}

export interface Request<T> {
  readonly kind: CallKind;
  /** What a twin must send too. */
  readonly mark: string | undefined;
  carryOut(): Answer<T>;
  /** Before the caller has it. */
  answered?(answer: T): void;
}

export class Channel {
  readonly #network: Network;
  readonly #link: Link;
  readonly #leader: Channel | undefined;
  /** The twin does not do what its original does: the world is broken, not what it judges. */
  readonly #diverged: (call: number) => void;
  readonly #calls: Followed[] = [];
  readonly #marks: (string | undefined)[] = [];
  #follower: Channel | undefined;
  #following: boolean;
  #count = 0;

  constructor(network: Network, link: Link, diverged: (call: number) => void, leader?: Channel) {
    this.#network = network;
    this.#link = link;
    this.#diverged = diverged;
    this.#leader = leader;
    this.#following = leader !== undefined;
    if (leader !== undefined) leader.#follower = this;
  }

  get following(): boolean {
    return this.#following;
  }

  /** The twin goes its own way: what was under way is answered to the original alone. */
  part(): void {
    this.#following = false;
    if (this.#leader !== undefined) this.#leader.#follower = undefined;
  }

  call<T>(request: Request<T>): Promise<T> {
    const index = this.#count;
    this.#count += 1;
    if (this.#following) return this.#follow<T>(index, request.mark);
    const { kind, carryOut } = request;
    const answer = new Promise<T>((resolve, reject) => {
      this.#network.send<T>(this.#link, {
        kind,
        carryOut,
        answered(value) {
          request.answered?.(value);
          resolve(value);
        },
        failed: reject,
      });
    });
    if (this.#follower !== undefined) {
      this.#marks[index] = request.mark;
      this.#followed(index).settle(answer);
    }
    return answer;
  }

  #followed(index: number): Followed {
    const known = this.#calls[index];
    if (known !== undefined) return known;
    let settle: (answer: Promise<unknown>) => void = () => {};
    const answer = new Promise<unknown>((resolve) => {
      settle = resolve;
    });
    const followed: Followed = { answer, settle };
    // Rejections are the business of those who made the call.
    answer.catch(() => {});
    this.#calls[index] = followed;
    return followed;
  }

  async #follow<T>(index: number, mark: string | undefined): Promise<T> {
    const leader = this.#leader;
    if (leader === undefined) throw new Error("nothing to follow");
    if (leader.#marks[index] !== mark) this.#diverged(index);
    const [settled] = await Promise.allSettled([leader.#followed(index).answer]);
    if (!this.#following) return never();
    if (settled.status === "rejected") throw settled.reason;
    return settled.value as T;
  }
}

async function never(): Promise<never> {
  return new Promise(() => {});
}
