/**
 * The network between nodes and servers: delay, loss, late and repeated delivery, cuts in one direction or both.
 *
 * What was sent is carried out whatever becomes of its sender; a stopped process reads no answer before it goes on,
 * a dead one never. A server that stalls carries out what has come in once it goes on, in order.
 */

import type { VirtualClock, VirtualWorld } from "../../base/virtual-clock.js";
import { createError } from "../../errors/index.js";
import { type Dice, diceFor } from "../dice.js";
import type { CallKind, Fate } from "../faults/fault.js";
import type { Latency } from "../settings.js";
import type { Answer } from "./register.js";
import type { Timers } from "./timers.js";

export type ServerName = "store" | "ledger";

/** Who sends: the process of a slot. */
export interface Sender {
  readonly name: string;
  readonly slot: string;
  /** Runs it once the process can read; never for a dead one. */
  whenAwake(read: () => void): void;
}

/** How a fault names who runs there. */
export function whoOf({ name, slot }: Pick<Sender, "name" | "slot">): string {
  return name.endsWith("'") ? `${slot}'` : slot;
}

export interface Message<T> {
  readonly kind: CallKind;
  /** At the server. */
  carryOut(): Answer<T>;
  /** At the sender. */
  answered(answer: T): void;
  failed(cause: unknown): void;
}

/** One sender's way to one server. */
export interface Link {
  readonly sender: Sender;
  readonly server: ServerName;
  readonly dice: Dice;
}

interface Cut {
  readonly way: "both" | "there" | "back" | "refused";
  readonly untilMs: number;
}

interface Parts {
  readonly seed: number;
  readonly time: VirtualWorld;
  readonly timers: Timers;
  readonly latency: Latency;
  /** The store's answers are there at once. */
  readonly instant: boolean;
  fate(sender: Sender, kind: CallKind): Fate | undefined;
}

export class Network {
  readonly #parts: Parts;
  readonly #clock: VirtualClock;
  readonly #cuts = new Map<string, Cut>();
  readonly #stalled = new Map<ServerName, (() => void)[]>();
  /** The store has no room, and refuses what would need some. */
  full = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#clock = parts.time.createClock();
  }

  link(sender: Sender, server: ServerName): Link {
    return { sender, server, dice: diceFor(this.#parts.seed, `${sender.name} to ${server}`) };
  }

  cut(slot: string, server: ServerName, way: Cut["way"], forMs: number): void {
    this.#cuts.set(`${slot} ${server}`, { way, untilMs: this.#parts.time.nowMs + forMs });
  }

  /** All cuts heal, all servers go on. */
  heal(): void {
    this.#cuts.clear();
    this.full = false;
    for (const server of this.#stalled.keys()) this.resume(server);
  }

  stall(server: ServerName): void {
    if (!this.#stalled.has(server)) this.#stalled.set(server, []);
  }

  resume(server: ServerName): void {
    const waiting = this.#stalled.get(server) ?? [];
    this.#stalled.delete(server);
    for (const carryOut of waiting) carryOut();
  }

  send<T>(link: Link, message: Message<T>): void {
    const thereMs = this.#delayMs(link.dice);
    if (this.#isCut(link, "there")) return;
    if (this.#isCut(link, "refused")) return this.#refuse(link, message);
    if (this.full && message.kind === "write")
      return this.#read(link, 1, () => message.failed(createError("STORE_FULL", "the store has no room")));
    const fate = this.#parts.fate(link.sender, message.kind);
    switch (fate?.kind) {
      case undefined:
        return this.#arrive(link, message, thereMs, 0);
      case "lost-call":
        return undefined;
      case "refused":
        return this.#refuse(link, message);
      case "lost-reply":
        return this.#arrive(link, message, thereMs, undefined);
      case "late-reply":
        return this.#arrive(link, message, thereMs, fate.byMs);
      case "late-execution":
        return this.#late(link, message, fate.byMs, 0);
      case "twice":
        this.#late(link, message, fate.byMs, undefined);
        return this.#arrive(link, message, thereMs, 0);
      case "resent":
        this.#arrive(link, message, thereMs, undefined);
        return this.#late(link, message, fate.byMs, 0);
    }
  }

  #arrive<T>(link: Link, message: Message<T>, afterMs: number, lateMs: number | undefined): void {
    const arrive = () => this.#carryOut(link, message, lateMs);
    // Nothing waits for what an instant server does before its answer is read.
    if (this.#parts.instant || link.server === "ledger") this.#parts.time.quietly(afterMs, arrive);
    else this.#clock.setTimer(afterMs, arrive);
  }

  #late<T>(link: Link, message: Message<T>, afterMs: number, lateMs: number | undefined): void {
    this.#parts.timers.after(afterMs, () => this.#carryOut(link, message, lateMs));
  }

  /** `lateMs`: how much later than usual its answer is; undefined, when that is lost. */
  #carryOut<T>(link: Link, message: Message<T>, lateMs: number | undefined): void {
    const waiting = this.#stalled.get(link.server);
    if (waiting !== undefined) {
      waiting.push(() => this.#carryOut(link, message, lateMs));
      return;
    }
    const answer = message.carryOut();
    const backMs = this.#delayMs(link.dice);
    if (answer instanceof Promise) {
      answer.then(
        (value) => this.#reply(link, message, value, backMs, lateMs),
        (cause: unknown) => this.#read(link, backMs, () => message.failed(cause)),
      );
    } else this.#reply(link, message, answer, backMs, lateMs);
  }

  #reply<T>(link: Link, message: Message<T>, answer: T, backMs: number, lateMs: number | undefined): void {
    if (lateMs === undefined || this.#isCut(link, "back")) return;
    const arrive = () => link.sender.whenAwake(() => message.answered(answer));
    if (lateMs > 0) this.#parts.timers.after(backMs + lateMs, arrive);
    else this.#clock.setTimer(backMs, arrive);
  }

  #read(link: Link, afterMs: number, read: () => void): void {
    this.#clock.setTimer(afterMs, () => link.sender.whenAwake(read));
  }

  #refuse<T>(link: Link, message: Message<T>): void {
    this.#read(link, 1, () => message.failed(new Error("connection refused")));
  }

  #isCut({ sender, server }: Link, way: "there" | "back" | "refused"): boolean {
    if (this.#cuts.size === 0) return false;
    const cut = this.#cuts.get(`${sender.slot} ${server}`);
    return (
      cut !== undefined &&
      this.#parts.time.nowMs < cut.untilMs &&
      (cut.way === way || (cut.way === "both" && way !== "refused"))
    );
  }

  #delayMs(dice: Dice): number {
    const { shape, mostMs } = this.#parts.latency;
    const luck = dice.fraction();
    if (shape === "even") return luck * mostMs;
    return luck < 0.95 ? (luck * mostMs) / 9.5 : (luck - 0.95) * 60 * mostMs;
  }
}
