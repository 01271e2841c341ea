// The show: an application that writes on, three relays of which one leads, two consumers, and leaders ended by force.
// Reads arguments and signals, starts the servers that it is not given, prints the verdict, and sets the exit code.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { connect } from "amqplib";
import pg from "pg";
import { queue } from "./broker.mjs";
import { play } from "./show.mjs";

const help = `Usage: node examples/outbox/main.mjs [options]

An application writes purchases and messages about them; of three relays one leads and puts the messages into a queue of
RabbitMQ; consumers make parcels of them. Leaders are killed (SIGKILL) and stopped (SIGSTOP, until a successor is at work)
in turn. In the end the databases say whether each message has led to one parcel, in order.

Options:
  --failovers N     how many leaders are ended by force, 1 to 500; default 20
  --postgres URL    a database without schemas shop and shipping, which are dropped in the end
  --amqp URL        a broker without a queue "${queue}", which is deleted in the end
                    Default for both: servers of this checkout's tests, as \`npm run servers\` finds or fetches them.
  --json            print the verdict as one JSON object; progress goes to stderr
  --help            print this

Exit code: 0 the promise held, 1 it was broken, 64 usage, 130 interrupted.
`;

/** Short, so that a successor is soon at work, and long enough for a machine that has other things to do. */
const ttlMs = 3_000;

const asked = parse(process.argv.slice(2));
if (asked.kind === "help") process.stdout.write(help);
else if (asked.kind === "usage") {
  process.stderr.write(`${asked.message}\n\n${help}`);
  process.exitCode = 64;
} else process.exitCode = await main(asked);

/**
 * @typedef {{ readonly kind: "run", readonly failovers: number, readonly json: boolean,
 *   readonly postgres: string | undefined, readonly amqp: string | undefined }} Asked
 *
 * @param {string[]} args
 * @returns {Asked | { readonly kind: "help" } | { readonly kind: "usage", readonly message: string }}
 */
function parse(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        failovers: { type: "string", default: "20" },
        postgres: { type: "string" },
        amqp: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const failovers = Number(values.failovers);
    if (!Number.isInteger(failovers) || failovers < 1 || failovers > 500) {
      return {
        kind: "usage",
        message: `--failovers must be a whole number from 1 to 500, got ${values.failovers}`,
      };
    }
    const { postgres, amqp, json } = values;
    return { kind: "run", failovers, json, postgres, amqp };
  } catch (error) {
    return { kind: "usage", message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @param {Asked} run
 * @returns {Promise<number>}
 */
async function main({ failovers, json, ...given }) {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => interrupt.abort(new Error(`interrupted by ${signal}`)));
  }
  const folder = await mkdtemp(join(tmpdir(), "tenure-outbox-"));
  const places = await open(given);
  try {
    const settings = { postgres: places.postgres, amqp: places.amqp, folder, ttlMs };
    const verdict = await play(settings, failovers, interrupt.signal, (line) => console.error(line));
    process.stdout.write(json ? `${JSON.stringify(verdict)}\n` : words(verdict));
    return verdict.held ? 0 : 1;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    console.error(error instanceof Error ? error.message : error);
    return 130;
  } finally {
    await places.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What is given, and servers in the place of what is not.
 *
 * @param {Pick<Asked, "postgres" | "amqp">} given
 */
async function open({ postgres, amqp }) {
  const servers = postgres === undefined || amqp === undefined ? await load() : undefined;
  const database = postgres === undefined ? await servers?.startPostgres() : undefined;
  const broker = amqp === undefined ? await servers?.startRabbitmq() : undefined;
  return {
    postgres: database?.url ?? postgres ?? "",
    amqp: broker?.url ?? amqp ?? "",
    async close() {
      if (postgres !== undefined) await dropSchemas(postgres);
      if (amqp !== undefined) await deleteQueue(amqp);
      await database?.stop();
      await broker?.stop();
    },
  };
}

async function load() {
  try {
    const { loadServers } = await import("../../test/servers/load.mjs");
    return await loadServers();
  } catch (cause) {
    throw new Error("without a checkout of the tests there are no servers: give --postgres and --amqp", {
      cause,
    });
  }
}

/** @param {string} url */
async function dropSchemas(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("DROP SCHEMA IF EXISTS shop CASCADE; DROP SCHEMA IF EXISTS shipping CASCADE");
  await client.end();
}

/** @param {string} url */
async function deleteQueue(url) {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.deleteQueue(queue);
  await connection.close();
}

/** @param {Awaited<ReturnType<typeof play>>} verdict */
function words({ failovers, seconds, published, refused, held, ...counts }) {
  const { killed, stopped, consumersKilled } = failovers;
  const kept = Object.entries(refused).map(([reason, count]) => `${count} ${reason}`);
  return `
Leaders killed ${killed}, stopped ${stopped}; consumers killed ${consumersKilled}; ${seconds} s
Messages written        ${counts.messages}
  put into the queue    ${published} times
  refused               ${kept.length === 0 ? "none" : kept.join(", ")}
Parcels                 ${counts.parcels}
  messages not sent     ${counts.unsent}
  without a parcel      ${counts.lost}
  with more than one    ${counts.doubled}
  of no message         ${counts.invented}
  out of order          ${counts.disordered}
${held ? "HELD: each message has led to one parcel, in the order of its customer." : "BROKEN"}
`;
}
