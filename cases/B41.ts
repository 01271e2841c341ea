import { expect } from "vitest";
import { memoryStore } from "../src/stores/memory/index.js";
import { failing } from "../test/support/interposed.js";
import { simulatedFileStore } from "./support/file-store.js";
import type { Actor } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB41 = defineCase({
  id: "B41",
  fault:
    "a try ends because another holds the lease, because the store is closed, denied, full or silent, or by signal",
  mustHold:
    "each has an outcome of its own: the first is a value and no error, the others have different codes",
  injected:
    "a holder; a closed memory store; EACCES, EROFS, ENOSPC and EIO on disk; no answer; an aborted signal",
  mutants: ["errors-wrong-code", "02-held-without-evidence", "04-no-timeout"],
  faultCount: 8,
  async run(stage) {
    const outcomes: string[] = [];
    const attempt = async (actor: Actor, waitMs: number, signal?: AbortSignal) => {
      actor.election.tryCampaign(signal === undefined ? {} : { signal }).then(
        ({ kind }) => outcomes.push(kind),
        (cause: { code?: string; message: string }) => outcomes.push(cause.code ?? cause.message),
      );
      stage.fault();
      await stage.world.advance(waitMs);
    };
    const holder = stage.candidate("holder");
    await stage.lead(holder);
    await stage.world.advance(10_000);
    const renewals = holder.wire.writes.length;
    const visitor = stage.candidate("visitor");
    await attempt(visitor, 10);
    // Not before the holder has shown life.
    expect(outcomes).toHaveLength(holder.wire.writes.length > renewals ? 1 : 0);
    await stage.world.advance(3_000);
    const closed = memoryStore();
    await closed[Symbol.asyncDispose]();
    await attempt(stage.candidate("closed", { store: closed }), 6_000);
    for (const name of ["EACCES", "EROFS", "ENOSPC", "EIO"]) {
      const store = simulatedFileStore((files) =>
        failing(files, name, (step) => step.name === "writeNew", 1e9),
      );
      await attempt(stage.candidate(name, { store }), 6_000);
    }
    const silent = stage.candidate("silent");
    stage.cut(silent);
    await attempt(silent, 6_000);
    const abort = new AbortController();
    await attempt(stage.candidate("aborted"), 10, abort.signal);
    abort.abort({ message: "aborted" });
    await stage.world.advance(10);
    expect(outcomes).toEqual([
      "held",
      "STORE_CLOSED",
      "STORE_DENIED",
      "STORE_READ_ONLY",
      "STORE_FULL",
      "STORE_UNREACHABLE",
      "STORE_TIMEOUT",
      "aborted",
    ]);
  },
});
