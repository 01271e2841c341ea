/** Requests and replies of Fastify, by what is asked of them. */

import type { HttpFailure } from "./decide.js";
import type { NodeRequest } from "./node.js";
import type { HttpAnswer } from "./reply.js";
import { verdictHeader } from "./verdict.js";

export interface FastifyRequest extends NodeRequest {
  readonly method: string;
  readonly body: unknown;
}

export interface FastifyReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body?: unknown): unknown;
}

/** Answers what a handler has to return. Throws the error of a failure, for Fastify's own means. */
export function sendByFastify(reply: FastifyReply, found: HttpAnswer | HttpFailure): unknown {
  if (found.kind === "failure") {
    reply.header(verdictHeader, found.verdict);
    throw found.error;
  }
  reply.code(found.status);
  for (const [name, value] of Object.entries(found.headers)) reply.header(name, value);
  reply.send(found.body);
  return reply;
}
