/**
 * The check as one statement, for a transaction that somebody else opened: what it says when it is refused, and what that
 * means to the caller.
 *
 * The reason has to get through the errors of drivers and ORMs, which hand on a text and little else. Errors quote much
 * more than that: the statement itself, a value of somebody's row. So the text ends with a tag that the handle drew and
 * shows to nobody but the database; what lacks it is no refusal, whatever it says.
 */

import { TenureError } from "../../errors/index.js";
import type { Fence } from "../fence.js";
import { refuseUse } from "../guard.js";
import { isObject, parse } from "../row.js";
import type { Writer } from "../writer.js";
import { decodeWatermark } from "./rows.js";

/** One SQL statement that fails when this term may not write any more. */
export interface FenceStatement {
  /** With the database's placeholders where `values` belong. */
  readonly text: string;
  readonly values: readonly (string | number)[];
  /** The same with its values as literals, for what takes no parameters. */
  readonly inline: string;
}

/** What a statement says: these words, or `refusedWords` and what stands there; and behind them the tag in brackets. */
export const unclaimedWords = "TENURE_REFUSED: never claimed";
export const refusedWords = "TENURE_REFUSED: ";

/** How a database says what stands there, behind `refusedWords`. */
export interface Said {
  /** A regular expression; it matches nothing that stands in the text of the statement. */
  readonly pattern: string;
  /** Columns of the row, as far as `own` is refused by them; undefined where it cannot be read. */
  row(said: string, own: Fence): Readonly<Record<string, unknown>> | undefined;
}

const jsonWords = "claimed as ";
/** Goes on with the row as JSON: `{"v":1,"lineage":…,"watermark":…,"owner":…}`. */
export const claimedWords: string = refusedWords + jsonWords;
export const saidAsJson: Said = {
  pattern: `${jsonWords}\\{"v":.*\\}`,
  row(said) {
    const row = parse(said.slice(jsonWords.length));
    return isObject(row) ? row : undefined;
  },
};

/** Whose statement an error may come from. */
export interface Stated {
  /** Names the resource, for messages. */
  readonly resource: string;
  readonly writer: Writer;
  readonly tag: string;
  readonly said: Said;
}

/** ORMs wrap the driver's error once or twice: it is the cause, or its text is part of theirs. */
const deepestCause = 8;

/** STALE or the like where `error` says that the statement was refused, and the term is told; else undefined. */
export function refusalOf({ resource, writer, tag, said }: Stated, error: unknown): TenureError | undefined {
  const words = new RegExp(`(?:${unclaimedWords}|${refusedWords}(${said.pattern})) \\[${tag}\\]`);
  const found = find(words, error);
  if (found === undefined) return undefined;
  try {
    const row =
      found === "unclaimed"
        ? undefined
        : decodeWatermark(resource, said.row(found.claimed, writer.fence) ?? {});
    const refusal = refuseUse(row, writer.fence);
    return refusal && writer.refuse(refusal, undefined, error);
  } catch (cause) {
    if (TenureError.is(cause, "GUARD_ROW_UNREADABLE")) return cause;
    throw cause;
  }
}

function find(words: RegExp, error: unknown): "unclaimed" | { readonly claimed: string } | undefined {
  let link: unknown = error;
  for (let depth = 0; depth < deepestCause && isObject(link); depth += 1) {
    const { message, cause } = link;
    const match = typeof message === "string" ? words.exec(message) : null;
    if (match !== null) return match[1] === undefined ? "unclaimed" : { claimed: match[1] };
    link = cause;
  }
  return undefined;
}
