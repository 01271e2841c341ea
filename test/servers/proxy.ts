/**
 * A TCP proxy that does to one client what networks do: at once, to connections that stand as well as to new ones.
 *
 * Each verb begins a fault and returns it; `fault.end()` undoes it and `heal()` undoes all. A stream never has a hole:
 * what lost bytes is reset when its fault ends, and until then it is as dead as behind a broken cable. What is held
 * arrives late and unharmed, also when its sender has given up meanwhile.
 */
import { chunks, type Framing } from "./framing.js";
import { freePort } from "./port.js";
import {
  type Direction,
  type Effect,
  Fault,
  type FaultKind,
  type Matching,
  type Scope,
} from "./proxy-fault.js";
import { Traffic } from "./proxy-traffic.js";

export interface ProxyOptions {
  /** The port of the server on 127.0.0.1. */
  readonly to: number;
  /** How to tell one message from the next; by default what arrives together is one. */
  readonly framing?: Framing;
  /** What a new connection says before a request is sent again on it: a password. */
  readonly greeting?: readonly Buffer[];
  /** Makes `url` of the proxy's port. */
  readonly urlAt?: (port: number) => string;
}

export async function startProxy(options: ProxyOptions): Promise<TcpProxy> {
  const { to, framing = chunks, greeting = [], urlAt = (port) => `tcp://127.0.0.1:${port}` } = options;
  const port = await freePort();
  const traffic = new Traffic(port, { to, framing, greeting });
  await traffic.listen();
  return new TcpProxy(port, urlAt(port), traffic);
}

export class TcpProxy {
  readonly port: number;
  readonly url: string;
  readonly #traffic: Traffic;
  readonly #begun: Fault[] = [];

  constructor(port: number, url: string, traffic: Traffic) {
    this.port = port;
    this.url = url;
    this.#traffic = traffic;
  }

  /** Requests that went on to the server so far, without those sent again. */
  get requestCount(): number {
    return this.#traffic.requestCount;
  }

  /** Connections that were accepted so far, whatever became of them. */
  get connectionCount(): number {
    return this.#traffic.connectionCount;
  }

  /** Connections that stand now. */
  get openCount(): number {
    return this.#traffic.connections.size;
  }

  /** How often each kind of fault was done to a message, a connection or, for `flap`, a period. */
  get faults(): Readonly<Record<FaultKind, number>> {
    const counts: Record<FaultKind, number> = {
      ...{ delay: 0, drop: 0, hold: 0, duplicate: 0, reset: 0, cut: 0, flap: 0 },
      ...{ "half-open": 0, unanswered: 0 },
    };
    for (const { effect, count } of this.#begun) counts[effect.kind] += count;
    return counts;
  }

  /** Each message waits; the order stays. When it ends, those that wait go at once. */
  delay(scope: Scope & { readonly toServerMs?: number; readonly toClientMs?: number }): Fault {
    const { toServerMs = 0, toClientMs = 0 } = scope;
    return this.#begin({ kind: "delay", toServerMs, toClientMs }, scope);
  }

  /** Messages of one direction vanish, and all that comes after one that did. */
  drop(direction: Direction, scope: Scope = {}): Fault {
    const fault = this.#begin({ kind: "drop", direction }, scope);
    if (fault.isTotal)
      for (const connection of this.#traffic.connections) connection.sever(fault, [direction]);
    return fault;
  }

  /** Both directions vanish, ends and resets too. New connections are accepted and lead nowhere. */
  halfOpen(): Fault {
    return this.#sever({ kind: "half-open" }, async () => {});
  }

  /** As `halfOpen`, and when this has resolved a connect gets no answer. */
  async unanswered(): Promise<Fault> {
    const fault = this.#sever({ kind: "unanswered" }, async () => this.#traffic.unsilence());
    // No connect reaches us any more, so that none of them can be counted.
    fault.strike();
    await this.#traffic.silence();
    return fault;
  }

  /** Connections that stand are reset; new ones are refused, or accepted and reset. */
  cut({ connects = "refused" }: { readonly connects?: "refused" | "reset" } = {}): Fault {
    const fault = this.#begin({ kind: "cut", connects }, {});
    for (const connection of [...this.#traffic.connections]) {
      fault.strike();
      connection.reset();
    }
    if (connects === "refused") this.#traffic.deafen();
    return fault;
  }

  /** Once the server has answered a request, it gets the same once more, on another connection. See `duplicated`. */
  duplicate(scope: Scope = {}): Fault {
    this.#traffic.mustBeRepeatable();
    return this.#begin({ kind: "duplicate" }, scope);
  }

  /** Messages wait until `release()` or the end of the fault, and with them all that comes after them. */
  hold(direction: Direction, scope: Scope = {}): Fault {
    return this.#begin({ kind: "hold", direction }, scope);
  }

  /** What is held now goes on; a fault that holds goes on too, for what comes next. */
  release(): void {
    for (const fault of this.#begun) {
      if (fault.effect.kind === "hold") for (const one of this.#traffic.connections) one.release(fault);
    }
  }

  /**
   * Each nth connection is reset when it was accepted, or each nth request: before the server sees it, or, with
   * `delivered`, when the server has answered it.
   */
  resetEvery(
    every: number,
    scope: Scope & { readonly of: "connections" | "requests"; readonly delivered?: boolean },
  ): Fault {
    const { of, delivered = false } = scope;
    return this.#begin({ kind: "reset", every, of, delivered }, scope);
  }

  /** Down at once, then up, then down again, in real time. Counts the times it went down. */
  flap(periods: {
    readonly downMs: number;
    readonly upMs: number;
    readonly how?: "cut" | "half-open";
  }): Fault {
    const { downMs, upMs, how = "cut" } = periods;
    let down: Fault | undefined;
    let timer: NodeJS.Timeout | undefined;
    const goUp = (): void => {
      timer = setTimeout(goDown, upMs);
      // A port that cannot be had back fails the run as an unhandled rejection.
      void down?.end();
      down = undefined;
    };
    const flapping = this.#begin({ kind: "flap" }, {}, async () => {
      clearTimeout(timer);
      await down?.end();
    });
    const goDown = (): void => {
      flapping.strike();
      down = how === "cut" ? this.cut() : this.halfOpen();
      timer = setTimeout(goUp, downMs);
    };
    goDown();
    return flapping;
  }

  /** Ends all faults and lets go what they hold. Resolves when the port is open as before. */
  async heal(): Promise<void> {
    await Promise.all(this.#begun.map((fault) => fault.end()));
  }

  /** Resolves with the next request that goes on to the server, once the system has taken its bytes. */
  async nextRequest(matching?: Matching): Promise<Buffer> {
    return this.#traffic.watch.next("passed", matching);
  }

  /** Resolves when a message is held, at once when one is: with the request, or with the one that it answers. */
  async held(matching?: Matching): Promise<Buffer> {
    for (const connection of this.#traffic.connections) {
      const request = connection.held(matching);
      if (request !== undefined) return request;
    }
    return this.#traffic.watch.next("held", matching);
  }

  /** Resolves when the server has answered the next request that it got twice; rejects when it could not. */
  async duplicated(matching?: Matching): Promise<Buffer> {
    return this.#traffic.watch.next("duplicated", matching);
  }

  /** Sends a request once more, on a connection of its own and past all faults. Resolves with the reply. */
  async resend(request: Buffer): Promise<Buffer> {
    return this.#traffic.resend(request);
  }

  async close(): Promise<void> {
    // Before the faults end: what they hold is not let go.
    await this.#traffic.close();
    await this.heal();
  }

  #sever(effect: Effect, onEnd: () => Promise<void>): Fault {
    const fault = this.#begin(effect, {}, onEnd);
    for (const connection of this.#traffic.connections) connection.sever(fault, ["to-server", "to-client"]);
    return fault;
  }

  #begin(effect: Effect, scope: Scope, onEnd?: () => Promise<void>): Fault {
    if (scope.reply !== undefined && "direction" in effect && effect.direction === "to-server")
      throw new Error("a request is judged before there is a reply: name what is in the request");
    const fault = new Fault(effect, scope, async () => {
      this.#activate();
      await onEnd?.();
      this.#traffic.faultEnded(fault);
      if (!this.#isDeaf) await this.#traffic.listen();
    });
    this.#begun.push(fault);
    this.#activate();
    return fault;
  }

  #activate(): void {
    this.#traffic.activeFaults = this.#begun.filter(({ isOver }) => !isOver);
  }

  get #isDeaf(): boolean {
    return this.#traffic.activeFaults.some(
      ({ effect }) =>
        effect.kind === "unanswered" || (effect.kind === "cut" && effect.connects === "refused"),
    );
  }
}
