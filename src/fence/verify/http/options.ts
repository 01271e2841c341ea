/** The options of probing a service, and their one resolution. */

import { callable, duration, knownOnly, optionError } from "../../../base/options.js";

export interface VerifyHttpOptions {
  /** Of the route that the service has for this (`httpVerification`); http or https, without user and password. */
  readonly url: string | URL;
  /** Sends a request, as the global `fetch` does: the place for credentials. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * How long a claim may take while a write under a lower token stands still, ms, 10 to 5 000. Default 1 000: less than
   * guards of databases let a claim wait, and than the service lets that write stand.
   */
  readonly patienceMs?: number;
}

export type ResolvedVerifyHttpOptions = Required<VerifyHttpOptions> & { readonly url: URL };

export function resolveVerifyHttpOptions(options: VerifyHttpOptions): ResolvedVerifyHttpOptions {
  knownOnly(options, ["url", "fetch", "patienceMs"]);
  const { url, fetch: send = fetch } = options;
  // Not shown where it is refused: it may carry a password.
  if (!URL.canParse(String(url))) throw optionError("url", undefined, "an http or https URL");
  return {
    url: new URL(url),
    fetch: callable("fetch", send),
    patienceMs: duration("patienceMs", options.patienceMs ?? 1_000, 10, 5_000),
  };
}
