/** Writes to a set, as clients would have told of them, on a clock of whole numbers. */

import type { Write } from "../../torture/work-line.mjs";

/** Every instant between one and the next is free for others. */
export interface Told extends Partial<Pick<Write, "outcome" | "token" | "code">> {
  readonly element: string;
  /** The set as it was read, the whole of it. */
  readonly read: readonly string[];
  /** Read, checked, sent and answered at; the last ones may be missing. */
  readonly at: readonly [read: number, checked: number, sent?: number, answered?: number];
}

export function told({ element, read, at, outcome = "acknowledged", token = 1, code }: Told): Write {
  const [readAt, checkedAt, sentAt, answeredAt] = at;
  return {
    node: element.split("-")[0] ?? "",
    token,
    element,
    readAt: BigInt(readAt),
    checkedAt: BigInt(checkedAt),
    saw: { size: read.length, last: read.at(-1) ?? null },
    sentAt: sentAt === undefined ? undefined : BigInt(sentAt),
    outcome,
    answeredAt: answeredAt === undefined ? undefined : BigInt(answeredAt),
    code,
    why: undefined,
  };
}
