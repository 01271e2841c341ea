/** The coordinator of examples/cron with node-cron itself. */

import { expect, it } from "vitest";
import cron, { type TaskContext } from "node-cron";
import { createElection } from "tenure";
import { memoryGuard } from "tenure/fence/memory";
import { memoryStore } from "tenure/memory";
import { runCoordinator } from "../../../examples/cron/coordinator.mjs";

const nodes = ["a", "b", "c"] as const;

it("when three replicas schedule a task of one name, each slot runs on one of them and the others hear why not", async () => {
  const store = memoryStore();
  const guard = memoryGuard({ resource: "ticks", initial: { ticks: null as string | null } });
  const record = {
    read: (tx: { value: { ticks: string | null } }) => tx.value.ticks,
    write: (tx: { value: { ticks: string | null } }, _schedule: string, text: string) =>
      void (tx.value.ticks = text),
  };
  const elections = nodes.map((node) => createElection({ name: "cron", node, store }));
  const heard = new Map<string, string[]>();
  const keys = new Set<string>();
  let enough = () => {};
  const settled = new Promise<void>((resolve) => (enough = resolve));
  const hear = (what: string) => (context: TaskContext) => {
    const slot = context.date.toISOString();
    heard.set(slot, [...(heard.get(slot) ?? []), what]);
    if ([...heard.values()].filter(({ length }) => length === nodes.length).length >= 3) enough();
  };
  const tasks = elections.map((election) => {
    const coordinator = runCoordinator(election, guard, record);
    const task = cron.schedule("* * * * * *", () => {}, {
      name: "report",
      distributed: true,
      runCoordinator: {
        async shouldRun(key, ttlMs) {
          keys.add(key);
          return coordinator.shouldRun(key, ttlMs);
        },
      },
    });
    task.on("execution:finished", hear("ran"));
    task.on("execution:skipped", hear("skipped"));
    return task;
  });
  try {
    await settled;
    const whole = [...heard].filter(([, all]) => all.length === nodes.length);
    expect(whole.length).toBeGreaterThanOrEqual(3);
    for (const [slot, all] of whole) {
      expect(all.toSorted(), slot).toEqual(["ran", "skipped", "skipped"]);
      expect(slot).toMatch(/\.000Z$/);
      expect([...keys]).toContain(`report:${slot}`);
    }
    // A replica whose clock is late asks for the same slot when the others are done with it.
    const [late] = elections;
    if (late === undefined) return;
    for (const task of tasks) await task.stop();
    const asked = runCoordinator(late, guard, record).shouldRun(`report:${whole[0]?.[0]}`, 1_000);
    expect(await asked).toBe(false);
  } finally {
    for (const task of tasks) await task.destroy();
    await Promise.all(elections.map(async (election) => election.stop()));
  }
});
