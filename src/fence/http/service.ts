/**
 * A service that leaders write to over HTTP, behind the guard of its database.
 *
 * Promise: P2 for everything that handlers write with what they are handed, since the guard decides each
 * request in the transaction of the handler, commits it, and only then is the response sent; a request
 * that comes again is answered with the first one's response, and not applied. Nothing is claimed by
 * the way, also after the service was started anew. Assumption: what that guard assumes. Non-promise:
 * what a handler does elsewhere (another database, a mail, a call), and who may use a fence: the
 * service has to authenticate its callers, since a token is no password.
 */

import { callable, count, knownOnly } from "../../base/options.js";
import type { ReceivingGuard } from "../receiving.js";
import { createReceiver } from "../remote/receiver.js";
import { decide, type HttpFacts, type HttpFailure, type HttpHandler, unread } from "./decide.js";
import { type FastifyReply, type FastifyRequest, sendByFastify } from "./fastify.js";
import { honoResponse, type HonoContext } from "./hono.js";
import {
  factsOf,
  type NodeRequest,
  type NodeResponse,
  type NodeStream,
  parseBody,
  readBody,
  sendAnswer,
  sendFailure,
} from "./node.js";
import type { HttpAnswer } from "./reply.js";
import { fenceHeader, verdictHeader } from "./verdict.js";

export interface HttpServiceOptions {
  /** How large a body `node` takes, bytes, 1 to 67 108 864; what is larger is a 413. Default 1 048 576. */
  readonly maxBodyBytes?: number;
}

export interface NodeListenerOptions {
  /** Told of what a handler throws, of failures of the guard, and of callers that go away. Must not throw. */
  readonly onError: (error: unknown) => void;
}

/**
 * Routes of a service. Every one of them takes claims; without a handler it takes nothing else. Put what authenticates
 * callers in front. Errors go where errors of the framework go, with the verdict set on the response already.
 */
export interface HttpService<T> {
  /** A listener of `node:http`, which reads the body. Answers errors with 500. */
  node<Q extends NodeStream>(
    handler: HttpHandler<T, Q> | undefined,
    options: NodeListenerOptions,
  ): (request: Q, response: NodeResponse) => void;
  /** A handler of Express 5, behind what parses the body. */
  express<Q extends NodeRequest & { readonly body?: unknown }>(
    handler?: HttpHandler<T, Q>,
  ): (request: Q, response: NodeResponse) => Promise<void>;
  /** A handler of Fastify 5. */
  fastify<Q extends FastifyRequest>(
    handler?: HttpHandler<T, Q>,
  ): (request: Q, reply: FastifyReply) => Promise<unknown>;
  /** A handler of Hono 4, which reads the body. */
  hono<C extends HonoContext>(handler?: HttpHandler<T, C>): (context: C) => Promise<Response>;
  /** For whatever else speaks HTTP. Does not reject. */
  receive<Q>(facts: HttpFacts<Q>, handler?: HttpHandler<T, Q>): Promise<HttpAnswer | HttpFailure>;
}

/** `guard`: of the database that the handlers write to; of postgres, mysql, sqlite, file or memory. */
export function httpService<T>(
  guard: ReceivingGuard<unknown, T>,
  options: HttpServiceOptions = {},
): HttpService<T> {
  knownOnly(options, ["maxBodyBytes"]);
  const mostBytes = count("maxBodyBytes", options.maxBodyBytes ?? 1_048_576, 1, 67_108_864);
  const receiver = createReceiver(guard);
  const receive = async <Q>(facts: HttpFacts<Q>, handler?: HttpHandler<T, Q>) =>
    decide(receiver, facts, handler);
  return {
    receive,
    node(handler, { onError }) {
      callable("onError", onError);
      const respond = async <Q extends NodeStream>(
        request: Q,
        response: NodeResponse,
        own: HttpHandler<T, Q> | undefined,
      ) => {
        const read = await readBody(request, mostBytes);
        const found =
          typeof read === "string"
            ? unread(factsOf(request, undefined), read)
            : await receive(factsOf(request, read.body), own);
        if (found.kind === "answer") return sendAnswer(response, found);
        onError(found.error);
        sendFailure(response, found);
      };
      return (request, response) => void respond(request, response, handler).catch(onError);
    },
    express(handler) {
      return async (request, response) => {
        const found = await receive(factsOf(request, request.body), handler);
        if (found.kind === "answer") return sendAnswer(response, found);
        response.setHeader(verdictHeader, found.verdict);
        throw found.error;
      };
    },
    fastify(handler) {
      return async (request, reply) =>
        sendByFastify(reply, await receive(factsOf(request, request.body), handler));
    },
    hono(handler) {
      return async (context) => {
        const { method } = context.req;
        const read = parseBody(context.req.header("content-type"), await context.req.text());
        const facts = { method, fence: context.req.header(fenceHeader), request: context };
        if (typeof read === "string")
          return honoResponse(context, unread({ ...facts, body: undefined }, read));
        return honoResponse(context, await receive({ ...facts, body: read.body }, handler));
      };
    },
  };
}
