/**
 * Which call can have made which version, as far as the answers tell.
 *
 * A version that a call was told is its own has that one maker. One that was only shown was made by a call with its
 * nonce whose own answer is not known, or which may have come more than once.
 */

import type { RegisterCall, RegisterHistory, WriteCall } from "./register.js";

export type Write = RegisterCall & { readonly call: WriteCall };

export interface Link {
  readonly version: string;
  readonly maker: Write;
}

/** A call that was shown a version, for the first time in the order in which calls were handed in. */
export interface Sight {
  readonly nonce: string;
  readonly by: RegisterCall;
}

export class Versions {
  /** The call that was told that the version is its own; of several the first. */
  readonly owners: ReadonlyMap<string, Write>;
  readonly sights: ReadonlyMap<string, Sight>;
  /** Who was first told of a version that it cannot be read. */
  readonly #unread: ReadonlyMap<string, RegisterCall>;
  /** By nonce: writes that may have been carried out without anybody being told so. */
  readonly #open: ReadonlyMap<string, readonly Write[]>;
  readonly #initial: string | undefined;
  readonly #left: ReadonlySet<string | undefined>;
  #links: ReadonlyMap<string | undefined, readonly Link[]> | undefined;

  constructor({ calls, losses = [], initial }: RegisterHistory) {
    const owners = new Map<string, Write>();
    const sights = new Map<string, Sight>();
    const unread = new Map<string, RegisterCall>();
    const open = new Map<string, Write[]>();
    for (const call of calls) {
      const { answer } = call;
      if (isWrite(call)) {
        if (answer?.kind === "written" && !owners.has(answer.version)) owners.set(answer.version, call);
        if (mayBeOpen(call)) append(open, call.call.nonce, call);
      }
      const shown = shownBy(call);
      if (shown?.version === undefined) continue;
      const { version, nonce } = shown;
      if (nonce === undefined) {
        if (!unread.has(version)) unread.set(version, call);
      } else if (!sights.has(version)) sights.set(version, { nonce, by: call });
    }
    this.owners = owners;
    this.sights = sights;
    this.#unread = unread;
    this.#open = open;
    this.#initial = initial;
    this.#left = new Set(losses.map(({ left }) => left));
  }

  /** Nobody in this history need have made it: it was there, or a loss is told to have left it. */
  isGiven(version: string): boolean {
    return version === this.#initial || this.#left.has(version);
  }

  isLeft(version: string): boolean {
    return this.#left.has(version);
  }

  /** Who was told that the version cannot be read, if nobody could: whoever is newer may read what others cannot. */
  unreadBy(version: string | undefined): RegisterCall | undefined {
    if (version === undefined || this.owners.has(version) || this.sights.has(version)) return undefined;
    return this.#unread.get(version);
  }

  makersOf(version: string): readonly Write[] {
    if (version === this.#initial) return [];
    const owner = this.owners.get(version);
    if (owner !== undefined) return [owner];
    const sight = this.sights.get(version);
    return (sight && this.#open.get(sight.nonce)) ?? [];
  }

  /** What can come right after a version. */
  linksFrom(version: string | undefined): readonly Link[] {
    this.#links ??= this.#allLinks();
    return this.#links.get(version) ?? [];
  }

  #allLinks(): ReadonlyMap<string | undefined, readonly Link[]> {
    const links = new Map<string | undefined, Link[]>();
    for (const version of new Set([...this.owners.keys(), ...this.sights.keys()])) {
      for (const maker of this.makersOf(version)) append(links, maker.call.expected, { version, maker });
    }
    return links;
  }
}

export function isWrite(call: RegisterCall): call is Write {
  return call.call.kind === "write";
}

/** Nothing says how often it was carried out. */
function mayBeOpen({ answer, mayRepeat }: RegisterCall): boolean {
  return answer === undefined || mayRepeat === true;
}

/** What the call saw of the register's state; undefined when it saw nothing. */
export function shownBy({
  answer,
}: RegisterCall): { readonly version: string | undefined; readonly nonce: string | undefined } | undefined {
  return answer?.kind === "read" || answer?.kind === "conflict" ? answer : undefined;
}

function append<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
