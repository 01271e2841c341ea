/** What handlers answer, how it is kept for the second time, and what goes over the wire. */

import { count, knownOnly, optionError } from "../../base/options.js";
import { errorTable } from "../../errors/index.js";
import { toJson } from "../results.js";
import type { Refusal } from "../guard.js";
import { isObject } from "../row.js";
import type { Sent } from "../remote/sent.js";
import { encodeVerdict, type Verdict, verdictHeader } from "./verdict.js";

/**
 * A response of a handler. It is kept to answer the same request again: its body as JSON of at most 4 KiB; where it has
 * headers or another status than 200, together with these.
 */
export interface HttpReply {
  /** 200 to 599; from 400 on nothing is applied. Default: 200, or 204 without a body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. Default: none. */
  readonly body?: unknown;
}

/** A response, whole. */
export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A handler's reply, checked. */
export interface Checked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string | undefined;
}

/** What is kept of a reply that says nothing but that it was done. */
const done: Checked = { status: 204, headers: {}, json: undefined };

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** What belongs to whoever sends the response. */
const ownHeaders: readonly string[] = [verdictHeader, "cache-control", "content-length", "transfer-encoding"];
const headerValue = /^[\t -~]*$/;

/** Before it is committed: what cannot be sent must not be kept. Throws INVALID_OPTION. */
export function checkReply(reply: HttpReply | undefined | void): Checked {
  if (reply === undefined) return done;
  if (!isObject(reply)) throw optionError("reply", reply, "an object, or undefined");
  knownOnly(reply, ["status", "headers", "body"]);
  const { body, headers = {} }: HttpReply = reply;
  const json = body === undefined ? undefined : toJson(body);
  if (body !== undefined && json === undefined) throw optionError("reply.body", body, "a JSON value");
  const status = count("reply.status", reply.status ?? (json === undefined ? 204 : 200), 200, 599);
  if (json !== undefined && (status === 204 || status === 205 || status === 304)) {
    throw optionError("reply.body", body, `undefined with status ${status}`);
  }
  return { status, headers: checkHeaders(headers), json };
}

/** With names in lower case, so that none comes twice. Throws INVALID_OPTION. */
function checkHeaders(headers: object): Readonly<Record<string, string>> {
  const checked = Object.entries(headers).map(([given, value]: readonly [string, unknown]) => {
    const name = given.toLowerCase();
    if (!headerName.test(name) || ownHeaders.includes(name)) {
      throw optionError("reply.headers", given, `names of HTTP headers, without ${ownHeaders.join(", ")}`);
    }
    if (typeof value === "string" && headerValue.test(value)) return [name, value] as const;
    throw optionError(`reply.headers.${given}`, value, "a text of printable ASCII");
  });
  return Object.fromEntries(checked);
}

/** The name that a reply is kept under when it is more than a body. */
const wrapped = "$reply";

/**
 * For the guard of the service; undefined where nothing has to be kept. A body alone is kept as it is, as what a leader
 * within the service would have returned.
 */
export function keep({ status, headers, json }: Checked): unknown {
  const isPlain = Object.keys(headers).length === 0;
  if (status === 204 && isPlain) return undefined;
  const body = json === undefined ? undefined : (JSON.parse(json) as unknown);
  if (status === 200 && isPlain && json !== undefined && !isWrapped(body)) return body;
  return { [wrapped]: { status, headers, ...(json === undefined ? {} : { body }) } };
}

export function kept(result: unknown): Checked {
  if (result === undefined) return done;
  return checkReply(isWrapped(result) ? (result[wrapped] as HttpReply) : { body: result });
}

function isWrapped(result: unknown): result is Readonly<Record<string, unknown>> {
  return isObject(result) && wrapped in result;
}

export function answer(sent: Sent, { status, headers, json }: Checked, verdict: Verdict): HttpAnswer {
  const type = json === undefined ? {} : { "content-type": "application/json" };
  return whole(status, { ...type, ...headers }, json, encodeVerdict(sent, verdict));
}

interface ProblemFacts {
  readonly title: string;
  /** As in the table of errors. */
  readonly code: string;
}

/** `application/problem+json`, RFC 9457: for people, and for callers that are no leaders. */
export function problem(
  sent: Sent | undefined,
  status: number,
  facts: ProblemFacts,
  verdict: Verdict,
): HttpAnswer {
  const type = { "content-type": "application/problem+json" };
  return whole(status, type, problemBody(status, facts), encodeVerdict(sent, verdict));
}

export function problemBody(status: number, facts: ProblemFacts): string {
  return JSON.stringify({ status, ...facts });
}

/** A condition that the fence did not meet is a 412; what concerns the number alone is a 409. */
export function refusedAnswer(sent: Sent, refusal: Refusal): HttpAnswer {
  const { meaning } = errorTable[refusal.code];
  const isNumber = /^(?:SEQUENCE|ATTEMPT)_/.test(refusal.code);
  return problem(sent, isNumber ? 409 : 412, { title: meaning, ...refusal }, { verdict: "refused", refusal });
}

function whole(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  verdict: string,
): HttpAnswer {
  // What a cache answered would have been decided by nobody.
  const own = { "cache-control": "no-store", [verdictHeader]: verdict };
  return { kind: "answer", status, headers: { ...headers, ...own }, body };
}
