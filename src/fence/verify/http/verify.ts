/** Whether a service refuses what it must, as it is deployed: over HTTP, and whatever lies in between. */

import { freshId } from "../../../base/random.js";
import { realClock } from "../../../base/real-clock.js";
import { createError, TenureError } from "../../../errors/index.js";
import { longestStandMs, type ProbeRequest } from "../../http/asking.js";
import { type HttpHandle, httpGuard } from "../../http/index.js";
import { verifyNamespace } from "../../operator.js";
import type { ProbedGuard, ProbeWrite } from "../stand.js";
import { type FenceVerification, verifyFence } from "../verify.js";
import {
  resolveVerifyHttpOptions,
  type ResolvedVerifyHttpOptions,
  type VerifyHttpOptions,
} from "./options.js";
import { VerifyRoute } from "./route.js";

/** What an answer takes where nothing stands still. */
const answerMs = 5_000;
const pollMs = 20;

/**
 * `verifyFence` for a service over HTTP that has a route for it (`httpVerification`). It shows the service's guard and
 * database, and whatever lies between here and there: proxies that drop a header or send twice, several processes. A twelfth
 * probe is a request that shows no fence. Handlers of other routes are not called.
 *
 * Resolves and rejects as `verifyFence`; with GUARD_FAILED where there is no such route, or where a claim was answered
 * without a verdict.
 */
export async function verifyHttpFence(options: VerifyHttpOptions): Promise<FenceVerification> {
  const resolved = resolveVerifyHttpOptions(options);
  const { url, fetch: send, patienceMs } = resolved;
  const route = new VerifyRoute(url, send);
  const guard = probedGuard(resolved, route);
  // What is there to be asked is told apart from what a probe finds.
  await route.hello();
  return verifyFence(() => guard, {
    patienceMs,
    write: async (handle, { result, pause, options: write }) =>
      pause === undefined
        ? post(handle, { result }, write)
        : writeStanding(handle, route, { result, pause, options: write }),
  });
}

function probedGuard(
  { url, fetch: send }: ResolvedVerifyHttpOptions,
  route: VerifyRoute,
): ProbedGuard<HttpHandle> {
  const timeoutMs = longestStandMs + answerMs;
  const guard = httpGuard({ url, fetch: send, resource: verifyNamespace, timeoutMs });
  return {
    kind: guard.kind,
    resource: guard.resource,
    claim: async (...claim) => guard.claim(...claim).catch((cause: unknown) => rethrow(cause)),
    inspect: async () => route.rows(),
    operator: { sweep: async (election) => route.sweep(election) },
    unfenced: async (result) => route.unfenced(result),
  };
}

/** The route is there, so what answers without a verdict, or to a claim that came without a fence, lies on the way. */
function rethrow(error: unknown): never {
  const isLost = TenureError.is(error, "CLAIM_UNCONFIRMED") || TenureError.is(error, "INVALID_OPTION");
  if (!isLost) throw error;
  const why = error.cause instanceof Error ? error.cause.message : "it did not arrive as it was sent";
  const advice = "the headers Tenure-Fence and Tenure-Verdict have to pass every proxy";
  throw createError("GUARD_FAILED", `a claim has no verdict: ${why}; ${advice}`, { cause: error });
}

/** Polled, since whatever process of the service is asked may be another than the one in which the write stands. */
async function writeStanding(
  handle: HttpHandle,
  route: VerifyRoute,
  { result, pause, options }: Required<ProbeWrite>,
): Promise<unknown> {
  const write = freshId();
  let isOver = false;
  const writing = post(handle, { result, stand: { write, forMs: longestStandMs } }, options).finally(
    () => (isOver = true),
  );
  const until = async (ask: () => Promise<boolean>) => {
    while (!isOver && !(await ask())) {
      await new Promise<void>((resolve) => void realClock.setTimer(pollMs, resolve));
    }
  };
  const steering = until(async () => route.stands(write)).then(async () => {
    if (isOver) return;
    await pause();
    await until(async () => route.release(write));
  });
  const [written] = await Promise.all([writing, steering]);
  return written;
}

async function post(
  handle: HttpHandle,
  request: ProbeRequest,
  options: ProbeWrite["options"],
): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await handle.fetch("", {
    method: "POST",
    headers,
    body: JSON.stringify(request),
    ...options,
  });
  if (response.ok) return response.json();
  throw createError("GUARD_FAILED", `the route for probes answers status ${response.status}`);
}
