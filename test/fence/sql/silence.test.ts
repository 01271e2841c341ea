/** What the protocol makes of sessions that do not answer: scripted, on a virtual clock. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld, type VirtualWorld } from "../../../src/base/virtual-clock.js";
import { postgresDialect } from "../../../src/fence/postgres/dialect.js";
import { createSqlGuard } from "../../../src/fence/sql/guard.js";
import { resolveSqlOptions } from "../../../src/fence/sql/options.js";
import type { Answer, SqlSession, Statement } from "../../../src/fence/sql/session.js";
import { fence } from "../scene.js";

type Reaction = readonly Answer[] | Error | "silent";

/** Sessions that react to the n-th message as `react` says, and tell how they were given back. */
function scripted(react: (statements: readonly Statement[], message: number) => Reaction | undefined) {
  const released: boolean[] = [];
  const world = createVirtualWorld();
  let messages = 0;
  const acquire = async (): Promise<SqlSession<string>> => ({
    client: "client",
    ended: undefined,
    async run(statements) {
      messages += 1;
      const reaction = react(statements, messages) ?? answersTo(statements);
      if (reaction === "silent") return new Promise(() => {});
      if (reaction instanceof Error) throw reaction;
      return reaction;
    },
    release: (broken) => void released.push(broken),
  });
  return { world, acquire, released };
}

/** As a server whose tables are empty answers, and which takes every number. */
function answersTo(statements: readonly Statement[]): readonly Answer[] {
  return statements
    .filter(({ answer }) => answer !== undefined)
    .map(({ text, answer }) => {
      if (answer === "count") return { rows: [], count: 1 };
      if (text.includes("max(seq)")) return { rows: [{ seq: null }], count: 1 };
      return { rows: [], count: 0 };
    });
}

const standing: Answer = {
  rows: [{ v: 1, generation: "g", lineage: "default/lease", watermark: "7", owner: "a" }],
  count: 1,
};

/** As one that holds our claim. */
function claimedAnswers(statements: readonly Statement[]): readonly Answer[] {
  return statements
    .filter(({ answer }) => answer !== undefined)
    .map(({ text, answer }) => {
      if (answer === "count") return { rows: [], count: 1 };
      if (text.includes("watermark")) return standing;
      if (text.includes("max(seq)")) return { rows: [{ seq: 0 }], count: 1 };
      if (text.includes("slot")) return { rows: [{ seq: 0, op: null, returned: 0, result: null }], count: 1 };
      return { rows: [{ witness: "1" }], count: 1 };
    });
}

function guardOn({ world, acquire }: { world: VirtualWorld; acquire(): Promise<SqlSession<string>> }) {
  const options = resolveSqlOptions({ resource: "ledger", timeoutMs: 500 }, postgresDialect, []);
  const resource = {
    client: { acquire },
    dialect: postgresDialect,
    clock: world.createClock(),
    resource: "ledger",
    options,
  };
  return createSqlGuard(resource, (handle) => handle);
}

/** Lets time pass until it is settled; what it was rejected with. */
async function rejected(world: VirtualWorld, promise: Promise<unknown>): Promise<unknown> {
  let outcome: unknown = "open";
  promise.then(
    () => (outcome = "resolved"),
    (error: unknown) => (outcome = error),
  );
  for (let passedMs = 0; outcome === "open" && passedMs < 60_000; passedMs += 100) await world.advance(100);
  return outcome;
}

const isCommit = (statements: readonly Statement[]): boolean => statements.at(-1)?.control === "commit";

describe("a session that does not answer", () => {
  it("when a claim is silent before its commit, it failed for certain, and the session is given up", async () => {
    const scene = scripted(() => "silent");
    const error = await rejected(scene.world, guardOn(scene).claim(fence()));
    expect(error).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
    expect(scene.released).toEqual([true]);
  });

  it("when the commit of a claim is silent, it is unconfirmed, and the session is given up", async () => {
    const scene = scripted((statements) => (isCommit(statements) ? "silent" : undefined));
    const error = await rejected(scene.world, guardOn(scene).claim(fence()));
    expect(error).toMatchObject({ code: "CLAIM_UNCONFIRMED" });
    expect(scene.released).toEqual([true]);
  });

  it("when no session is to be had, nothing was sent, and one that comes late is sent home", async () => {
    const scene = scripted(() => undefined);
    let give = (_: SqlSession<string>) => {};
    const waiting = new Promise<SqlSession<string>>((resolve) => (give = resolve));
    const error = await rejected(
      scene.world,
      guardOn({ ...scene, acquire: async () => waiting }).claim(fence()),
    );
    expect(error).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
    give(await scene.acquire());
    await scene.world.advance(0);
    expect(scene.released).toEqual([false]);
  });

  it("when the commit of a write is silent, the attempt can be handed back, and keeps its number", async () => {
    let silent = false;
    const scene = scripted((statements) =>
      silent && isCommit(statements) ? "silent" : claimedAnswers(statements),
    );
    const handle = await guardOn(scene).claim(fence());
    silent = true;
    const error = await rejected(
      scene.world,
      handle.transaction(async () => {}, { opId: "one" }),
    );
    expect(error).toMatchObject({ code: "GUARD_UNCONFIRMED", attempt: { seq: 1, opId: "one" } });
    expect(scene.released).toEqual([false, true]);
  });

  it("when a rollback is silent, the body's error is thrown, and the session is given up", async () => {
    const scene = scripted((statements) =>
      statements.at(-1)?.control === "rollback" ? "silent" : claimedAnswers(statements),
    );
    const handle = await guardOn(scene).claim(fence());
    const reason = new Error("the work failed");
    const error = await rejected(
      scene.world,
      handle.transaction(async () => Promise.reject(reason)),
    );
    expect(error).toBe(reason);
    expect(scene.released).toEqual([false, true]);
  });

  it("when others are faster each time, the write gives up and says so", async () => {
    const conflict = Object.assign(new Error("serialization"), { code: "40001", severity: "ERROR" });
    let busy = false;
    const scene = scripted((statements) =>
      busy && statements[0]?.control === "begin" ? conflict : claimedAnswers(statements),
    );
    const handle = await guardOn(scene).claim(fence());
    busy = true;
    const error = await rejected(
      scene.world,
      handle.transaction(async () => {}),
    );
    expect(error).toMatchObject({ code: "GUARD_CONTENDED", outcome: "definite" });
    expect(scene.released.every((broken) => !broken)).toBe(true);
  });
});
