/** What most verbs begin with: settings, a store, and an election of that name that does not stand yet. */

import { createElection } from "../create-election.js";
import type { Election } from "../election/api.js";
import type { Logger } from "../election/events.js";
import { resolveSettings, type Settings } from "./settings.js";
import { type OpenStore, openStore } from "./stores.js";
import type { Terminal } from "./terminal.js";
import type { Invocation } from "./verb.js";

export interface Opened {
  readonly name: string;
  readonly settings: Settings;
  readonly place: OpenStore;
  readonly election: Election;
  close(): Promise<void>;
}

/** For verbs that look or ask; the store is there already. */
export async function openElection(invocation: Invocation, terminal: Terminal): Promise<Opened> {
  const settings = resolveSettings(invocation, terminal);
  const [name = ""] = invocation.positionals;
  const place = await openStore(settings, terminal, "look");
  const { namespace, node } = settings;
  const election = createElection({
    name,
    namespace,
    store: place.store,
    ttlMs: Math.min(place.store.maxTtlMs, settings.ttlMs),
    logger: terminalLogger(terminal, "warn"),
    ...(node === undefined ? {} : { node }),
  });
  return {
    name,
    settings,
    place,
    election,
    async close() {
      await election.stop({ drainMs: 0 });
      await place.store[Symbol.asyncDispose]();
    },
  };
}

/** `least`: what is less is not said. */
export function terminalLogger(terminal: Terminal, least: "info" | "warn"): Logger {
  const say = (_fields: object, message: string) => terminal.err(`tenure: ${message}`);
  return { debug() {}, info: least === "info" ? say : () => {}, warn: say, error: say };
}
