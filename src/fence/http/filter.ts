/**
 * A check in front of handlers that write where no guard reaches. Advisory.
 *
 * Promise: a request below the last claim that the filter knows of does not come to the handler. Non-promise:
 * P2. Check and effect are two steps: a request that has passed writes whatever is claimed meanwhile, so an
 * update can be lost, and what comes twice is done twice, since nothing is numbered. Leaders have to say that
 * they take this (`advisory: true`). Assumption: none; with a guard in memory every start of the service, and
 * every process of it, knows claims of its own alone.
 */

import type { ReceivingGuard } from "../receiving.js";
import { createReceiver } from "../remote/receiver.js";
import { decideClaim, failed, type HttpFacts, type HttpFailure, readRequest } from "./decide.js";
import { type FastifyReply, type FastifyRequest, sendByFastify } from "./fastify.js";
import { honoResponse, type HonoContext } from "./hono.js";
import { factsOf, type NodeRequest, type NodeResponse, sendAnswer } from "./node.js";
import { type HttpAnswer, refusedAnswer } from "./reply.js";
import { encodeVerdict, fenceHeader, verdictHeader } from "./verdict.js";

/** The handler may run; its response has to carry `verdict` as its header. */
export interface HttpPass {
  readonly kind: "pass";
  readonly verdict: string;
}

/** Middleware, in front of the routes that it is to check. All of it takes claims, by POST to any of these. */
export interface HttpFilter {
  /** Middleware of Express 5. */
  express(): (request: NodeRequest, response: NodeResponse, next: () => void) => Promise<void>;
  /** A `preHandler` of Fastify 5. */
  fastify(): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Middleware of Hono 4. */
  hono(): (context: HonoContext, next: () => Promise<void>) => Promise<Response | void>;
  /** For whatever else speaks HTTP. Does not reject. */
  check(facts: Pick<HttpFacts<unknown>, "method" | "fence">): Promise<HttpAnswer | HttpFailure | HttpPass>;
}

/** `guard`: keeps the claims; `memoryGuard` where nothing else is to be had. */
export function httpFilter(guard: ReceivingGuard<unknown, unknown>): HttpFilter {
  const receiver = createReceiver(guard);
  const check: HttpFilter["check"] = async (facts) => {
    const sent = readRequest(receiver.resource, facts);
    if ("status" in sent) return sent;
    try {
      if (sent.kind === "claim") return await decideClaim(receiver, sent, true);
      const { resource, fence } = sent;
      const found = await receiver.read({ kind: "read", resource, fence }, () => undefined);
      if (found.kind === "refused") return refusedAnswer(sent, found.refusal);
      return { kind: "pass", verdict: encodeVerdict(sent, { verdict: "passed" }) };
    } catch (error) {
      return failed(sent, error);
    }
  };
  return {
    check,
    express: () => async (request, response, next) => {
      const found = await check(factsOf(request, undefined));
      if (found.kind === "answer") return sendAnswer(response, found);
      response.setHeader(verdictHeader, found.verdict);
      if (found.kind === "failure") throw found.error;
      next();
    },
    fastify: () => async (request, reply) => {
      const found = await check(factsOf(request, undefined));
      return found.kind === "pass"
        ? void reply.header(verdictHeader, found.verdict)
        : sendByFastify(reply, found);
    },
    hono: () => async (context, next) => {
      const found = await check({ method: context.req.method, fence: context.req.header(fenceHeader) });
      if (found.kind !== "pass") return honoResponse(context, found);
      await next();
      return void context.header(verdictHeader, found.verdict);
    },
  };
}
