/**
 * A leader whose token a resource finds too low, and one whose lineage it does not know: real elections in a directory,
 * on a file guard and on PostgreSQL, and the command in an operator's hands.
 */

import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { realClock } from "../../src/base/real-clock.js";
import { createElection } from "../../src/create-election.js";
import { TenureError } from "../../src/errors/index.js";
import type { ElectionRow } from "../../src/fence/cell.js";
import { fileGuard } from "../../src/fence/file/index.js";
import { fences } from "../../src/fence/fences.js";
import type { Guard } from "../../src/fence/guard.js";
import { fileStore } from "../../src/stores/file/index.js";
import { fence } from "../fence/scene.js";
import { postgresScope } from "../fence/postgres/scope.js";
import { describeWithServer } from "../servers/with-server.js";
import { createPlace, type Place } from "./tenure.js";

vi.setConfig({ testTimeout: 60_000 });

const ttlMs = 1_500;
/** Above all that the clocks of this century give. */
const ahead = 2 ** 42;

interface Handle {
  transaction(body: () => void): Promise<unknown>;
}

/** One resource, as both kinds of guards show it. */
interface Resource {
  readonly guard: Guard<Handle>;
  readonly rows: () => Promise<readonly ElectionRow[]>;
  /** GUARD and options of the command. */
  readonly args: readonly string[];
}

class Leader {
  readonly tokens: number[] = [];
  readonly lost: string[] = [];
  readonly failures: string[] = [];
  written = 0;

  /** Stands for ever, and writes as long as it leads. */
  constructor(store: string, { guard }: Resource) {
    const election = createElection({
      name: "invoices",
      store: fileStore(store, { maxTtlMs: ttlMs }),
      ttlMs,
    });
    onTestFinished(async () => election.stop({ drainMs: 0 }));
    election.on("lost", ({ reason }) => this.lost.push(reason));
    election.on("workFailed", ({ cause }) => {
      this.failures.push(TenureError.is(cause) ? cause.code : String(cause));
    });
    void election.run(
      fences({ ledger: guard }, async ({ ledger }, leadership) => {
        this.tokens.push(leadership.token);
        while (leadership.isCurrent) {
          await ledger.transaction(() => {});
          this.written += 1;
          await new Promise<void>((resolve) => void realClock.setTimer(20, resolve));
        }
      }),
    );
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  await vi.waitUntil(isTrue, { timeout: 30_000, interval: 10 });
}

async function outpacedAndBack(place: Place, resource: Resource): Promise<void> {
  // The store was wiped, or an operator put one back: the resource has seen more than its clock gives.
  await resource.guard.claim(fence({ token: ahead }));
  const leader = new Leader(join(place.directory, "wiped"), resource);
  await until(() => leader.written > 0);
  expect(leader.lost).toEqual(["outpaced"]);
  expect(leader.tokens).toEqual([ahead + 1]);
  expect((await resource.rows())[0]?.row).toMatchObject({ watermark: ahead + 1, lineage: "default/lease" });
}

async function adoptedFromAnother(place: Place, resource: Resource): Promise<void> {
  const raft = fence({ lineage: "default/raft", token: 5, owner: "raft" });
  const old = await resource.guard.claim(raft);
  await old.transaction(() => {});
  const leader = new Leader(join(place.directory, "store"), resource);
  await until(() => leader.failures.length >= 2);
  expect(new Set(leader.failures)).toEqual(new Set(["FOREIGN_LINEAGE"]));
  expect(leader.tokens).toEqual([]);
  expect(leader.lost).not.toContain("outpaced");
  const [guard = "", ...options] = resource.args;
  const adopt = await place.start([
    ...["fence", "adopt", guard, ...options, "--resource", "ledger", "--election", "invoices"],
    ...["--lineage", "default/lease", "--from", "default/raft@5", "--reason", "back to leases", "--yes"],
  ]).ended;
  expect(adopt.code, adopt.stderr).toBe(0);
  await until(() => leader.written > 0);
  const again = async () => resource.guard.claim({ ...raft, token: 2 ** 50 });
  for (const late of [async () => old.transaction(() => {}), again]) {
    await expect(late()).rejects.toMatchObject({ code: "FOREIGN_LINEAGE" });
  }
  const { written } = leader;
  await until(() => leader.written > written);
  const { stdout } = await place.start(["fence", "status", guard, ...options]).ended;
  expect(stdout).toMatch(
    /adopt of invoices .* default\/raft@5 to default\/lease@5, by \S+@\S+: back to leases/,
  );
}

function fileResource(place: Place): Resource {
  const directory = join(place.directory, "data");
  const guard = fileGuard(directory, { resource: "ledger", initial: 0 });
  return { guard, rows: async () => (await guard.inspect()).rows, args: [`file:${directory}`] };
}

it("file: when its token is below the watermark, a leader is outpaced once, comes back above it, and writes", async () => {
  const place = createPlace();
  await outpacedAndBack(place, fileResource(place));
});

it("file: when another lineage fences, a leader is refused until an operator adopts, and the old one from then on", async () => {
  const place = createPlace();
  await adoptedFromAnother(place, fileResource(place));
});

describeWithServer("postgres", "on PostgreSQL", () => {
  const { inScene } = postgresScope();

  it.each([
    [
      "when its token is below the watermark, a leader is outpaced once, comes back above it, and writes",
      outpacedAndBack,
    ],
    [
      "when another lineage fences, a leader is refused until an operator adopts, and the old one from then on",
      adoptedFromAnother,
    ],
  ] as const)("%s", async (_, play) => {
    await inScene(async (scene) => {
      const guard = scene.guard(scene.pool());
      const names = Object.entries(scene.tables).map((pair) => pair.join("="));
      const args = [scene.url, "--tables", names.join()];
      await play(createPlace(), { guard, rows: async () => guard.inspect(), args });
    });
  });
});
