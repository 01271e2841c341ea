/** The check as one statement, in transactions that somebody else opens. One suite for all database servers. */

import { expect, it } from "vitest";
import type { FenceStatement } from "../../../src/fence/sql/statement.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import type { ByHand, Server, Stand, StandHandle } from "./stand.js";

export interface Stating<T> extends Server<T> {
  /** How a transaction has to end in which a statement failed. */
  readonly endOfFailed: "COMMIT" | "ROLLBACK";
  /** How the database says that 8 was claimed by b. */
  readonly refusedBy8: RegExp;
  /** A statement that fails with these words in its error. */
  quoting(words: string): Pick<FenceStatement, "text" | "values">;
}

const successor = fence({ token: 8, owner: "b" });
const odd = fence({ token: 2 ** 52, owner: "o'wner \\ $1 ? \0 é", lineage: "de'fault/lease" });

/** Declares the suite inside of a `describe`. */
export function statementSuite<T>(stating: Stating<T>): void {
  for (const form of ["text", "inline"] as const) inEachForm(stating, form);
  saysWhy(stating);
}

function inEachForm<T>(stating: Stating<T>, form: "text" | "inline"): void {
  const send = async ({ send: run }: ByHand<T>, handle: Pick<StandHandle<T>, "statement">) => {
    const { text, values, inline } = handle.statement();
    return form === "text" ? run(text, values) : run(inline);
  };

  it(`when the term stands, it passes and holds a claim off until the transaction ends (${form})`, async () => {
    await stating.inStand(async (stand) => {
      const handle = await stand.guard().claim(odd);
      const byHand = await stand.byHand();
      await send(byHand, handle);
      await stand.put(byHand.tx, "orm");
      await handle.transaction(async (own) => stand.put(own, "guard"));
      await stand.guard().claim(odd);
      expect(await stand.content()).toEqual(["guard"]);
      await byHand.end("COMMIT");
      expect(await stand.content()).toEqual(["orm", "guard"]);
    });
  });

  it(`when a successor has claimed, it fails with the reason, and so does the transaction (${form})`, async () => {
    await stating.inStand(async (stand) => {
      const handle = await stand.guard().claim(fence());
      await stand.guard().claim(successor);
      const error = await failed(stating, stand, async (byHand) => send(byHand, handle));
      expect(String(error)).toMatch(stating.refusedBy8);
      expect(handle.refusalOf(error)).toMatchObject({ code: "STALE", watermark: 8, owner: "b" });
    });
  });
}

function saysWhy<T>(stating: Stating<T>): void {
  it("when the claim was wiped, it fails too", async () => {
    await stating.inStand(async (stand) => {
      const handle = await stand.guard().claim(fence());
      await stand.query(`DELETE FROM ${stand.tables.fence}`);
      const error = await failed(stating, stand, async ({ send }) => send(handle.statement().inline));
      expect(String(error)).toContain("TENURE_REFUSED: never claimed");
    });
  });

  it("when another error quotes the words of a refusal, or it is another handle's, it is taken for none", async () => {
    await stating.inStand(async (stand) => {
      const told: number[] = [];
      const outpaced = (watermark: number) => void told.push(watermark);
      const guard = stand.guard();
      const handle = await guard.claim({ fence: fence(), outpaced });
      const older = await guard.claim({ fence: fence(), outpaced });
      await guard.claim(successor);
      const error = await failed(stating, stand, async ({ send }) => send(older.statement().inline));
      expect(handle.refusalOf(error)).toBeUndefined();
      const [words = ""] = stating.refusedBy8.exec(String(error)) ?? [];
      const { text, values } = stating.quoting(words);
      const quoted = await failed(stating, stand, async ({ send }) => send(text, values));
      expect(String(quoted)).toContain(words);
      // A driver that shows the statement shows the tag, and no refusal.
      const shown = new Error(handle.statement().inline, { cause: quoted });
      for (const other of [quoted, shown, undefined, "TENURE_REFUSED", new Error("of the work")]) {
        expect(handle.refusalOf(other)).toBeUndefined();
      }
      expect(told).toEqual([]);
      expect(older.refusalOf(new Error("of an ORM", { cause: error }))).toMatchObject({ code: "STALE" });
      expect(told).toEqual([8]);
    });
  });

  it("when it waits for a claim in progress, it sees that claim", async () => {
    await stating.inStand(async (stand) => {
      const handle = await stand.guard().claim(fence());
      const claim = `UPDATE ${stand.tables.fence} SET watermark = 8, owner = 'b'`;
      const claiming = await stand.open(claim);
      const late = failed(stating, stand, async ({ send }) => send(handle.statement().inline));
      await stand.waiting(1);
      await claiming.commit();
      expect(handle.refusalOf(await late)).toMatchObject({ code: "STALE", watermark: 8 });
    });
  });
}

/** What a transaction fails with in which this comes behind a write; nothing of it may stand. */
export async function failed<T>(
  { endOfFailed }: Pick<Stating<T>, "endOfFailed">,
  stand: Stand<T>,
  send: (byHand: ByHand<T>) => Promise<unknown>,
): Promise<unknown> {
  const byHand = await stand.byHand();
  await stand.put(byHand.tx, "stale");
  const error = await rejection(send(byHand));
  await byHand.end(endOfFailed);
  expect(await stand.content()).toEqual([]);
  return error;
}
