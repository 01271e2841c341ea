/**
 * A service that leaders write to over HTTP, behind the guard of its database.
 *
 * Promise: P2 for everything that handlers write with what they are handed, since the guard decides each
 * request in the transaction of the handler, commits it, and only then is the response sent; a request
 * that comes again is answered with the first one's response, and not applied. Nothing is claimed by
 * the way, also after the service was started anew. Assumption: what that guard assumes. Non-promise:
 * what a handler does elsewhere (another database, a mail, a call), and who may use a fence: the
 * service has to authenticate its callers, since a token is no password.
 */

import { count, knownOnly } from "../../base/options.js";
import type { ReceivingGuard } from "../receiving.js";
import { createReceiver } from "../remote/receiver.js";
import { decide } from "./decide.js";
import { type HttpService, routesOf } from "./routes.js";

export interface HttpServiceOptions {
  /** How large a body `node` takes, bytes, 1 to 67 108 864; what is larger is a 413. Default 1 048 576. */
  readonly maxBodyBytes?: number;
}

/** `guard`: of the database that the handlers write to; of postgres, mysql, sqlite, file or memory. */
export function httpService<T>(
  guard: ReceivingGuard<unknown, T>,
  options: HttpServiceOptions = {},
): HttpService<T> {
  knownOnly(options, ["maxBodyBytes"]);
  const mostBytes = count("maxBodyBytes", options.maxBodyBytes ?? 1_048_576, 1, 67_108_864);
  const receiver = createReceiver(guard);
  return routesOf(async (facts, handler) => decide(receiver, facts, handler), mostBytes);
}
