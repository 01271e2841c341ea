/** The built demo on a real Redis server: the same verdict, and nothing left there. */

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type TestContext, vi } from "vitest";
import { readEvidence } from "../../src/cli/demo/evidence.js";
import { judge, type Verdict } from "../../src/cli/demo/judge.js";
import { type RedisServer, startRedis } from "../servers/redis.js";
import { describeWithServer } from "../servers/with-server.js";
import { startDemo } from "./command.js";

const limitMs = 60_000;

// They sleep most of the time.
vi.setConfig({ maxConcurrency: 2 });

type Context = Pick<TestContext, "onTestFinished">;

async function start({ onTestFinished }: Context, password?: string): Promise<RedisServer> {
  const server = await startRedis(password === undefined ? {} : { password });
  onTestFinished(async () => server.stop());
  return server;
}

const keysOn = async (server: RedisServer) => server.command("KEYS", "*");

describeWithServer("redis", "the built demo on a Redis server", () => {
  test.concurrent(
    "ends OK, leaves no key and shows no password; a record that was told otherwise turns the verdict",
    async (context) => {
      const server = await start(context, "open-sesame");
      await server.command("SET", "of-somebody-else", "stays");
      const demo = startDemo(context, "--rounds", "1", "--json", "--keep", "--store", server.url);
      await demo.says("the first leader waits 2000 ms");
      // What any user of the machine may read.
      expect(demo.leftProcesses().join("\n")).not.toContain("open-sesame");
      const { code, stdout, stderr } = await demo.ended;
      const verdict = JSON.parse(stdout) as Verdict;
      expect(verdict.reasons).toEqual([]);
      expect(verdict).toMatchObject({
        verdict: "OK",
        plan: { site: { kind: "server", url: server.url.replace("open-sesame", "***") } },
        work: { stale: { tried: 6, refused: 6 }, ledger: { intact: true } },
      });
      expect(code).toBe(0);
      expect(verdict.records?.judged).toBeGreaterThan(12);
      expect(stdout + stderr).not.toContain("open-sesame");
      expect(await keysOn(server)).toEqual(["of-somebody-else"]);
      await vi.waitFor(() => expect(demo.leftProcesses()).toEqual([]), { timeout: 10_000 });

      const root = /kept: (.+)$/m.exec(stderr)?.[1] ?? "";
      const evidence = await readEvidence(root);
      expect(judge(evidence)).toEqual(verdict);
      const first = evidence.kept[0]?.body;
      const never = { kind: "answered", nonce: "never", answer: "written" };
      const refused = { ...never, nonce: typeof first === "object" ? first.nonce : "", answer: "conflict" };
      for (const line of [never, refused]) {
        appendFileSync(join(root, "records", "alpha-1.jsonl"), `${JSON.stringify(line)}\n`);
      }
      const forged = judge(await readEvidence(root));
      expect(forged.verdict).toBe("FAIL");
      expect(forged.reasons.join("\n")).toMatch(/store: write never was acknowledged and is in no record/);
      expect(forged.reasons.join("\n")).toMatch(
        /store: write .* was answered with conflict and counts all the same/,
      );
    },
    limitMs,
  );

  test.concurrent(
    "killed while a candidate is stopped, its candidates end by themselves and clear up, on the server too",
    async (context) => {
      const server = await start(context);
      const demo = startDemo(context, "--rounds", "1", "--store", server.url);
      await demo.says("SIGSTOP of");
      expect(await keysOn(server)).toHaveLength(2);
      demo.process.kill("SIGKILL");
      await demo.ended;
      await vi.waitFor(() => expect(demo.leftProcesses()).toEqual([]), { timeout: 10_000 });
      expect(demo.leftFiles()).toEqual([]);
      expect(await keysOn(server)).toEqual([]);
    },
    limitMs,
  );

  test.concurrent("122 in one line when the server is not there, at once", async (context) => {
    const server = await start(context);
    await server.kill();
    const { code, stdout, stderr } = await startDemo(context, "--store", server.url).ended;
    expect({ code, stdout }).toEqual({ code: 122, stdout: "" });
    expect(stderr).toMatch(
      /^STORE_UNREACHABLE: redis:\/\/127\.0\.0\.1:\d+: no connection .*ECONNREFUSED.*\n$/,
    );
  });

  test.concurrent(
    "with --unsafe it ends with FAIL: frozen and blocked leaders go on beside their successors",
    async (context) => {
      const server = await start(context);
      const { code, stdout } = await startDemo(context, "--unsafe", "--rounds", "1", "--store", server.url)
        .ended;
      expect(code).toBe(1);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe("FAIL");
      expect(stdout.match(/^(SIGSTOP|blocked event loop).* 0 of 1 +NO$/gm)).toHaveLength(2);
      expect(stdout.match(/TWO LED AT ONCE/g)?.length).toBeGreaterThanOrEqual(2);
      expect(stdout).toMatch(/LOST UPDATE/);
      expect(await keysOn(server)).toEqual([]);
    },
    limitMs,
  );
});
