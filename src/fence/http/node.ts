/** Requests of `node:http`, by what is asked of them, and of whatever is built on its responses. */

import { parse } from "../row.js";
import type { HttpFacts, HttpFailure } from "./decide.js";
import { type HttpAnswer, problemBody } from "./reply.js";
import { fenceHeader, verdictHeader } from "./verdict.js";

/** What of an `IncomingMessage` is looked at. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An `IncomingMessage` that nobody has read yet. */
export interface NodeStream extends NodeRequest {
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
}

/** A `ServerResponse`. */
export interface NodeResponse {
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: string): unknown;
}

/** `tooLarge`: more bytes than are taken. `unreadable`: no JSON, though it says that it is. */
export type ReadBody = { readonly body: unknown } | "tooLarge" | "unreadable";

export function factsOf<Q extends NodeRequest>(request: Q, body: unknown): HttpFacts<Q> {
  return { method: request.method ?? "", fence: header(request, fenceHeader), request, body };
}

/** Rejects when the caller goes away in the middle. */
export async function readBody(request: NodeStream, mostBytes: number): Promise<ReadBody> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Not `for await`: to leave that ends the request, and with it the connection that the answer needs.
  const reading = request[Symbol.asyncIterator]();
  for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
    bytes += next.value.length;
    if (bytes > mostBytes) return "tooLarge";
    parts.push(next.value);
  }
  return parseBody(header(request, "content-type"), new TextDecoder().decode(Buffer.concat(parts)));
}

export function parseBody(type: string | undefined, text: string): ReadBody {
  if (text === "") return { body: undefined };
  if (!/^application\/(?:[^;]+\+)?json\b/i.test(type ?? "")) return { body: text };
  const body = parse(text);
  return body === undefined ? "unreadable" : { body };
}

export function sendAnswer(response: NodeResponse, { status, headers, body }: HttpAnswer): void {
  response.writeHead(status, { ...headers });
  response.end(body);
}

/** Where nothing else makes a response of errors. */
export function sendFailure(response: NodeResponse, { verdict }: HttpFailure): void {
  const headers = { "content-type": "application/problem+json", [verdictHeader]: verdict };
  response.writeHead(500, headers);
  response.end(problemBody(500, { title: "The service has failed.", code: "GUARD_FAILED" }));
}

/** A header that came twice is none that can be read. */
function header({ headers }: NodeRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
