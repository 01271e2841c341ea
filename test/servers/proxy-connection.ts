/** One connection through the proxy: the client's socket, our socket to the server, and a lane each way. */
import type { Socket } from "node:net";
import { Cutter, cutOff, type Dialogue, type Framing, type ReplyCut, type RequestCut } from "./framing.js";
import { type Direction, type Fault, type Matching, matches, severing, type Verdict } from "./proxy-fault.js";
import { type Item, Lane } from "./proxy-lane.js";

/** What a connection asks of its proxy. */
export interface Owner {
  readonly framing: Framing;
  readonly activeFaults: readonly Fault[];
  judge(direction: Direction, request: Buffer, reply?: Buffer): Verdict;
  requestPassed(request: Buffer): void;
  /** `request` is the held message, or the request that it answers. */
  messageHeld(request: Buffer): void;
  duplicate(request: Buffer): void;
  closed(connection: Connection): void;
}

export class Connection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #owner: Owner;
  readonly #lanes: Readonly<Record<Direction, Lane>>;
  /** The faults by which bytes were lost: when one ends, the connection cannot go on. */
  readonly #lostTo = new Set<Fault>();
  readonly #dialogue: Dialogue;
  /** Requests whose reply has not ended so far. */
  #open: Buffer[] = [];
  /** The first of them has a part of its reply. */
  #hasBegun = false;
  #ending = { "to-server": false, "to-client": false };

  constructor(client: Socket, server: Socket, owner: Owner) {
    this.#client = client;
    this.#server = server;
    this.#owner = owner;
    this.#dialogue = owner.framing.open();
    this.#lanes = { "to-server": new Lane(server), "to-client": new Lane(client) };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("close", () => {
        if (client.destroyed && server.destroyed) owner.closed(this);
      });
    }
    this.#listenToClient();
    this.#listenToServer();
  }

  /** RST both ways. */
  reset(): void {
    for (const lane of Object.values(this.#lanes)) lane.swallow();
    for (const socket of [this.#client, this.#server]) {
      if (socket.connecting) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  /** A fault that takes everything has begun: what is on its way is lost too. */
  sever(fault: Fault, directions: readonly Direction[]): void {
    for (const direction of directions) if (!this.#lanes[direction].isEmpty) this.#lose(direction, fault);
  }

  /** A fault is over: nothing waits for it, and a stream with a hole is reset. */
  faultEnded(fault: Fault): void {
    if (this.#lostTo.has(fault)) {
      this.reset();
      return;
    }
    this.release(fault);
    if (fault.effect.kind === "delay") for (const lane of Object.values(this.#lanes)) lane.release();
  }

  /** What this fault holds goes on. */
  release(fault: Fault): void {
    for (const lane of Object.values(this.#lanes)) lane.release(fault);
  }

  /** The request of a message that is held. */
  held(matching: Matching | undefined): Buffer | undefined {
    return Object.values(this.#lanes)
      .flatMap((lane) => lane.held)
      .find(({ request }) => matches(matching, request))?.request;
  }

  #listenToClient(): void {
    const cutter = new Cutter((bytes) => cutOff(bytes, this.#dialogue.request(bytes)));
    this.#client.on("data", (bytes: Buffer) => {
      for (const request of cutter.take(bytes)) this.#onRequest(request);
    });
    this.#client.on("end", () => this.#end("to-server"));
    // What a client sent before it gave up still arrives: its end comes behind it, and never as a reset.
    this.#client.on("error", () => this.#end("to-server"));
    this.#client.on("close", () => this.#end("to-server"));
  }

  #listenToServer(): void {
    const cutter = new Cutter((bytes) => cutOff(bytes, this.#dialogue.reply(bytes)));
    this.#server.on("data", (bytes: Buffer) => {
      for (const reply of cutter.take(bytes)) this.#onReply(reply);
    });
    this.#server.on("end", () => this.#end("to-client"));
    this.#server.on("error", () => {
      if (this.#lanes["to-client"].swallows) return;
      const fault = severing(this.#owner.activeFaults, "to-client");
      if (fault === undefined) this.reset();
      else this.#lose("to-client", fault);
    });
  }

  #onRequest({ bytes: request, isAnswered }: RequestCut & { readonly bytes: Buffer }): void {
    if (this.#isLost("to-server", request)) return;
    const verdict = this.#owner.judge("to-server", request);
    if (this.#obey(verdict, "to-server")) return;
    if (isAnswered) this.#open.push(request);
    if (!this.#owner.framing.ordered) this.#open = this.#open.slice(-1);
    this.#send("to-server", request, request, verdict, () => this.#owner.requestPassed(request));
  }

  #onReply({ bytes: reply, begins, ends }: ReplyCut & { readonly bytes: Buffer }): void {
    if (begins && this.#hasBegun) this.#open.shift();
    this.#hasBegun = begins || this.#hasBegun;
    const [request = Buffer.alloc(0)] = this.#open;
    if (this.#owner.framing.ordered) this.#open.splice(0, ends);
    if (this.#isLost("to-client", request, reply)) return;
    const verdict = this.#owner.judge("to-client", request, reply);
    if (verdict.duplicatedBy !== undefined) this.#owner.duplicate(request);
    if (this.#obey(verdict, "to-client")) return;
    this.#send("to-client", reply, request, verdict, () => {});
  }

  /** True when the message goes no further. */
  #obey({ swallowedBy, resetBy }: Verdict, direction: Direction): boolean {
    if (swallowedBy !== undefined) this.#lose(direction, swallowedBy);
    else if (resetBy !== undefined) this.reset();
    return swallowedBy !== undefined || resetBy !== undefined;
  }

  #send(direction: Direction, bytes: Buffer, request: Buffer, verdict: Verdict, onPassed: () => void): void {
    const dueMs = verdict.delayMs === 0 ? 0 : performance.now() + verdict.delayMs;
    const item: Item = { bytes, request, dueMs, heldBy: new Set(verdict.heldBy), onPassed };
    this.#lanes[direction].push(item);
    if (item.heldBy.size > 0) this.#owner.messageHeld(request);
  }

  /** After a hole nothing passes; while a fault takes everything, each message counts. */
  #isLost(direction: Direction, request: Buffer, reply?: Buffer): boolean {
    if (!this.#lanes[direction].swallows) return false;
    for (const fault of this.#lostTo) fault.strikes(request, reply);
    return true;
  }

  #lose(direction: Direction, fault: Fault): void {
    const lostCount = this.#lanes[direction].swallow();
    for (let index = 0; index < lostCount; index += 1) fault.strike();
    this.#lostTo.add(fault);
  }

  #end(direction: Direction): void {
    if (this.#ending[direction]) return;
    this.#ending[direction] = true;
    const fault = severing(this.#owner.activeFaults, direction);
    if (fault === undefined) this.#lanes[direction].push("end");
    else this.#lose(direction, fault);
  }
}
