/** Instants, ends, refusals and states in words: one wording for the page and the transcript. */

import type { WorldSpan } from "./timeline.js";

/** "12.5 s": to the microsecond at most, without idle zeros. */
export function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(6))} s`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * Text of foreign origin on one line: line breaks, terminal sequences and marks that turn the direction of text
 * are written out, so that none can pretend to be a line of ours.
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => {
    return sign === "\n" ? " " : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

const ends: ReadonlyMap<string, string> = new Map([
  ["stopped", "it was told to stop"],
  ["resigned", "it resigned"],
  ["transferred", "it hands over"],
  ["finished", "its work is done"],
  ["failed", "its work failed"],
  ["max-term", "its term was long enough"],
  ["outpaced", "a resource has seen a higher token"],
  ["deadline", "no renewal was confirmed before its deadline"],
  ["superseded", "the record is another's"],
  ["store-lost", "the store has lost the record or put an older one back"],
  ["duplicate-identity", "another process writes under its identity"],
]);

/** Why a term ended. */
export function endInWords(reason: string): string {
  return ends.get(reason) ?? reason;
}

export interface Refused {
  readonly code: string | undefined;
  readonly token: number;
  readonly seq: number | undefined;
  /** Highest token that had claimed the resource. */
  readonly watermark: number | undefined;
}

/** Why a resource refused, with the code in brackets. */
export function refusalInWords(refused: Refused): string {
  const { code = "no code" } = refused;
  return `${whyRefused(refused)} (${code})`;
}

function whyRefused({ code, token, seq = 0, watermark }: Refused): string {
  switch (code) {
    case "STALE":
      return watermark === undefined
        ? `token ${token} is below the watermark`
        : `token ${token} is below the watermark ${watermark}`;
    case "CONFLICT":
      return `token ${token} belongs to another owner`;
    case "FOREIGN_LINEAGE":
      return `token ${token} is of another lineage`;
    case "CLAIM_MISSING":
      return `nobody has claimed it with token ${token}`;
    case "SEQUENCE_REUSED":
      return `number ${seq} of token ${token} stands for another operation`;
    case "SEQUENCE_GAP":
      return `number ${seq} of token ${token} does not follow`;
    default:
      return watermark === undefined ? `token ${token}` : `token ${token}, the watermark is ${watermark}`;
  }
}

const states: Readonly<Record<WorldSpan["kind"], string>> = {
  down: "is down",
  stopped: "is stopped",
  suspended: "is suspended with its machine",
  blocked: "is blocked, its event loop does not turn",
  cut: "is cut off",
  stalled: "stalls",
};

export function stateInWords(kind: WorldSpan["kind"]): string {
  return states[kind];
}
