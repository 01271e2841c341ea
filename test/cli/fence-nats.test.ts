/** `tenure fence` on a stream of NATS JetStream: its subjects are the resources. */

import { cpSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { root } from "../architecture/files.js";
import { type JetstreamGuard, jetstreamGuard } from "../../src/fence/queue/index.js";
import { type Connected, connected } from "../fence/queue/scene.js";
import { fence } from "../fence/scene.js";
import { type NatsServer, startNats } from "../servers/nats.js";
import { describeWithServer } from "../servers/with-server.js";
import { startProgram } from "../support/program.js";
import { object, reason, row, run } from "./fencing.js";
import { createPlace } from "./tenure.js";

vi.setConfig({ testTimeout: 120_000 });

let server: NatsServer;
let client: Connected;
let streams = 0;

/** A stream of its own, with a guarded subject, and where the command finds it. */
async function streamWith(
  config: object = {},
): Promise<{ stream: string; url: string; subject: string; guard: JetstreamGuard }> {
  const stream = `INVOICES${(streams += 1)}`;
  await server.addStream(stream, [`${stream}.>`, `plain.${stream}`], config);
  const subject = `${stream}.sent`;
  const guard = jetstreamGuard(client, { stream, subject });
  return { stream, url: `${server.url}/${stream}`, subject, guard };
}

describeWithServer("nats", "fence on a stream", () => {
  beforeAll(async () => {
    server = await startNats();
    client = await connected(server.url);
  });
  afterAll(async () => {
    await client.connection.close();
    await server.stop();
  });

  it("status shows each guarded subject, and those whose last message came past a guard", async () => {
    const place = createPlace();
    const { stream, url, subject, guard } = await streamWith();
    expect((await run(place, 0, "status", url)).out).toContain("(subjects): nothing was claimed yet");
    await (await guard.claim(fence())).publish("one");
    await server.publish(`plain.${stream}`, "unfenced");
    const sent = { name: subject, version: null, problem: null, rows: [{ ...row, watermark: 7, seq: 1 }] };
    const plain = { name: `plain.${stream}`, version: null, problem: "unfenced", rows: [] };
    const status = await object(place, 0, "status", url);
    expect(status).toMatchObject({ guard: { url, holds: "subjects" }, resources: [sent, plain], acts: [] });
    expect((await object(place, 0, "status", url, "--resource", subject))["resources"]).toEqual([sent]);
    expect((await run(place, 0, "status", url)).out).toContain("last message shows nothing of a guard");
    const elsewhere = await run(place, 122, "status", url, "--resource", "elsewhere");
    expect(elsewhere.err).toContain('does not take the subject "elsewhere"');
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => server.publish(`${stream}.n.${index}`, "")),
    );
    const many = await run(place, 122, "status", url);
    expect(many.err).toContain("has 1002 subjects, more than 1000: name one of them");
  });

  it("verify goes to a stream of its own, made like the one that is named, and removes it", async () => {
    const place = createPlace();
    const { stream, url, subject, guard } = await streamWith({ max_msgs_per_subject: 100 });
    await (await guard.claim(fence())).publish("mine");
    const before = await server.messages(stream, subject);
    const names = await server.streamNames();
    const found = await object(place, 0, "verify", url);
    expect(found).toMatchObject({ sound: true, guard: { url, holds: "subjects", kind: "jetstream" } });
    const outcomes = (found["probes"] as { outcome: string }[]).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 11 }, () => "passed"));
    expect(await server.streamNames()).toEqual(names);
    expect(await server.messages(stream, subject)).toEqual(before);
  });

  it("verify of a subject that is named stays there, twice even; not on one that a leader has claimed", async () => {
    const place = createPlace();
    const { stream, url, subject, guard } = await streamWith();
    const probes = `${stream}.probes`;
    for (let count = 0; count < 2; count += 1) {
      const found = await object(place, 0, "verify", `${url}?subject=${probes}`);
      expect(found).toMatchObject({ sound: true, guard: { url: `${url}?subject=${probes}` } });
    }
    expect((await server.messages(stream, probes)).length).toBeGreaterThan(20);
    expect((await jetstreamGuard(client, { stream, subject: probes }).inspect()).rows).toEqual([]);
    await guard.claim(fence());
    const before = await server.messages(stream, subject);
    const taken = await run(place, 64, "verify", `${url}?subject=${subject}`);
    expect(taken.err).toContain("subject must be one that no leader has claimed");
    expect(await server.messages(stream, subject)).toEqual(before);
    const elsewhere = await run(place, 122, "verify", `${url}?subject=elsewhere`);
    expect(elsewhere.err).toContain(`does not take the subject "elsewhere": it has ${stream}.>, plain.`);
  });

  it("verify refuses a stream that keeps nothing, and makes none", async () => {
    const place = createPlace();
    const { stream, url } = await streamWith({ retention: "workqueue" });
    const names = await server.streamNames();
    const unsuitable = await run(place, 122, "verify", url);
    expect(unsuitable.err).toContain(`GUARD_UNSUITABLE: stream "${stream}"`);
    expect(await server.streamNames()).toEqual(names);
  });

  it("adopt and reset change the row, and leave records in the stream", async () => {
    const place = createPlace();
    const { url, subject, guard } = await streamWith();
    await guard.claim(fence());
    const options = [url, "--resource", subject, "--election", "invoices", ...reason, "--yes"];
    const adopt = ["adopt", ...options, "--lineage", "default/raft", "--from"];
    const late = await run(place, 123, ...adopt, "default/lease@8");
    expect(late.err).toContain("there stands default/lease@7, of a");
    await object(place, 0, ...adopt, "default/lease@7");
    expect((await run(place, 0, "status", url)).out).toContain("watermark 7 of operator-");
    await object(place, 0, "reset", ...options, "--forget", "--from", "default/raft@7");
    expect(await object(place, 0, "status", url)).toMatchObject({
      resources: [],
      acts: [
        { kind: "reset", resource: subject, by: "kim", after: null },
        { kind: "adopt", resource: subject, before: { lineage: "default/lease", watermark: 7 } },
      ],
    });
  });

  it("says what is not there: a stream, a server, one that answers", async () => {
    const place = createPlace();
    const { url } = await streamWith();
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const begun = performance.now();
    const unanswered = run(place, 122, "status", `nats://127.0.0.1:${port}/INVOICES`);
    const none = await run(place, 122, "status", `${server.url}/NOWHERE`);
    expect(none.err).toContain("stream not found");
    expect((await run(place, 122, "verify", `${server.url}/NOWHERE`)).err).toContain("stream not found");
    const refused = await run(place, 122, "verify", "nats://u:secret@127.0.0.1:1/INVOICES");
    expect(refused.err).toMatch(/GUARD_FAILED: the server cannot be reached: .*connection refused/);
    for (const [text, said] of [
      ["nats://:secret@127.0.0.1", "its path is the name of a stream"],
      ["nats://u:s%ecret@127.0.0.1/S", "percent-encoded"],
      ["nats://:secret@127.0.0.1/S?prefix=x", "the one parameter is ?subject=TEXT"],
      [`${url}?subject=a.*`, "subject must be a subject without wildcards"],
    ] as const) {
      const { err } = await run(place, 64, "verify", text);
      expect(err).toContain(said);
      expect(err + refused.err).not.toContain("ecret");
    }
    expect((await unanswered).err).toContain("GUARD_FAILED: the server cannot be reached");
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it("says what to install where no client is", async () => {
    const place = createPlace();
    cpSync(join(root, "dist"), join(place.directory, "dist"), { recursive: true });
    writeFileSync(join(place.directory, "package.json"), '{ "type": "module" }');
    const { url } = await streamWith();
    const args = ["dist/cli/main.js", "fence", "status", url];
    const missing = await startProgram(args, { cwd: place.directory }).ended;
    expect(missing).toMatchObject({ code: 122, stdout: "" });
    expect(missing.stderr).toContain("npm install @nats-io/transport-node");
  });
});

/** The rights that the pages name for who leads, on this subject; and all rights for the harness. */
const users = (subject: string): string => `
accounts { app { jetstream: enabled, users: [
  { user: control, password: control },
  { user: leader, password: "pass:word", permissions: {
    publish: ["${subject}", "$JS.API.STREAM.INFO.INVOICES", "$JS.API.STREAM.MSG.GET.INVOICES"],
    subscribe: ["_INBOX.>"] } } ] } }
no_auth_user: control
`;

describeWithServer("nats", "fence on a stream with users", () => {
  const subject = "invoices.probes";
  let guarded: NatsServer;
  beforeAll(async () => {
    guarded = await startNats({ config: users(subject) });
    await guarded.addStream("INVOICES", ["invoices.>"]);
  });
  afterAll(async () => guarded.stop());

  it("verifies a subject with the rights of who leads, of the URL or where the tools of NATS look, and shows no secret", async () => {
    const place = createPlace();
    const url = `${guarded.url}/INVOICES?subject=${subject}`;
    const withUser = url.replace("nats://", "nats://leader:pass%3Aword@");
    const found = await object(place, 0, "verify", withUser);
    expect(found).toMatchObject({ sound: true, guard: { url: url.replace("//", "//leader:***@") } });
    const env = { NATS_USER: "leader", NATS_PASSWORD: "pass:word" };
    const byEnvironment = await place.start(["fence", "verify", url], env).ended;
    expect(byEnvironment, byEnvironment.stderr).toMatchObject({ code: 0 });
    const wrong = await place.start(["fence", "verify", url], { ...env, NATS_PASSWORD: "no" }).ended;
    expect(wrong).toMatchObject({ code: 122 });
    expect(wrong.stderr).toMatch(/GUARD_FAILED: the server cannot be reached: .*[Aa]uthorization/);
    // A stream of its own takes more than that.
    const own = await run(place, 122, "verify", withUser.replace(/\?.*/, ""));
    expect(own.err).toMatch(/GUARD_FAILED: "tenure-fence-verify-.*[Pp]ermission/);
    expect([found, own, wrong].map((one) => JSON.stringify(one)).join("")).not.toContain("word");
    expect(await guarded.streamNames()).toEqual(["INVOICES"]);
    const none = await place.start(["fence", "status", url], { NATS_CREDS: "nowhere" }).ended;
    expect(none).toMatchObject({ code: 122 });
    expect(none.stderr).toContain("the credentials nowhere cannot be read");
  });
});
