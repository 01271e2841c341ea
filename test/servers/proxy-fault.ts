/** One fault of a proxy: what it applies to, how often it did, and how it ends. */

export type Direction = "to-server" | "to-client";

/** A text in the message, or a test of it. */
export type Matching = string | ((message: Buffer) => boolean);

export interface Scope {
  /** Of the request. It also decides about replies: a reply is that of its request. */
  readonly matching?: Matching;
  /** Of the reply itself, or of the part of one that the framing cuts off. With this, no request is concerned. */
  readonly reply?: Matching;
  /** After so many messages the fault does no more; without it, until it is ended. */
  readonly times?: number;
}

export type Effect =
  | { readonly kind: "delay"; readonly toServerMs: number; readonly toClientMs: number }
  | { readonly kind: "drop" | "hold"; readonly direction: Direction }
  | {
      readonly kind: "reset";
      readonly of: "connections" | "requests";
      readonly every: number;
      readonly delivered: boolean;
    }
  | { readonly kind: "cut"; readonly connects: "refused" | "reset" }
  | { readonly kind: "half-open" | "unanswered" | "duplicate" | "flap" };

export type FaultKind = Effect["kind"];

export function matches(matching: Matching | undefined, message: Buffer): boolean {
  if (matching === undefined) return true;
  return typeof matching === "string" ? message.includes(matching) : matching(message);
}

/** A text in capitals or not: of the clients of databases, some send COMMIT and some commit. */
export function anyCase(text: string): (message: Buffer) => boolean {
  const wanted = text.toLowerCase();
  return (message) => message.toString("latin1").toLowerCase().includes(wanted);
}

export class Fault {
  readonly effect: Effect;
  readonly #scope: Scope;
  readonly #onEnd: () => Promise<void>;
  #count = 0;
  #seen = 0;
  #isOver = false;
  #ended: Promise<void> | undefined;

  constructor(effect: Effect, scope: Scope, onEnd: () => Promise<void>) {
    this.effect = effect;
    this.#scope = scope;
    this.#onEnd = onEnd;
  }

  /** Messages, connections or periods that it was done to so far. */
  get count(): number {
    return this.#count;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Without a condition, so that it also takes the end of a stream. */
  get isTotal(): boolean {
    const { matching, reply, times } = this.#scope;
    return matching === undefined && reply === undefined && times === undefined;
  }

  /** Whether it applies to this request, or, when one is given, to this reply of the request. If so, it counts. */
  strikes(request: Buffer, reply?: Buffer): boolean {
    if (this.isOver || this.#count >= (this.#scope.times ?? Number.POSITIVE_INFINITY)) return false;
    if (!matches(this.#scope.matching, request)) return false;
    if (this.#scope.reply !== undefined && (reply === undefined || !matches(this.#scope.reply, reply)))
      return false;
    this.#seen += 1;
    if (this.effect.kind === "reset" && this.#seen % this.effect.every !== 0) return false;
    this.strike();
    return true;
  }

  strike(): void {
    this.#count += 1;
  }

  /** Undoes it. Resolves when new and existing connections are as without it. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#ended ??= this.#onEnd();
    await this.#ended;
  }
}

/** What becomes of one message. */
export interface Verdict {
  readonly swallowedBy: Fault | undefined;
  readonly resetBy: Fault | undefined;
  readonly heldBy: readonly Fault[];
  readonly duplicatedBy: Fault | undefined;
  readonly delayMs: number;
}

/** `request` is the message itself, or the request that `reply` answers. */
export function judge(
  faults: readonly Fault[],
  direction: Direction,
  request: Buffer,
  reply?: Buffer,
): Verdict {
  const striking = faults.filter(({ effect }) => concerns(effect, direction));
  const first = (kind: FaultKind) =>
    striking.find((fault) => fault.effect.kind === kind && fault.strikes(request, reply));
  // What is swallowed is neither held nor late: later faults do not see it, and do not count it.
  const none = { resetBy: undefined, heldBy: [], delayMs: 0 };
  const duplicatedBy = first("duplicate");
  const swallowedBy = first("half-open") ?? first("unanswered") ?? first("drop");
  if (swallowedBy !== undefined) return { ...none, swallowedBy, duplicatedBy };
  const resetBy = first("reset");
  if (resetBy !== undefined) return { ...none, swallowedBy, duplicatedBy, resetBy };
  const heldBy = [first("hold")].filter((fault) => fault !== undefined);
  let delayMs = 0;
  for (const fault of striking) {
    if (fault.effect.kind !== "delay" || !fault.strikes(request, reply)) continue;
    delayMs += direction === "to-server" ? fault.effect.toServerMs : fault.effect.toClientMs;
  }
  return { swallowedBy, resetBy, heldBy, duplicatedBy, delayMs };
}

function concerns(effect: Effect, direction: Direction): boolean {
  switch (effect.kind) {
    case "delay":
      return (direction === "to-server" ? effect.toServerMs : effect.toClientMs) > 0;
    case "drop":
    case "hold":
      return effect.direction === direction;
    case "reset":
      return effect.of === "requests" && effect.delivered === (direction === "to-client");
    case "duplicate":
      return direction === "to-client";
    default:
      return effect.kind === "half-open" || effect.kind === "unanswered";
  }
}

/** The fault that takes whatever comes in this direction, the end of the stream included. */
export function severing(faults: readonly Fault[], direction: Direction): Fault | undefined {
  return faults.find(({ effect, isOver, isTotal }) => {
    if (isOver || !isTotal) return false;
    if (effect.kind === "drop") return effect.direction === direction;
    return effect.kind === "half-open" || effect.kind === "unanswered";
  });
}
