/** Connections made with node-redis 5 and 6. */

import type { Argument, Connection, Opening, Recipe } from "./connection.js";

interface Client {
  readonly isOpen: boolean;
  sendCommand(args: readonly Argument[]): Promise<unknown>;
  connect(): Promise<unknown>;
  destroy(): void;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  on(event: string, listener: (cause: unknown) => void): unknown;
  unref?(): void;
}

export interface SafeOptions {
  readonly disableOfflineQueue: true;
  readonly socket: { readonly reconnectStrategy: false; readonly connectTimeout: number };
}

/** `make`: another client with these options over the original's. */
export function nodeRedisRecipe(make: (options: SafeOptions) => unknown): Recipe {
  return (connectTimeoutMs, ended): Opening => {
    const socket = { reconnectStrategy: false, connectTimeout: connectTimeoutMs } as const;
    const client = make({ disableOfflineQueue: true, socket }) as Client;
    // Without reconnecting, an error of the socket is its end.
    client.on("error", ended);
    client.on("end", ended);
    return { ready: client.connect().then(() => connection(client)), destroy: () => destroy(client) };
  };
}

function connection(client: Client): Connection {
  // Elections keep the process alive while they are live; a connection by itself does not.
  client.unref?.();
  return {
    send: async (args) => client.sendCommand(args),
    async subscribe(channel, listener) {
      await client.subscribe(channel, listener);
    },
    destroy: () => destroy(client),
  };
}

function destroy(client: Client): void {
  try {
    if (client.isOpen) client.destroy();
  } catch {
    // A client that is still connecting may have nothing to destroy yet; its connecting ends by its own timeout.
  }
}
