/**
 * The JetStream guard, against a bare publish with its acknowledgement over the same connection, on a server of its own: in
 * a stream with that one subject, where a message is one round trip, and in one with others, where a question comes first.
 */

import { connect, headers } from "@nats-io/transport-node";
import { jetstreamGuard } from "tenure/fence/queue";
import { loadServers } from "../../test/servers/load.mjs";
import { cpuOfTree } from "./cpu.mjs";
import { measureGuard, together } from "./measure.mjs";
import { openTerms } from "./terms.mjs";

const payload = "x".repeat(100);
const timeoutMs = 5_000;

/** @type {import("../run.mjs").Measure} */
export async function measureNatsGuard({ plan, session, say }) {
  const server = await (await loadServers()).startNats();
  const measured = [];
  try {
    const connection = await connect({ servers: server.url });
    for (const [stream, beside] of /** @type {const} */ ([
      ["ALONE", []],
      ["SHARED", ["SHARED.others"]],
    ])) {
      const [subject, bareSubject] = [`${stream}.guarded`, `${stream}.bare`];
      await server.addStream(stream, [subject, ...beside]);
      await server.addStream(`${stream}-BARE`, [bareSubject]);
      const name = `jetstream, ${stream === "ALONE" ? "one subject" : "of several subjects"}`;
      say(name);
      const { handle, claim } = await openTerms(jetstreamGuard({ connection, headers }, { stream, subject }));
      const contest = {
        ...{ name, claim, many: true, targetPercent: 10 },
        serverCpuUs: () => cpuOfTree(server.pid),
        bare: async () => connection.request(bareSubject, payload, { timeout: timeoutMs }),
        guarded: async () => handle().publish(payload),
      };
      measured.push(await measureGuard(contest, plan.guards, session.pause));
    }
    await connection.close();
    return together(measured);
  } finally {
    await server.stop();
  }
}
