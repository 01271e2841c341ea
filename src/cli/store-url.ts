/**
 * What a store URL says: `file:PATH`, `redis://HOST:PORT`, `rediss://HOST:PORT`, `memory:`, each with parameters.
 *
 * A URL may carry a password, so no message shows one as it is: `redacted` first. Every parameter
 * is ours and known, since a client would take the rest for options of its own.
 */

import { resolve } from "node:path";
import { longestTtlMs, shortestTtlMs } from "../lease/store.js";
import { checkedDuration } from "./duration.js";
import { usageError } from "./usage-error.js";

export type StoreUrl =
  | {
      readonly kind: "file";
      /** Absolute. */
      readonly path: string;
      readonly maxTtlMs: number | undefined;
      /** For people. */
      readonly shown: string;
    }
  | { readonly kind: "memory"; readonly maxTtlMs: number | undefined; readonly shown: string }
  | {
      readonly kind: "redis";
      /** For the client: with the password, without our parameters. */
      readonly url: string;
      readonly prefix?: string;
      readonly maxTtlMs: number | undefined;
      readonly shown: string;
    };

export type RedisUrl = Extract<StoreUrl, { kind: "redis" }>;

/** @throws a usage error that says which stores there are, or what is wrong with this one. */
export function parseStoreUrl(text: string, directory: string): StoreUrl {
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+-]*):(.*)$/.exec(text) ?? [];
  if (scheme === "redis" || scheme === "rediss") return parseRedis(text);
  const [path, query] = split(rest);
  if (scheme === "memory" && path === "") {
    return { kind: "memory", maxTtlMs: onlyMaxTtl(text, query), shown: "memory:" };
  }
  if (scheme === "file" && path !== "") {
    const plain = path.startsWith("///") ? path.slice(2) : path;
    if (plain.startsWith("//")) throw wrong(text, "a file store has no host; write file:PATH");
    const absolute = resolve(directory, plain);
    const maxTtlMs = onlyMaxTtl(text, query);
    return { kind: "file", path: absolute, maxTtlMs, shown: `file:${absolute}` };
  }
  const advice = scheme === undefined ? `; did you mean file:${redacted(text)}?` : "";
  throw wrong(text, `this release has file:PATH, redis://HOST:PORT and memory:${advice}`);
}

function parseRedis(text: string): StoreUrl {
  const { parameters, ...parts } = redisParts(text, ["maxTtl", "prefix"], wrong);
  return { kind: "redis", ...parts, maxTtlMs: maxTtlOf(parameters) };
}

/** What is wrong with the URL that this text is. */
type Wrong = (text: string, what: string) => Error;

export interface RedisParts {
  /** For the client: with the password, without our parameters. */
  readonly url: string;
  readonly prefix?: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly shown: string;
}

/** `known`: parameters that it may have. @throws what `wrong` makes. */
export function redisParts(text: string, known: readonly string[], wrong: Wrong): RedisParts {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || parsed.hostname === "" || parsed.hash !== "") {
    throw wrong(text, "write redis://HOST:PORT/DATABASE; a password is percent-encoded");
  }
  if (!/^\/?$|^\/[0-9]{1,4}$/.test(parsed.pathname))
    throw wrong(text, "its path is the number of a database");
  if (!isEncoded(parsed.username) || !isEncoded(parsed.password)) {
    throw wrong(text, "user and password are percent-encoded");
  }
  const parameters = parametersOf(text, parsed.search.slice(1), known, wrong);
  const prefix = parameters.get("prefix");
  if (prefix !== undefined && !/^[\w.-]{1,64}$/.test(prefix)) {
    throw wrong(text, "?prefix= takes 1 to 64 of [A-Za-z0-9._-]");
  }
  parsed.search = "";
  const shown = `${redacted(parsed.href)}${prefix === undefined ? "" : `?prefix=${prefix}`}`;
  const parts = { url: parsed.href, parameters, shown };
  return prefix === undefined ? parts : { ...parts, prefix };
}

/** Whether it can be decoded. */
export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // The question was whether it can be decoded.
    return false;
  }
}

function split(rest: string): readonly [string, string?] {
  const at = rest.indexOf("?");
  return at < 0 ? [rest] : [rest.slice(0, at), rest.slice(at + 1)];
}

function onlyMaxTtl(text: string, query: string | undefined): number | undefined {
  return query === undefined ? undefined : maxTtlOf(parametersOf(text, query, ["maxTtl"], wrong));
}

function maxTtlOf(parameters: ReadonlyMap<string, string>): number | undefined {
  const value = parameters.get("maxTtl");
  if (value === undefined) return undefined;
  return checkedDuration("maxTtl", value, { min: shortestTtlMs, max: longestTtlMs });
}

const meanings: Readonly<Record<string, string>> = {
  maxTtl: "?maxTtl=DURATION",
  prefix: "?prefix=TEXT",
  subject: "?subject=TEXT",
};

/** Of a query, each at most once. @throws what `wrong` makes, for one that is not known. */
export function parametersOf(
  text: string,
  query: string,
  known: readonly string[],
  wrong: Wrong,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of query === "" ? [] : query.split("&")) {
    const [name = "", ...value] = part.split("=");
    if (!known.includes(name) || found.has(name) || value.length !== 1) {
      const listed = known.map((one) => meanings[one]).join(" and ");
      throw wrong(text, `${known.length === 1 ? "the one parameter is" : "the parameters are"} ${listed}`);
    }
    found.set(name, value[0] ?? "");
  }
  return found;
}

function wrong(text: string, what: string): Error {
  return usageError(`store ${JSON.stringify(redacted(text))}: ${what}`);
}

/**
 * Without what may be secret: the password, a user alone, which some servers take for a password, and parameters that
 * are none of ours. A text that is no URL is treated like one, since whoever mistypes a URL has typed the password too.
 */
export function redacted(text: string): string {
  if (/^(file|memory|sqlite):/.test(text)) return text;
  const at = text.lastIndexOf("@");
  const rest = text.slice(at + 1).replace(/([?&])(?!maxTtl=|prefix=|subject=)([^=&]*)=[^&]*/g, "$1$2=***");
  if (at < 0) return rest;
  const [, scheme = "", user = ""] = /^([a-z][a-z0-9+-]*:(?:\/\/)?)?(.*)$/s.exec(text.slice(0, at)) ?? [];
  const colon = user.indexOf(":");
  return `${scheme}${user.slice(0, colon + 1)}***@${rest}`;
}
