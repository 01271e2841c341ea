/**
 * A route of a service for those who want to see it refuse: `verifyHttpFence`, and `tenure fence verify http://…`.
 *
 * Promise: it claims, writes and removes what belongs to a resource `tenure-fence-verify` of the service's own database, in a
 * namespace of the same name, and nothing else; a write that stands still does so for 15 s at most, and no more than
 * 16 do at once. Assumption: those who may not call the service's other routes may not call this one. Non-promise: what
 * handlers of other routes do.
 */

import { realClock } from "../../base/real-clock.js";
import { verifyNamespace } from "../operator.js";
import type { ProbedLedger } from "../probed.js";
import { createReceiver } from "../remote/receiver.js";
import { decodeSent } from "../remote/sent.js";
import { type ProbeRequest, type Question, readProbeRequest, readQuestion } from "./asking.js";
import { decide, type HttpFacts, type HttpFailure, type HttpHandler, unwanted } from "./decide.js";
import type { FastifyReply, FastifyRequest } from "./fastify.js";
import type { HonoContext } from "./hono.js";
import type { NodeRequest, NodeResponse, NodeStream } from "./node.js";
import type { HttpAnswer, HttpReply } from "./reply.js";
import { type NodeListenerOptions, routesOf } from "./routes.js";
import { encodeVerdict } from "./verdict.js";

/** One route, by POST. Put what authenticates callers in front. */
export interface HttpVerification {
  /** A listener of `node:http`. */
  node(options: NodeListenerOptions): (request: NodeStream, response: NodeResponse) => void;
  /** A handler of Express 5, behind `express.json()`. */
  express(): (request: NodeRequest & { readonly body?: unknown }, response: NodeResponse) => Promise<void>;
  /** A handler of Fastify 5. */
  fastify(): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** A handler of Hono 4. */
  hono(): (context: HonoContext) => Promise<Response>;
  /** For whatever else speaks HTTP. Does not reject. */
  receive(facts: HttpFacts<unknown>): Promise<HttpAnswer | HttpFailure>;
}

const mostBodyBytes = 4_096;
const mostStanding = 16;

/** `open`: the guard of the service's database, made as those of its own resources are, for a resource of this name. */
export function httpVerification<T>(open: (resource: string) => ProbedLedger<T>): HttpVerification {
  const ledger = open(verifyNamespace);
  const receiver = createReceiver(ledger);
  const standing = new Standing();
  const handler: HttpHandler<T, unknown> = (_, { body }) => {
    const asked = readProbeRequest(body);
    return asked === undefined ? { status: 400 } : standing.handle(asked);
  };
  const receive: HttpVerification["receive"] = async (facts) => {
    const { fence, body } = facts;
    const sent = fence === undefined ? "none" : decodeSent(fence);
    if (typeof sent !== "string" && sent.fence.namespace !== verifyNamespace) {
      return unwanted(sent, 400, `this route takes fences of the namespace ${verifyNamespace} alone`);
    }
    const question = sent === "none" ? readQuestion(body) : undefined;
    if (question === undefined) return decide(receiver, facts, handler);
    try {
      return answer(await reply(question, ledger, standing));
    } catch (error) {
      const verdict = encodeVerdict(undefined, { verdict: "failed", code: "GUARD_FAILED" });
      return { kind: "failure", error, verdict };
    }
  };
  const routes = routesOf<T>(receive, mostBodyBytes);
  return {
    node: (options) => routes.node(undefined, options),
    express: () => routes.express(),
    fastify: () => routes.fastify(),
    hono: () => routes.hono(),
    receive,
  };
}

/** Rejects with the guard's error. */
async function reply(
  question: Question,
  { kind, inspect, operator }: ProbedLedger<unknown>,
  standing: Standing,
): Promise<object> {
  switch (question.probe) {
    case "hello":
      return { kind };
    case "rows": {
      const found = await inspect();
      const rows = "rows" in found ? found.rows : found;
      return { rows: rows.filter(({ namespace }) => namespace === verifyNamespace) };
    }
    case "sweep":
      await operator.sweep(question.election);
      return { swept: true };
    case "standing":
      return { found: standing.has(question.write) };
    default:
      return { found: standing.release(question.write) };
  }
}

function answer(body: object): HttpAnswer {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { kind: "answer", status: 200, headers, body: JSON.stringify({ v: 1, ...body }) };
}

/** Writes that stand still in their transactions, each for its time. */
class Standing {
  /** Until their time is over, so that one which is decided anew does not stand still again. */
  readonly #known = new Map<string, { isOver: boolean; readonly goOn: () => void }>();

  /** Answers a promise only for a write that stands still. */
  handle({ result, stand }: ProbeRequest): HttpReply | Promise<HttpReply> {
    if (stand === undefined || this.#known.has(stand.write)) return { body: result };
    if (this.#known.size >= mostStanding) return { status: 503 };
    return this.#until(stand.write, stand.forMs).then(() => ({ body: result }));
  }

  has(write: string): boolean {
    return this.#known.get(write)?.isOver === false;
  }

  release(write: string): boolean {
    const found = this.#known.get(write);
    found?.goOn();
    return found !== undefined;
  }

  async #until(write: string, forMs: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const known = {
        isOver: false,
        goOn: () => {
          known.isOver = true;
          resolve();
        },
      };
      this.#known.set(write, known);
      realClock.setTimer(forMs, () => {
        known.goOn();
        this.#known.delete(write);
      });
    });
  }
}
