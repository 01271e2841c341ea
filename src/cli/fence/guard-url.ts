/**
 * What GUARD says: `file:PATH`, `sqlite:PATH`, `postgres://HOST/DATABASE`, `mysql://HOST/DATABASE`, `redis://HOST:PORT`,
 * `nats://HOST:PORT/STREAM`, `http://HOST/PATH`.
 *
 * A URL may carry a password, so no message shows one as it is.
 */

import { resolve } from "node:path";
import { isEncoded, parametersOf, redacted, redisParts } from "../store-url.js";
import { usageError } from "../usage-error.js";

export type GuardKind = "file" | "sqlite" | "postgres" | "mysql" | "redis" | "nats" | "http";

export interface GuardUrl {
  readonly kind: GuardKind;
  /** A path, absolute, or the URL for the client. */
  readonly place: string;
  /** Of the keys of guards on Redis, where it is named. */
  readonly prefix?: string;
  /** Of a stream, where probes are to go. */
  readonly subject?: string;
  /** For people and for JSON. */
  readonly shown: string;
}

const kinds: ReadonlyMap<string, GuardKind> = new Map<string, GuardKind>([
  ["file", "file"],
  ["sqlite", "sqlite"],
  ["postgres", "postgres"],
  ["postgresql", "postgres"],
  ["mysql", "mysql"],
  ["mariadb", "mysql"],
  ["redis", "redis"],
  ["rediss", "redis"],
  ["nats", "nats"],
  ["http", "http"],
  ["https", "http"],
]);

/** @throws a usage error that says which there are, or what is wrong with this one. */
export function parseGuardUrl(text: string, directory: string): GuardUrl {
  const [, scheme = "", rest = ""] = /^([a-z]+):(.+)$/s.exec(text) ?? [];
  const kind = kinds.get(scheme);
  if (kind === undefined) {
    throw wrong(
      text,
      "this release has file:PATH, sqlite:PATH, postgres://HOST/DATABASE, mysql://HOST/DATABASE, redis://HOST:PORT, nats://HOST:PORT/STREAM and http://HOST/PATH",
    );
  }
  if (kind === "file" || kind === "sqlite") {
    const plain = rest.startsWith("///") ? rest.slice(2) : rest;
    if (plain.startsWith("//")) throw wrong(text, `it has no host; write ${scheme}:PATH`);
    const place = resolve(directory, plain);
    return { kind, place, shown: `${kind}:${place}` };
  }
  if (kind === "redis") {
    const { url: place, prefix, shown } = redisParts(text, ["prefix"], wrong);
    return prefix === undefined ? { kind, place, shown } : { kind, place, prefix, shown };
  }
  if (kind === "nats") return natsUrl(text);
  if (kind === "http") return httpUrl(text);
  if (!URL.canParse(text) || !rest.startsWith("//")) {
    throw wrong(text, `write ${scheme}://USER@HOST:PORT/DATABASE; a password is percent-encoded`);
  }
  const { username, password, pathname } = new URL(text);
  if (![username, password, pathname].every(isEncoded)) {
    throw wrong(text, "user, password and database are percent-encoded");
  }
  return { kind, place: text, shown: redacted(text) };
}

function httpUrl(text: string): GuardUrl {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !isEncoded(parsed.username) || !isEncoded(parsed.password)) {
    throw wrong(text, "write http://HOST/PATH; a password is percent-encoded");
  }
  return { kind: "http", place: text, shown: redacted(text) };
}

function natsUrl(text: string): GuardUrl {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || parsed.hostname === "" || parsed.hash !== "") {
    throw wrong(text, "write nats://HOST:PORT/STREAM; a password is percent-encoded");
  }
  const { username, password, pathname, search } = parsed;
  if (!/^\/[^/]+$/.test(pathname)) throw wrong(text, "its path is the name of a stream");
  if (![username, password, pathname, search].every(isEncoded)) {
    throw wrong(text, "user, password, stream and subject are percent-encoded");
  }
  const subject = parametersOf(text, search.slice(1), ["subject"], wrong).get("subject");
  const shown = redacted(text);
  if (subject === undefined) return { kind: "nats", place: text, shown };
  return { kind: "nats", place: text, subject: decodeURIComponent(subject), shown };
}

function wrong(text: string, what: string): Error {
  return usageError(`guard ${JSON.stringify(redacted(text))}: ${what}`);
}
