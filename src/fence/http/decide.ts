/**
 * One request to a service: whether it may do what it asks for, what the handler does, what goes back. No framework.
 */

import { after } from "../../base/thenable.js";
import { TenureError } from "../../errors/index.js";
import type { Receiver } from "../remote/receiver.js";
import { decodeSent, type Sent, type SentClaim, type SentRead, type SentWrite } from "../remote/sent.js";
import {
  answer,
  checkReply,
  type Checked,
  type HttpAnswer,
  type HttpReply,
  keep,
  kept,
  problem,
  refusedAnswer,
} from "./reply.js";
import { encodeVerdict, isFailureCode, type Verdict } from "./verdict.js";

/** What of a request is judged, and what handlers are given of it. `Q`: the framework's own request. */
export interface HttpFacts<out Q> {
  readonly method: string;
  /** The header `Tenure-Fence`; undefined where there is none. */
  readonly fence: string | undefined;
  readonly request: Q;
  /** Read whole. */
  readonly body: unknown;
}

/** `body`: parsed where it is JSON. */
export type HttpReceived<Q> = Pick<HttpFacts<Q>, "request" | "body">;

/**
 * Works with `client`, a transaction that is open, as the body of a handle's `transaction` does; with a read, on a snapshot.
 * May be called again when nothing of it was applied. What it throws, and a reply from 400 on, undo what it did.
 */
export type HttpHandler<T, Q> = (
  client: T,
  received: HttpReceived<Q>,
) => HttpReply | void | Promise<HttpReply | void>;

/** An error for the service's own means; the response has to carry `verdict` as its header. */
export interface HttpFailure {
  readonly kind: "failure";
  readonly error: unknown;
  readonly verdict: string;
}

/** A handler's reply that undoes what it did, on its way out of the transaction. */
class Declined extends Error {
  readonly reply: Checked;

  constructor(reply: Checked) {
    super(`the handler has answered ${reply.status}`);
    this.reply = reply;
  }
}

/** Without a handler only claims are taken. Does not reject. */
export async function decide<T, Q>(
  receiver: Receiver<T>,
  facts: HttpFacts<Q>,
  handler: HttpHandler<T, Q> | undefined,
): Promise<HttpAnswer | HttpFailure> {
  const sent = readRequest(receiver.resource, facts);
  if ("status" in sent) return sent;
  try {
    if (sent.kind === "claim") return await decideClaim(receiver, sent, false);
    if (handler === undefined) return unwanted(sent, 405, "this route takes claims alone");
    if (sent.kind === "read") return await decideRead(receiver, sent, (client) => handler(client, facts));
    return await decideWrite(receiver, sent, (client) => handler(client, facts));
  } catch (error) {
    if (error instanceof Declined) return answer(sent, error.reply, { verdict: "rolled-back" });
    return failed(sent, error);
  }
}

/** `advisory`: of a service that checks before its handlers run. */
export async function decideClaim<T>(
  receiver: Receiver<T>,
  sent: SentClaim,
  advisory: boolean,
): Promise<HttpAnswer> {
  const claimed = await receiver.claim(sent);
  if (claimed.kind === "refused") return refusedAnswer(sent, claimed.refusal);
  const { numbering, seq } = claimed;
  return answer(sent, checkReply(undefined), { verdict: "claimed", numbering, seq, advisory });
}

async function decideRead<T>(receiver: Receiver<T>, sent: SentRead, body: Body<T>): Promise<HttpAnswer> {
  const found = await receiver.read(sent, (client) => after(body(client), checkReply));
  if (found.kind === "refused") return refusedAnswer(sent, found.refusal);
  return answer(sent, found.result, { verdict: "read" });
}

async function decideWrite<T>(
  receiver: Receiver<T>,
  sent: SentWrite,
  body: Body<T>,
): Promise<HttpAnswer | HttpFailure> {
  const written = await receiver.write(sent, (client) => after(body(client), keepUnlessDeclined));
  if (written.kind === "applied") return answer(sent, kept(written.result), { verdict: "applied" });
  if (written.kind === "refused") return refusedAnswer(sent, written.refusal);
  if (written.kind === "unconfirmed") return failure(sent, written.cause, { verdict: "unconfirmed" });
  const { bySeq, known } = written;
  if (known.returned && known.result === undefined) {
    const title = "The write was applied before, but its response is no longer kept.";
    const forgotten = { verdict: "duplicate", bySeq, kept: false } as const;
    return problem(sent, 409, { title, code: "ATTEMPT_APPLIED" }, forgotten);
  }
  const first = kept(known.result === undefined ? undefined : JSON.parse(known.result));
  return answer(sent, first, { verdict: "duplicate", bySeq, kept: true });
}

type Body<T> = (client: T) => HttpReply | void | Promise<HttpReply | void>;

function keepUnlessDeclined(reply: HttpReply | void): unknown {
  const checked = checkReply(reply);
  if (checked.status >= 400) throw new Declined(checked);
  return keep(checked);
}

/** The fence of a request, or why it is none. */
export function readRequest(
  resource: string,
  { method, fence }: Pick<HttpFacts<unknown>, "method" | "fence">,
): Sent | HttpAnswer {
  if (fence === undefined) return unwanted(undefined, 428, "this route is written to under a fence alone");
  const sent = decodeSent(fence);
  if (sent === "newer") return unwanted(undefined, 400, "the fence is of a later format");
  if (sent === "unreadable") return unwanted(undefined, 400, "the fence cannot be read");
  if (sent.resource !== resource) return unwanted(sent, 400, "this route guards another resource");
  const isSafe = method === "GET" || method === "HEAD";
  if (isSafe === (sent.kind === "read")) return sent;
  return unwanted(sent, 400, "a fence for reading goes with GET and HEAD, and no other does");
}

/** A request whose body was not to be had. */
export function unread<Q>({ fence }: HttpFacts<Q>, why: "tooLarge" | "unreadable"): HttpAnswer {
  const sent = fence === undefined ? "unreadable" : decodeSent(fence);
  const named = typeof sent === "string" ? undefined : sent;
  const [status, title] =
    why === "tooLarge" ? [413, "The body is too large."] : [400, "The body is no JSON."];
  return problem(named, status, { title, code: "INVALID_OPTION" }, { verdict: "rolled-back" });
}

export function unwanted(sent: Sent | undefined, status: number, title: string): HttpAnswer {
  return problem(
    sent,
    status,
    { title, code: "INVALID_OPTION" },
    { verdict: "failed", code: "INVALID_OPTION" },
  );
}

/** An error of the guard or of a handler. */
export function failed(sent: Sent, error: unknown): HttpFailure {
  return failure(sent, error, verdictOn(sent, error));
}

function failure(sent: Sent, error: unknown, verdict: Verdict): HttpFailure {
  return { kind: "failure", error, verdict: encodeVerdict(sent, verdict) };
}

/** Nothing was applied: what throws has not committed, but for a claim whose commit was not answered. */
function verdictOn({ kind }: Sent, error: unknown): Verdict {
  if (TenureError.is(error, "CLAIM_UNCONFIRMED")) return { verdict: "unconfirmed" };
  if (TenureError.is(error) && isFailureCode(error.code)) return { verdict: "failed", code: error.code };
  return kind === "claim" ? { verdict: "failed", code: "GUARD_FAILED" } : { verdict: "rolled-back" };
}
