/** What receives requests, as routes of each framework. */

import { callable } from "../../base/options.js";
import { type HttpFacts, type HttpFailure, type HttpHandler, unread } from "./decide.js";
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

/** `mostBytes`: of a body that is read here. */
export function routesOf<T>(receive: HttpService<T>["receive"], mostBytes: number): HttpService<T> {
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
