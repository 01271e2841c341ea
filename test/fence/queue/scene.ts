/** Guarded subjects on one NATS server: a stream for each scene, a subject for each resource. */

import { connect, headers, type NatsConnection as Connection } from "@nats-io/transport-node";
import {
  type JetstreamClient,
  type JetstreamGuard,
  type JetstreamGuardOptions,
  jetstreamGuard,
} from "../../../src/fence/queue/index.js";
import type { NatsServer, StoredMessage } from "../../servers/nats.js";

let scenes = 0;

export interface Connected extends JetstreamClient {
  readonly connection: Connection;
}

export async function connected(url: string): Promise<Connected> {
  // Tries again at once and for as long as it takes: the server comes back when the test says so.
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  return { connection, headers };
}

/** Restarts the server, with an older copy where one is given, and resolves when the client is back. */
export async function restart(server: NatsServer, { connection }: Connected, copy?: string): Promise<void> {
  const back = reconnected(connection);
  await server.restart(copy);
  await back;
}

/** Resolves when the client has connected again; to be called before it can. */
export async function reconnected(connection: Connection): Promise<void> {
  for await (const { type } of connection.status()) if (type === "reconnect") return;
}

/** How the resources of a scene share streams: one for all of them, or one for each. */
export type Sharing = "shared" | "alone";

export class Scene {
  readonly server: NatsServer;
  readonly #client: JetstreamClient;
  readonly #sharing: Sharing;
  readonly #config: object;
  readonly #name: string;
  readonly #streams = new Map<string, Promise<void>>();

  constructor(server: NatsServer, client: JetstreamClient, sharing: Sharing = "shared", config: object = {}) {
    scenes += 1;
    this.server = server;
    this.#client = client;
    this.#sharing = sharing;
    this.#config = config;
    this.#name = `SCENE${scenes}`;
  }

  /** Makes the stream before its first claim, where the guard of a user finds it there. */
  guard(
    options: Partial<JetstreamGuardOptions> & { readonly resource: string },
    client: JetstreamClient = this.#client,
  ): JetstreamGuard {
    const { resource } = options;
    const place = { stream: this.stream(resource), subject: this.subject(resource) };
    const guard = jetstreamGuard(client, { ...place, ...options });
    return {
      ...guard,
      claim: async (...claim) => {
        await this.#provide(resource);
        return guard.claim(...claim);
      },
    };
  }

  stream(resource: string): string {
    return this.#sharing === "shared" ? this.#name : `${this.#name}-${nameOf(resource)}`;
  }

  subject(resource: string): string {
    return `${this.#name}.${nameOf(resource)}`;
  }

  async messages(resource: string): Promise<readonly StoredMessage[]> {
    return this.server.messages(this.stream(resource), this.subject(resource));
  }

  /** What consumers of the subject are to see. */
  async content(resource: string): Promise<readonly string[]> {
    return (await this.messages(resource)).filter((message) => !isMark(message)).map(({ data }) => data);
  }

  /** Makes all streams anew, as somebody does who has deleted them. */
  async wipe(): Promise<void> {
    const names = [...this.#streams.keys()];
    for (const name of names) await this.server.api(`STREAM.DELETE.${name}`);
    this.#streams.clear();
    for (const name of names) await this.#create(name);
  }

  async close(): Promise<void> {
    for (const name of this.#streams.keys()) await this.server.api(`STREAM.DELETE.${name}`);
  }

  async #provide(resource: string): Promise<void> {
    const name = this.stream(resource);
    const made = this.#streams.get(name) ?? this.#create(name);
    this.#streams.set(name, made);
    await made;
  }

  async #create(name: string): Promise<void> {
    const subject = name === this.#name ? `${name}.>` : name.replace("-", ".");
    const made = this.server.addStream(name, [subject], this.#config);
    this.#streams.set(name, made);
    await made;
  }
}

function nameOf(resource: string): string {
  return Buffer.from(resource).toString("hex").slice(-200);
}

export function isMark({ headers: text }: StoredMessage): boolean {
  return text.includes('"kind":"marker"');
}

export type When = "before" | "after";

/** A client whose next publish to a stream is not answered: it never arrives, or its answer does not. */
export function breakable(client: JetstreamClient): {
  readonly client: JetstreamClient;
  breakNext(when: When): void;
} {
  let breaking: When | undefined;
  const { connection, headers: create } = client;
  const broken: JetstreamClient = {
    headers: create,
    connection: {
      info: connection.info,
      isClosed: () => connection.isClosed(),
      async request(subject, payload, options) {
        const when = options?.headers === undefined ? undefined : breaking;
        if (when === undefined) return connection.request(subject, payload, options);
        breaking = undefined;
        if (when === "after") await connection.request(subject, payload, options);
        throw new Error("timeout");
      },
    },
  };
  return { client: broken, breakNext: (when) => void (breaking = when) };
}
