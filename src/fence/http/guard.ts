/**
 * What a service behind HTTP holds, behind a guard: requests that the service decides under the leader's fence.
 *
 * Promise: P2 for everything that requests of the handle write there, as far as the service holds a guard
 * itself (`httpService`): it decides each in the transaction of its handler, and a response counts when it
 * carries the verdict on this very request. Assumption: what the guard of the service assumes, and that
 * the origin of the URL is that one service, with one database. Advisory, and refused unless asked for: a
 * service that checks before its handlers run (`httpFilter`). Non-promise: requests past the handle, and
 * who may claim: the service has to authenticate its callers.
 */

import { optionError } from "../../base/options.js";
import { realClock } from "../../base/real-clock.js";
import { createError, errorTable, type TenureError } from "../../errors/index.js";
import type { Claimant, Fence } from "../fence.js";
import type { ClaimOptions, Guard } from "../guard.js";
import { limitOf } from "../limit.js";
import type { Sent } from "../remote/sent.js";
import { checkFence } from "../row.js";
import {
  refuseClaim,
  toClaimant,
  type WriteAnswer,
  type WriteOptions,
  type Writer,
  writerFor,
} from "../writer.js";
import { type Exchanged, exchange, type HttpSite } from "./exchange.js";
import { covered, type HttpGuardOptions, resolveHttpOptions } from "./options.js";
import type { FailureCode, Verdict } from "./verdict.js";

/** A request, and how it is numbered. */
export interface HttpRequestInit extends Omit<RequestInit, "signal" | "redirect">, WriteOptions {}

/** Requests for one term, to the service that was claimed. */
export interface HttpHandle {
  readonly resource: string;
  readonly fence: Fence;
  /** The service checks before its handlers run, and cannot keep a late write out. */
  readonly advisory: boolean;
  /**
   * Sends a request with the header `Tenure-Fence`; `input` is taken as relative to the `url` of the guard, and has to be of
   * its origin. Nothing is sent for `attempt` but its number: hand the same body back with it.
   *
   * GET and HEAD are reads: judged, not numbered, and `signal` ends them at any time. All else is a write, which the
   * service applies once; a request that was applied before is answered with the first response.
   *
   * Resolves with the service's response. One from 400 on says that nothing was applied, and is no error here. Rejects
   * with STALE, CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING when the term is over for this resource, with GUARD_FAILED or
   * the like when nothing was applied, with ATTEMPT_APPLIED when it was applied before and the response is not kept, with
   * GUARD_UNCONFIRMED and the `attempt` to hand back when it may have been: no answer, one without the service's verdict.
   * A service that is advisory numbers nothing: what is sent again there is applied again.
   */
  fetch(input: string | URL, init?: HttpRequestInit): Promise<Response>;
}

/** Nothing is sent before the first claim. */
export function httpGuard(options: HttpGuardOptions): Guard<HttpHandle> {
  const resolved = resolveHttpOptions(options);
  const site = { options: resolved, clock: realClock };
  const { resource, order, concurrency } = resolved;
  return {
    kind: "http",
    resource,
    async claim(claimed, claimOptions = {}) {
      const claimant = toClaimant(claimed);
      const { numbering: name, seq, advisory } = await claimHttp(site, claimant, claimOptions);
      // The service's own: two services may hold a resource of one name.
      const numbering = `http/${name}`;
      const writer = writerFor(claimant, seq, { resource, numbering, order, concurrency });
      return {
        resource,
        fence: writer.fence,
        advisory,
        fetch: async (input, init = {}) => fetchHttp({ site, claimant, writer }, input, init),
      };
    },
  };
}

async function claimHttp(
  site: HttpSite,
  claimant: Claimant,
  { signal }: ClaimOptions,
): Promise<Verdict & { readonly verdict: "claimed" }> {
  const { url, resource, advisory } = site.options;
  const sent = { kind: "claim", resource, fence: checkFence(claimant.fence) } as const;
  signal?.throwIfAborted();
  const found = await exchange(site, sent, url, { method: "POST" }, limitOf(site.options, claimant));
  if (found.kind === "silent") throw unconfirmedClaim(resource, found.cause);
  const { verdict } = found;
  switch (verdict.verdict) {
    case "claimed":
      if (!verdict.advisory || advisory) return verdict;
      throw optionError("advisory", false, `true: ${url.origin} only checks before its handlers run`);
    case "refused":
      throw refuseClaim(resource, claimant, verdict.refusal);
    case "failed":
      throw failedBy(site, verdict.code, found);
    default:
      throw unconfirmedClaim(resource, new Error(`the service says "${verdict.verdict}"`));
  }
}

interface HttpTerm {
  readonly site: HttpSite;
  readonly claimant: Claimant;
  readonly writer: Writer;
}

async function fetchHttp(term: HttpTerm, input: string | URL, init: HttpRequestInit): Promise<Response> {
  const url = covered(term.site.options, input);
  const { attempt, opId, signal, method = "GET", ...others } = init;
  const request = { ...others, method: method.toUpperCase() };
  if (request.method === "GET" || request.method === "HEAD") {
    return readHttp(term, url, signal === undefined ? request : { ...request, signal });
  }
  const { writer } = term;
  // Until there is one.
  let response = Response.error();
  const numbered = {
    ...(attempt && { attempt }),
    ...(opId !== undefined && { opId }),
    ...(signal && { signal }),
  };
  const declined = new Error("the service has applied nothing; its response says why");
  try {
    await writer.write(numbered, async ({ seq, opId: name }): Promise<WriteAnswer<void>> => {
      signal?.throwIfAborted();
      const { resource } = term.site.options;
      const sent = { kind: "write", resource, fence: writer.fence, seq, opId: name } as const;
      const found = await ask(term, sent, url, request);
      if (found.kind === "silent") return { kind: "unconfirmed", cause: found.cause };
      response = found.response;
      if (found.verdict.verdict === "rolled-back") throw declined;
      return answerOf(term.site, name, found);
    });
  } catch (cause) {
    if (cause !== declined) throw cause;
  }
  return response;
}

async function readHttp(term: HttpTerm, url: URL, request: RequestInit): Promise<Response> {
  const { resource } = term.site.options;
  const found = await ask(term, { kind: "read", resource, fence: term.writer.fence }, url, request);
  request.signal?.throwIfAborted();
  if (found.kind === "silent") throw failedRead(resource, found.cause);
  const { verdict, response } = found;
  switch (verdict.verdict) {
    case "read":
    case "passed":
    case "rolled-back":
      return response;
    case "refused":
      throw term.writer.refuse(verdict.refusal);
    case "failed":
      throw failedBy(term.site, verdict.code, found);
    default:
      throw failedRead(resource, new Error(`the service says "${verdict.verdict}"`));
  }
}

async function ask(
  { site, claimant }: HttpTerm,
  sent: Sent,
  url: URL,
  init: RequestInit,
): Promise<Exchanged> {
  return exchange(site, sent, url, init, limitOf(site.options, claimant));
}

type Heard = Exchanged & { readonly kind: "verdict" };

/** Throws where nothing was applied. */
function answerOf(site: HttpSite, opId: string, found: Heard): WriteAnswer<void> {
  const { verdict, response } = found;
  switch (verdict.verdict) {
    case "applied":
      return { kind: "applied", result: undefined };
    case "duplicate":
      // The response is the result; what is kept no longer is something that nobody can hand out.
      return { kind: "duplicate", bySeq: verdict.bySeq, known: { opId, returned: !verdict.kept } };
    case "passed":
      // Of a handler that nobody rolls back, an error of its own says nothing for certain.
      if (site.options.advisory && response.status < 500) return { kind: "applied", result: undefined };
      return { kind: "unconfirmed", cause: new Error(`status ${response.status} behind a check alone`) };
    case "refused":
      return { kind: "refused", refusal: verdict.refusal };
    case "failed":
      throw failedBy(site, verdict.code, found);
    default:
      return { kind: "unconfirmed", cause: new Error(`the service says "${verdict.verdict}"`) };
  }
}

function failedBy({ options }: HttpSite, code: FailureCode, { response }: Heard): TenureError {
  const { url, resource } = options;
  const message = `"${resource}" at ${url.origin}: status ${response.status}. ${errorTable[code].meaning}`;
  if (code === "INVALID_OPTION") return createError(code, message, { base: TypeError });
  // Who blocks is known to the service, which has been told of it.
  return createError(code, message, code === "CLAIM_BLOCKED" ? { fields: { blockers: [] } } : {});
}

function unconfirmedClaim(resource: string, cause: unknown): TenureError {
  return createError("CLAIM_UNCONFIRMED", `the claim of "${resource}" may have been made`, { cause });
}

function failedRead(resource: string, cause: unknown): TenureError {
  return createError("GUARD_FAILED", `"${resource}" was not read`, { cause });
}
