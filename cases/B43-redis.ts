import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { beside, markerKey, seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

const names = [
  ...["Router-A", "a:b", "a/b", "名前", 'he said "hi"', "{tag}", "..", "a b", "router-a", "a b ", "A b"],
  ...["trailing.", "a\r\nb", "*", "n".repeat(300), `${"n".repeat(299)}m`],
];

export const caseB43OnRedis = defineCase({
  id: "B43-redis",
  fault: "the name of an election is odd for the server: a pattern, a hash tag, a line break, very long",
  mustHold: "each name has a key of its own in the namespace's slot, and elects a leader of its own",
  injected: "sixteen odd names in one namespace and in a namespace that is odd itself",
  mutants: ["names-case-ignored", "names-cut", "redis-names-in-one-key"],
  faultCount: 32,
  alone: true,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    const store = beside(stage, scene);
    const odd = "{a}:*/b";
    const leaders = [undefined, odd].flatMap((namespace) =>
      names.map((name) =>
        seatOn(scene, `${namespace} ${name}`.slice(0, 100), store, {
          name,
          ...(namespace === undefined ? {} : { namespace }),
        }),
      ),
    );
    await Promise.all(leaders.map(async (leader) => scene.lead(leader)));
    for (const leader of leaders) {
      await scene.nextRenewal(leader);
      stage.fault();
    }
    expect(leaders.filter(({ events }) => events.some(({ event }) => event === "lost"))).toEqual([]);
    const keys = (await scene.server.command("KEYS", "*")) as readonly string[];
    expect(keys).toHaveLength(2 * names.length + 2);
    expect(keys.filter((key) => key.startsWith(`${markerKey}:`))).toHaveLength(names.length);
    // What is between the first braces decides about the slot.
    expect(new Set(keys.map((key) => /\{([^}]*)\}/.exec(key)?.[1])).size).toBe(2);
  },
});
