/**
 * One request of a leader and what came back: a verdict, or nothing that counts.
 *
 * An answer to a claim or a write is read whole before it counts, so that what was cut off on its way is
 * asked for again under the same number.
 */

import type { Clock } from "../../base/clock.js";
import { inTime } from "../../base/in-time.js";
import { encodeSent, type Sent } from "../remote/sent.js";
import type { ResolvedHttpOptions } from "./options.js";
import { decodeVerdict, fenceHeader, type Verdict, verdictHeader } from "./verdict.js";

export interface HttpSite {
  readonly options: ResolvedHttpOptions;
  readonly clock: Clock;
}

export type Exchanged =
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly response: Response }
  | { readonly kind: "silent"; readonly cause: unknown };

/** What handlers may answer is kept, so it is small; what undoes a write may be larger. */
const mostAnswerBytes = 1_048_576;

export async function exchange(
  { options, clock }: HttpSite,
  sent: Sent,
  url: URL,
  init: RequestInit,
  limitMs: number,
): Promise<Exchanged> {
  const giveUp = new AbortController();
  const headers = new Headers(init.headers);
  headers.set(fenceHeader, encodeSent(sent));
  const { signal: own } = init;
  const signal = own ? AbortSignal.any([own, giveUp.signal]) : giveUp.signal;
  const answering = ask(sent, async () =>
    // Redirected, it would come to where nothing was claimed.
    options.fetch(url, { ...init, headers, redirect: "manual", signal }),
  );
  const answered = await inTime(clock, limitMs, answering);
  if (answered !== "silent") return answered;
  giveUp.abort();
  return { kind: "silent", cause: new Error(`${url.origin} has not answered within ${limitMs} ms`) };
}

/** Does not reject. */
async function ask(sent: Sent, send: () => Promise<Response>): Promise<Exchanged> {
  try {
    const response = await send();
    const verdict = decodeVerdict(sent, response.headers.get(verdictHeader));
    if (verdict === undefined) {
      await response.body?.cancel();
      return {
        kind: "silent",
        cause: new Error(`status ${response.status} without a verdict on this request`),
      };
    }
    return { kind: "verdict", verdict, response: sent.kind === "read" ? response : await whole(response) };
  } catch (cause) {
    return { kind: "silent", cause };
  }
}

async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers, body } = response;
  if (body === null) return response;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Uint8Array>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > mostAnswerBytes) throw new Error(`the answer has more than ${mostAnswerBytes} bytes`);
  }
  return new Response(Buffer.concat(parts), { status, statusText, headers });
}
