/** The options of the leader's side, checked once. */

import { callable, count, duration, knownOnly, oneOf, optionError, text } from "../../base/options.js";
import type { WriteOrder } from "../guard.js";

export interface HttpGuardOptions {
  /** Where claims go, by POST; http or https, without user and password. Writes go to its origin alone. */
  readonly url: string | URL;
  /** As the guard of the service is called. 1 to 1 024 bytes. */
  readonly resource: string;
  /**
   * Sends a request, as the global `fetch` does: the place for credentials, an agent, a trace. Default: the global
   * `fetch` of the moment. It may send again: what comes twice is applied once.
   */
  readonly fetch?: typeof fetch;
  /**
   * How long a claim or a write waits for its whole answer, and a read for the headers of its answer, ms, 100 to
   * 600 000; no longer than what remains of the term, and at least 1 s. Then its outcome is unknown. Default 10 000.
   */
  readonly timeoutMs?: number;
  /**
   * As the guard of the service orders. Under `strict` a write with an unknown outcome has to be settled before the next
   * one. Default `any`.
   */
  readonly order?: WriteOrder;
  /** Writes of one term under way at once, 1 to 64; always 1 under strict order. Default 16. */
  readonly concurrency?: number;
  /**
   * Takes a service that only checks before its handlers run (`httpFilter`), and so cannot keep a late write out.
   * Default false: a claim there is INVALID_OPTION.
   */
  readonly advisory?: boolean;
}

export interface ResolvedHttpOptions {
  readonly url: URL;
  readonly resource: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly order: WriteOrder;
  readonly concurrency: number;
  readonly advisory: boolean;
}

const names: readonly string[] = [
  "url",
  "resource",
  "fetch",
  "timeoutMs",
  "order",
  "concurrency",
  "advisory",
];

export function resolveHttpOptions(options: HttpGuardOptions): ResolvedHttpOptions {
  knownOnly(options, names);
  const { order = "any", advisory = false, fetch: send } = options;
  oneOf("order", order, ["any", "strict"]);
  if (typeof advisory !== "boolean") throw optionError("advisory", advisory, "true or false");
  if (send !== undefined) callable("fetch", send);
  return {
    url: httpUrl(options.url),
    resource: text("resource", options.resource, 1_024),
    fetch: send ?? (async (input, init) => fetch(input, init)),
    timeoutMs: duration("timeoutMs", options.timeoutMs ?? 10_000, 100, 600_000),
    order,
    concurrency: count("concurrency", options.concurrency ?? 16, 1, 64),
    advisory,
  };
}

/** Not shown where it is refused: it may carry a password. */
function httpUrl(value: unknown): URL {
  const isText = typeof value === "string" || value instanceof URL;
  const url = isText && URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol);
  if (isHttp && url.username === "" && url.password === "") return url;
  throw optionError("url", undefined, "an http or https URL without user and password");
}

/** A URL that the claim covers. Throws INVALID_OPTION for another origin: nobody there has been claimed. */
export function covered({ url }: ResolvedHttpOptions, input: string | URL): URL {
  const isText = typeof input === "string" || input instanceof URL;
  if (isText && URL.canParse(String(input), url.href)) {
    const target = new URL(String(input), url);
    if (target.origin === url.origin) return target;
  }
  throw optionError("input", String(input), `a URL of ${url.origin}, where the claim was made`);
}
