/** The torture of what is on a server, as a process, in short: what it shows in each form, and that it leaves nothing. */

import { describe, expect, test } from "vitest";
import { describeWithServer } from "../servers/with-server.js";
import type { Verdict } from "../../torture/judge.mjs";
import { limitMs, startTorture } from "./start.js";

interface Ran {
  readonly verdict: Verdict;
  readonly code: number | null;
}

async function run(...args: readonly string[]): Promise<Ran> {
  return runWith(...args, "--seconds", "14");
}

/** A short ttl: each fault takes less time, and there is one more of them. */
async function runInShort(...args: readonly string[]): Promise<Ran> {
  return runWith(...args, "--seconds", "11", "--ttl", "1500ms");
}

async function runWith(...args: readonly string[]): Promise<Ran> {
  const torture = startTorture(...args, "--clients", "4", "--json");
  const { code, stdout, stderr } = await torture.ended;
  expect(stdout, stderr).toContain("tenure.torture/1");
  await torture.nothingLeft();
  return { verdict: JSON.parse(stdout) as Verdict, code };
}

/** What the table says of it, as a number. */
function count(verdict: Verdict, what: string): number {
  const row = verdict.rows.find(([name]) => name === what);
  return Number.parseInt(row?.[1] ?? "", 10);
}

/** A stream has no transaction to stand still in, and a write to Redis is one message. */
const insideOf: Readonly<Record<string, readonly string[]>> = {
  postgres: ["stops inside a transaction"],
  mysql: ["stops inside a transaction"],
  sqlite: ["stops inside a transaction"],
  http: ["stops of a service inside a transaction", "kills of a service inside a transaction"],
  rabbitmq: ["stops of a consumer inside a transaction", "kills of a consumer inside a transaction"],
};

function expectNothingLost(name: string, { verdict, code }: Ran): void {
  expect(verdict).toMatchObject({ verdict: "OK", losses: [], reasons: [] });
  expect(code).toBe(0);
  const { landed, needed, overtaken, refused, accepted } = verdict.pauses;
  expect(landed).toBeGreaterThanOrEqual(needed);
  expect({ overtaken, accepted }).toEqual({ overtaken: landed, accepted: 0 });
  // On a slow machine a server's timeouts may come first.
  expect(refused).toBeGreaterThan(0);
  for (const what of insideOf[name] ?? []) expect(count(verdict, what)).toBeGreaterThan(0);
  expect(count(verdict, "doubles")).toBeGreaterThan(0);
  // SQLite has no connection to be cut.
  expect(name === "sqlite" || count(verdict, "cuts at a commit") > 0).toBe(true);
}

function expectLosses({ verdict, code }: Ran): void {
  expect(verdict.verdict).toBe("FAIL");
  expect(code).toBe(1);
  expect(verdict.pauses.accepted).toBeGreaterThan(0);
  expect(count(verdict, "acknowledged and lost")).toBe(verdict.losses.length);
  expect(verdict.losses[0]).toMatch(/^c\d\.\d+-\d+ of c\d, token \d+: overwritten by c\d\.\d+-\d+ /);
  expect(verdict.reasons.join("\n")).toMatch(/^c\d\.\d+-\d+ was appended again$/m);
}

// Two at once: they sleep most of the time.
describe("the torture of databases", () => {
  describeWithServer("postgres", "of PostgreSQL", () => {
    test(
      "when it is fenced, late writes and doubles are refused and nothing is lost; when it is not, it says what was",
      async () => {
        const [fenced, unfenced] = await Promise.all([run("postgres"), run("postgres", "--unfenced")]);
        expectNothingLost("postgres", fenced);
        expectLosses(unfenced);
      },
      limitMs,
    );
  });

  describeWithServer("redis", "of Redis", () => {
    test(
      "when it is fenced, late writes and doubles are refused and nothing is lost; when it is not, it says what was",
      async () => {
        const [fenced, unfenced] = await Promise.all([run("redis"), run("redis", "--unfenced")]);
        expectNothingLost("redis", fenced);
        expectLosses(unfenced);
      },
      limitMs,
    );
  });

  describeWithServer(["mariadb", "node22"], "of MariaDB and SQLite", () => {
    test(
      "when it is fenced, late writes and doubles are refused and nothing is lost",
      async () => {
        const [mysql, sqlite] = await Promise.all([run("mysql"), run("sqlite")]);
        expectNothingLost("mysql", mysql);
        expectNothingLost("sqlite", sqlite);
      },
      limitMs,
    );
  });

  describeWithServer("nats", "of a stream of NATS", () => {
    test(
      "when it is fenced, late messages and doubles are refused and nothing is lost; when it is not, it says what was",
      async () => {
        const [fenced, unfenced] = await Promise.all([run("nats"), run("nats", "--unfenced")]);
        expectNothingLost("nats", fenced);
        expectLosses(unfenced);
      },
      limitMs,
    );
  });

  describeWithServer("postgres", "behind HTTP", () => {
    test(
      "when it is fenced, late requests and doubles are refused and nothing is lost; when it is not, it says what was",
      async () => {
        const [fenced, unfenced] = await Promise.all([runInShort("http"), runInShort("http", "--unfenced")]);
        expectNothingLost("http", fenced);
        expectLosses(unfenced);
      },
      limitMs,
    );
  });

  describeWithServer(["postgres", "rabbitmq"], "behind a queue of RabbitMQ", () => {
    test(
      "when it is fenced, late messages and doubles are refused and nothing is lost; when it is not, it says what was",
      async () => {
        const [fenced, unfenced] = await Promise.all([
          runInShort("rabbitmq"),
          runInShort("rabbitmq", "--unfenced"),
        ]);
        expectNothingLost("rabbitmq", fenced);
        expectLosses(unfenced);
      },
      limitMs,
    );
  });
});
