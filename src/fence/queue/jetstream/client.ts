/** The client that may be handed in, by what it can do. None is imported here: whoever uses one has it. */

import { createError, type TenureError } from "../../../errors/index.js";

/** Headers of a message, as the client's own `headers()` makes them. */
export interface NatsHeaders {
  set(name: string, value: string): void;
}

/** What is asked of a connection of @nats-io/transport-node 3. Used as it is, and never closed. */
export interface NatsConnection {
  /** What the server said of itself; its `max_payload` is looked at. */
  readonly info?: { readonly max_payload: number } | undefined;
  isClosed(): boolean;
  /** Rejects when nothing was answered within `timeout` ms. `headers`: made by the client's own `headers()`. */
  request(
    subject: string,
    payload?: Uint8Array,
    options?: { timeout: number; headers?: NatsHeaders },
  ): Promise<{ readonly data: Uint8Array }>;
}

export interface JetstreamClient {
  readonly connection: NatsConnection;
  /** `headers` of the same package: what it makes is what its connection sends. */
  readonly headers: () => NatsHeaders;
}

const wanted = "{ connection, headers } of @nats-io/transport-node 3";

/** @throws INVALID_OPTION that names what is missing. */
export function checkClient(client: JetstreamClient): void {
  if (typeof client !== "object" || client === null) throw refused(`it is ${String(client)}`);
  const { connection, headers } = client;
  if (typeof headers !== "function") throw refused("it has no headers()");
  if (typeof connection !== "object" || connection === null) throw refused("it has no connection");
  for (const method of ["request", "isClosed"] as const) {
    if (typeof connection[method] !== "function") throw refused(`its connection has no ${method}()`);
  }
}

function refused(why: string): TenureError {
  return createError("INVALID_OPTION", `client must be ${wanted}; ${why}`, { base: TypeError });
}
