import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF40OnRedis = defineCase({
  id: "F40-redis",
  fault: "the server comes back with the data of an older term, and an observer reads it",
  mustHold: "it never names an older leader than one it has named before",
  injected:
    "a snapshot of the first term; the second leads; the server is killed and starts with the snapshot",
  mutants: ["02-older-leader"],
  async run(stage) {
    const scene = await redisScene(stage, { recordsJudged: false });
    const [first, second] = [await scene.candidate("first"), await scene.candidate("second")];
    const leadership = await scene.lead(first);
    const watching = await scene.candidate("observer");
    const observer = watching.election.observe();
    const names = async (node: string) =>
      scene.until(`${node} is named`, () =>
        observer.current.kind === "held" && observer.current.node === node ? observer.current : undefined,
      );
    await names("first");
    const old = await scene.server.snapshot();
    await leadership.resign();
    await scene.lead(second);
    const { token } = await names("second");
    await scene.restart({ data: old });
    stage.fault();
    const restartedAt = nowMs();
    let looks = 0;
    while (nowMs() - restartedAt < scene.ttlMs * 2) {
      const { current } = observer;
      if (current.kind === "held") expect(current.token).toBeGreaterThanOrEqual(token ?? 0);
      expect(current).not.toMatchObject({ node: "first" });
      looks += 1;
      await pause(5);
    }
    expect(looks).toBeGreaterThan(50);
    expect(observer.current.kind).toBe("unknown");
    expect(await scene.server.command("GET", "tenure:{default}:job")).toContain('"node":"first"');
  },
});
