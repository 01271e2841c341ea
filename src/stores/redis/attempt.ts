/**
 * One try to get a link: connect, ask the server what it is, or give up in time.
 *
 * Promise: `link` settles within the timeout, whatever the client does, and a connection that
 * comes about too late is destroyed.
 */

import type { Clock } from "../../base/clock.js";
import { createError } from "../../errors/index.js";
import type { Connection, Opening, Recipe } from "../../redis/connection.js";
import { textOf } from "../../redis/said.js";
import { connectionFailed } from "./failures.js";
import { type Inspection, inspect } from "./inspection.js";
import { Link } from "./link.js";

export interface AttemptOptions {
  readonly recipe: Recipe;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  readonly inspected: (inspection: Inspection) => void;
  /** A link that came about is over. */
  readonly ended: (link: Link) => void;
}

export class Attempt {
  readonly link: Promise<Link>;
  readonly #opening: Opening;
  #fail: (cause: unknown) => void = () => {};
  #link: Link | undefined;

  constructor(options: AttemptOptions) {
    const { recipe, clock, connectTimeoutMs } = options;
    this.#opening = recipe(connectTimeoutMs, (cause) => this.#over(cause, options));
    this.link = new Promise((resolve, reject) => {
      const late = `no answer from the Redis server within ${connectTimeoutMs} ms`;
      const timer = clock.setTimer(connectTimeoutMs, () =>
        this.abandon(createError("STORE_UNREACHABLE", late)),
      );
      this.#fail = (cause) => {
        timer.cancel();
        reject(cause);
        this.#opening.destroy();
      };
      this.#opening.ready
        .then(async (connection) => this.#greet(connection, options))
        .then(
          (link) => {
            timer.cancel();
            resolve(link);
          },
          (cause: unknown) => this.abandon(cause),
        );
    });
  }

  /** Rejects now, unless there is a link already. */
  abandon(cause: unknown): void {
    this.#fail(connectionFailed(cause));
  }

  async #greet(connection: Connection, { clock, inspected }: AttemptOptions): Promise<Link> {
    const info = String(await connection.send(["INFO"]));
    // Servers that do not let this user look at their configuration are taken as they are.
    const saves = await connection.send(["CONFIG", "GET", "save"]).then(savePoints, () => undefined);
    const inspection = inspect(info, saves);
    inspected(inspection);
    this.#link = new Link(connection, inspection.runId, () => clock.monotonicMs());
    return this.#link;
  }

  #over(cause: unknown, { ended }: AttemptOptions): void {
    if (this.#link === undefined) return this.abandon(cause);
    if (this.#link.ended) return undefined;
    this.#link.end(
      createError("STORE_UNREACHABLE", `the connection to the Redis server ended: ${textOf(cause)}`),
    );
    return ended(this.#link);
  }
}

/** `CONFIG GET` answers a list, or in the newer protocol an object. */
function savePoints(reply: unknown): string | undefined {
  if (Array.isArray(reply)) return typeof reply[1] === "string" ? reply[1] : undefined;
  if (typeof reply !== "object" || reply === null) return undefined;
  const { save } = reply as { readonly save?: unknown };
  return typeof save === "string" ? save : undefined;
}
