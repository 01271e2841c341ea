/** Connections made with ioredis 5 and 6 or iovalkey. */

import type { Argument, Connection, Opening, Recipe } from "./connection.js";

interface Client {
  call(command: string, ...args: readonly Argument[]): Promise<unknown>;
  connect(): Promise<void>;
  disconnect(): void;
  subscribe(channel: string): Promise<unknown>;
  on(event: string, listener: (...args: never[]) => void): unknown;
  readonly stream?: { unref?(): unknown; destroy?(): unknown } | undefined;
}

/** No queue, no resend, no reconnect; whatever else the original says stays. */
function safeOptions(connectTimeoutMs: number): object {
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    enableAutoPipelining: false,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    reconnectOnError: null,
    connectTimeout: connectTimeoutMs,
    commandTimeout: undefined,
    socketTimeout: undefined,
    readOnly: false,
    // Keys are the store's own, the same for every process whatever client it has.
    keyPrefix: "",
  };
}

/** `make`: another client with these options over the original's. */
export function ioredisRecipe(make: (options: object) => unknown): Recipe {
  return (connectTimeoutMs, ended): Opening => {
    const client = make(safeOptions(connectTimeoutMs)) as Client;
    let failure: unknown;
    client.on("error", (cause: unknown) => (failure = cause));
    client.on("end", () => ended(failure));
    return {
      ready: client.connect().then(
        () => connection(client),
        (cause: unknown) => {
          throw failure ?? cause;
        },
      ),
      destroy: () => destroy(client),
    };
  };
}

function connection(client: Client): Connection {
  // Elections keep the process alive while they are live; a connection by itself does not.
  client.stream?.unref?.();
  return {
    async send([command = "", ...args]) {
      return client.call(String(command), ...args);
    },
    async subscribe(channel, listener) {
      client.on("message", (from: string, message: string) => from === channel && listener(message));
      await client.subscribe(channel);
    },
    destroy: () => destroy(client),
  };
}

/** `disconnect` alone waits for the other side, which may be frozen. */
function destroy(client: Client): void {
  const { stream } = client;
  client.disconnect();
  stream?.destroy?.();
}
