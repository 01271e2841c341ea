/**
 * Every refusal that a row of a database can be the reason for, and what each way of using the resource says then.
 *
 * What numbers are refused for is in `guardContract`; that a claim waits, in the tests of each database.
 */

import { expect } from "vitest";
import type { ErrorCode, TenureError } from "../../../src/errors/index.js";
import type { Claimant } from "../../../src/fence/fence.js";
import { fence } from "../scene.js";

export interface Refusing {
  claim(claimant: Claimant): Promise<Refusable>;
  /** Past the guard; `{fence}` stands for the table's name. */
  change(sql: string): Promise<unknown>;
  /** Of the table `fence`. */
  rows(): Promise<readonly unknown[]>;
  content(): Promise<readonly string[]>;
}

export interface Refusable {
  /** Through the handle; calls `inside` in its body, and puts a value there. */
  write(inside: () => void): Promise<void>;
  read(inside: () => void): Promise<void>;
  /** In a transaction of its own that begins with the statement; it puts a value there. */
  writeByStatement(): Promise<void>;
  refusalOf(error: unknown): TenureError | undefined;
}

interface Case {
  readonly when: string;
  readonly change: string;
  readonly code: ErrorCode;
  readonly carries: object;
  /** The watermark that the term is told of, where it is told. */
  readonly told?: number;
}

const owner = 'o\'wner \\ "b" $1 ? } ] [\u{1f5dd}';
const stored = owner.replaceAll("\\", "\\\\").replaceAll("'", "''");

export const cases: readonly Case[] = [
  {
    when: "a successor has claimed, whose name is an odd one",
    change: `UPDATE {fence} SET watermark = 4503599627370496, owner = '${stored}'`,
    code: "STALE",
    carries: { watermark: 2 ** 52, owner },
    told: 2 ** 52,
  },
  {
    when: "another owner has claimed under the same token",
    change: "UPDATE {fence} SET owner = 'twin'",
    code: "CONFLICT",
    carries: { watermark: 7, owner: "twin" },
    told: 7,
  },
  {
    when: "another lineage has claimed, under a lower token even",
    change: "UPDATE {fence} SET lineage = 'default/raft', watermark = 3",
    code: "FOREIGN_LINEAGE",
    carries: { lineage: "default/raft" },
  },
  {
    when: "nothing is known of any claim",
    change: "DELETE FROM {fence}",
    code: "CLAIM_MISSING",
    carries: {},
  },
  {
    when: "an older claim was put back",
    change: "UPDATE {fence} SET watermark = 6, owner = 'z'",
    code: "CLAIM_MISSING",
    carries: {},
  },
  {
    when: "the row is of a later format",
    change: "UPDATE {fence} SET v = 2",
    code: "GUARD_ROW_UNREADABLE",
    carries: {},
  },
];

export async function refuses(resource: Refusing, { change, code, carries, told }: Case): Promise<void> {
  const heard: number[] = [];
  const handle = await resource.claim({
    fence: fence(),
    outpaced: (watermark) => void heard.push(watermark),
  });
  await handle.writeByStatement();
  await resource.change(change);
  const before = await resource.rows();
  let inside = 0;
  const enter = () => void (inside += 1);
  const expected = { code, outcome: "definite", retry: "never", ...carries };
  await expect(handle.write(enter)).rejects.toMatchObject(expected);
  await expect(handle.read(enter)).rejects.toMatchObject(expected);
  const error = await handle.writeByStatement().then(
    () => "it went through",
    (cause: unknown) => cause,
  );
  expect(handle.refusalOf(error)).toMatchObject(expected);
  expect(inside).toBe(0);
  expect(heard).toEqual(told === undefined ? [] : [told, told, told]);
  expect(await resource.rows()).toEqual(before);
  expect(await resource.content()).toEqual(["by statement"]);
}
