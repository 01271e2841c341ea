/**
 * What is written down about the records in a store that keeps only the newest: one JSON object a line.
 *
 * Candidates tell what they sent, before they send it, and what was answered; the watcher
 * tells what the store held.
 */

import type { LeaseRecord } from "../../lease/record.js";
import type { Stored, Version, Written } from "../../lease/store.js";

export type RecordLine =
  /** `wallMs`: before it was sent. `expected`: null for a record where none was. */
  | {
      readonly kind: "sent";
      readonly wallMs: number;
      readonly expected: Version | null;
      readonly record: LeaseRecord;
    }
  /** `failed`: nobody knows. */
  | { readonly kind: "answered"; readonly nonce: string; readonly answer: Written["kind"] | "failed" }
  /** By the watcher; told once for each version that it saw. */
  | { readonly kind: "seen"; readonly version: Version; readonly body: Stored["body"] }
  /** By the watcher: a look that failed. */
  | { readonly kind: "unseen"; readonly why: string };

/** A last line without its end is that of a process that was killed over it: what it tells was not sent. */
export function readRecordLines(text: string): readonly RecordLine[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RecordLine);
}
