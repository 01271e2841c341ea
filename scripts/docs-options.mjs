// docs/options.md: type, meaning and default of each option from the doc comments of the sources; its range from what
// the built package answers to a wrong value, so that the page says what is checked and not what was meant.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { never, noBroker, noDatabase, noPool, noRabbit, noServer } from "./docs-clients.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Nothing that the option takes: no whole number, string, object or function; where any JSON will do, no JSON.
 *
 * @param {string} option
 */
const wrongFor = (option) => (option === "initial" ? 1n : 1.5);

/**
 * @typedef {Pick<typeof import("../src/index.js"), "createElection">
 *   & Pick<typeof import("../src/stores/memory/index.js"), "memoryStore">
 *   & Pick<typeof import("../src/stores/file/index.js"), "fileStore">
 *   & Pick<typeof import("../src/stores/redis/index.js"), "redisStore">
 *   & Pick<typeof import("../src/fence/index.js"), "fences">
 *   & Pick<typeof import("../src/fence/memory/index.js"), "memoryGuard">
 *   & Pick<typeof import("../src/fence/file/index.js"), "fileGuard">
 *   & Pick<typeof import("../src/fence/postgres/index.js"), "postgresGuard">
 *   & Pick<typeof import("../src/fence/mysql/index.js"), "mysqlGuard">
 *   & Pick<typeof import("../src/fence/sqlite/index.js"), "sqliteGuard">
 *   & Pick<typeof import("../src/fence/redis/index.js"), "redisGuard">
 *   & Pick<typeof import("../src/fence/http/index.js"), "httpGuard" | "httpService">
 *   & Pick<typeof import("../src/fence/queue/index.js"), "jetstreamGuard" | "rabbitmqConsumer" | "rabbitmqGuard">
 *   & Pick<typeof import("../src/journal/index.js"), "fileJournal">
 *   & Pick<typeof import("../src/journal/postgres/index.js"), "postgresJournal">} Built
 *
 * @typedef {{ readonly [option: string]: unknown }} Given
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {string} intro
 * @property {readonly (readonly [file: string, name: string])[]} interfaces
 * @property {(given: Given) => unknown} use calls what takes the options
 *
 * @typedef {{ name: string, type: string, required: boolean, comment: string }} Option
 */

const head = `# Options

Generated from the doc comments in \`src/\` and from what the package answers to a wrong value, by
\`npm run docs:generate\`.

All options are checked once, before anything is sent. A value outside its range throws \`INVALID_OPTION\`, a
\`RangeError\` or \`TypeError\` that names option, value and range. The ranges below are quoted from these errors, with
every other option at its default: \`ttlMs\` reaches up to the store's \`maxTtlMs\`, and \`renewMs\` and
\`requestTimeoutMs\` up to \`ttlMs / 1.5\`.
`;

/**
 * @param {Built} built
 * @returns {Promise<string>} the page
 */
export async function optionsPage(built) {
  const sections = sectionsOf(built);
  const texts = await Promise.all(sections.map(async (section) => sectionText(section)));
  return [head, ...texts, await relationsText(built)].join("\n");
}

/**
 * @param {Built} built
 * @returns {readonly Section[]}
 */
function sectionsOf(built) {
  const { createElection, memoryStore, fileStore, redisStore } = built;
  const name = "options";
  /** @param {Given} given */
  const create = (given) => createElection({ name, store: memoryStore(), ...given });
  return [
    {
      title: "`createElection`, whatever decides",
      intro: "The common part.",
      interfaces: [["src/election/options.ts", "CommonOptions"]],
      use: create,
    },
    {
      title: "`createElection` with `store`, and `lease`",
      intro: "The same options go to `createElection({ name, store })` and to `lease({ store })`.",
      interfaces: [
        ["src/lease/lease.ts", "LeaseOptions"],
        ["src/lease/budget.ts", "LeaseTimingOptions"],
      ],
      use: create,
    },
    {
      title: "`run` and `runOnce`",
      intro: "The second argument. `runOnce` takes all of them but `onError`.",
      interfaces: [["src/election/api.ts", "RunOptions"]],
      use: async (given) => create({}).run(async () => {}, { signal: AbortSignal.abort(), ...given }),
    },
    {
      title: "`memoryStore`",
      intro: "From `tenure/memory`.",
      interfaces: [["src/stores/memory/store.ts", "MemoryStoreOptions"]],
      use: (given) => memoryStore(given),
    },
    {
      title: "`fileStore`",
      intro: "From `tenure/file`; the second argument, after the directory.",
      interfaces: [["src/stores/file/store.ts", "FileStoreOptions"]],
      use: (given) => fileStore("unused", given),
    },
    {
      title: "`redisStore`",
      intro: "From `tenure/redis`; the second argument, after the client or URL.",
      interfaces: [["src/stores/redis/options.ts", "RedisStoreOptions"]],
      use: (given) => redisStore("redis://127.0.0.1", given),
    },
    ...guardSections(built),
    ...httpSections(built),
    ...queueSections(built),
    ...journalSections(built),
  ];
}

/**
 * @param {Built} built
 * @returns {readonly Section[]}
 */
function guardSections({
  fences,
  memoryGuard,
  fileGuard,
  postgresGuard,
  mysqlGuard,
  sqliteGuard,
  redisGuard,
}) {
  return [
    {
      title: "`fences`",
      intro: "From `tenure/fence`; the third argument.",
      interfaces: [["src/fence/claims.ts", "FencesOptions"]],
      use: (given) => fences({}, async () => {}, given),
    },
    {
      title: "`memoryGuard` and `fileGuard`",
      intro:
        "From `tenure/fence/memory`, and from `tenure/fence/file` as the second argument after the directory.",
      interfaces: [
        ["src/fence/memory/guard.ts", "MemoryGuardOptions"],
        ["src/fence/cell-options.ts", "ValueGuardOptions"],
      ],
      use: (given) => memoryGuard({ resource: "unused", initial: null, ...given }),
    },
    {
      title: "`fileGuard` alone",
      intro: "Besides those above.",
      interfaces: [["src/fence/file/open.ts", "FileGuardOptions"]],
      use: (given) => fileGuard("unused", { resource: "unused", initial: null, ...given }),
    },
    {
      title: "`postgresGuard`",
      intro: "From `tenure/fence/postgres`; the second argument, after the client.",
      interfaces: [
        ["src/fence/sql/options.ts", "SqlGuardOptions"],
        ["src/fence/postgres/guard.ts", "PostgresGuardOptions"],
      ],
      use: (given) => postgresGuard({ connect: async () => never() }, { resource: "unused", ...given }),
    },
    {
      title: "`mysqlGuard`",
      intro:
        "From `tenure/fence/mysql`; the second argument, after the client. Besides `isolation`, `evictStale` and `concurrency` it has those of `postgresGuard`.",
      interfaces: [["src/fence/mysql/guard.ts", "MysqlGuardOptions"]],
      use: (given) => mysqlGuard(noPool, { resource: "unused", ...given }),
    },
    {
      title: "`sqliteGuard`",
      intro:
        "From `tenure/fence/sqlite`; the second argument, after the database. `resource`, `order`, `rememberOperations`, `claimLockTimeoutMs`, `tables` and `create` are as above.",
      interfaces: [["src/fence/sqlite/guard.ts", "SqliteGuardOptions"]],
      use: (given) => sqliteGuard(noDatabase, { resource: "unused", ...given }),
    },
    {
      title: "`redisGuard`",
      intro: "From `tenure/fence/redis`; the second argument, after the client.",
      interfaces: [["src/fence/redis/options.ts", "RedisGuardOptions"]],
      use: (given) => redisGuard(noServer, { resource: "unused", ...given }),
    },
  ];
}

/**
 * @param {Built} built
 * @returns {readonly Section[]}
 */
function httpSections({ httpGuard, httpService, memoryGuard }) {
  return [
    {
      title: "`httpGuard`",
      intro: "From `tenure/fence/http`; of the leader's side.",
      interfaces: [["src/fence/http/options.ts", "HttpGuardOptions"]],
      use: (given) => httpGuard({ url: "http://127.0.0.1", resource: "unused", ...given }),
    },
    {
      title: "`httpService`",
      intro: "From `tenure/fence/http`; the second argument, after the guard of the service.",
      interfaces: [["src/fence/http/service.ts", "HttpServiceOptions"]],
      use: (given) => httpService(memoryGuard({ resource: "unused", initial: null }), given),
    },
  ];
}

/**
 * @param {Built} built
 * @returns {readonly Section[]}
 */
function queueSections({ jetstreamGuard, rabbitmqGuard, rabbitmqConsumer, memoryGuard }) {
  return [
    {
      title: "`jetstreamGuard`",
      intro: "From `tenure/fence/queue`; the second argument, after connection and headers.",
      interfaces: [["src/fence/queue/jetstream/options.ts", "JetstreamGuardOptions"]],
      use: (given) => jetstreamGuard(noBroker, { stream: "UNUSED", subject: "unused", ...given }),
    },
    {
      title: "`rabbitmqGuard`",
      intro: "From `tenure/fence/queue`; the second argument, after the connection.",
      interfaces: [["src/fence/queue/rabbitmq/options.ts", "RabbitmqGuardOptions"]],
      use: (given) => rabbitmqGuard(noRabbit, { resource: "unused", routingKey: "unused", ...given }),
    },
    {
      title: "`rabbitmqConsumer`",
      intro: "From `tenure/fence/queue`; the third argument, after connection and guard.",
      interfaces: [["src/fence/queue/rabbitmq/consumer-options.ts", "RabbitmqConsumerOptions"]],
      use: async (given) => {
        const guard = memoryGuard({ resource: "unused", initial: null });
        const required = { queue: "unused", onRefused() {} };
        return rabbitmqConsumer(noRabbit, guard, { ...required, ...given }, () => {});
      },
    },
  ];
}

/**
 * @param {Built} built
 * @returns {readonly Section[]}
 */
function journalSections({ fileJournal, postgresJournal }) {
  return [
    {
      title: "`fileJournal`",
      intro: "From `tenure/journal`; the second argument, after the directory.",
      interfaces: [
        ["src/journal/file-journal.ts", "FileJournalOptions"],
        ["src/journal/limits.ts", "JournalLimits"],
      ],
      use: (given) => fileJournal("unused", { resource: "unused", ...given }),
    },
    {
      title: "`postgresJournal` and `sqliteJournal`",
      intro:
        "From `tenure/journal/postgres` and `tenure/journal/sqlite`; the second argument, after client or database. Besides the limits of `fileJournal`; `evictStale` is for PostgreSQL.",
      interfaces: [
        ["src/journal/sql/options.ts", "SqlJournalOptions"],
        ["src/journal/postgres/journal.ts", "PostgresJournalOptions"],
      ],
      use: (given) => postgresJournal({ connect: async () => never() }, { resource: "unused", ...given }),
    },
  ];
}

/** @param {Section} section */
async function sectionText({ title, intro, interfaces, use }) {
  const options = interfaces.flatMap(([file, name]) => optionsOf(file, name));
  const rows = await Promise.all(
    options.map(async (option) => {
      const range = await refusal(async () => use({ [option.name]: wrongFor(option.name) }));
      return rowOf(option, range);
    }),
  );
  return [
    `## ${title}`,
    "",
    intro,
    "",
    "| Option | Type | Range | Default, and why | Meaning |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/**
 * @param {Option} option
 * @param {{ option: string, range: string }} refused
 */
function rowOf({ name, type, required, comment }, refused) {
  const { meaning, byDefault } = splitComment(comment, type);
  const range = refused.option === name ? refused.range : `\`${refused.option}\`: ${refused.range}`;
  const what = meaning === "" ? commentOf(findInterface("src/election/events.ts", type)) : meaning;
  const cells = [`\`${name}\``, `\`${type}\``, range, required ? "required" : (byDefault ?? "none"), what];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/**
 * The sentence that begins with "Default" is the default and its reason; "(default)" in a comment stands for the
 * first alternative of the type.
 *
 * @param {string} comment
 * @param {string} type
 */
function splitComment(comment, type) {
  const sentence = /(?:^|(?<=\. ))Default:? (.+?)\.(?= |$)/.exec(comment);
  if (sentence !== null) {
    return { meaning: comment.replace(sentence[0], "").trim().replace(/ {2}/g, " "), byDefault: sentence[1] };
  }
  const first = comment.includes("(default)") ? type.split(" | ")[0] : undefined;
  return { meaning: comment, byDefault: first === undefined ? undefined : `\`${first}\`` };
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {readonly Option[]}
 */
function optionsOf(file, name) {
  return findInterface(file, name)
    .members.filter(ts.isPropertySignature)
    .map((member) => ({
      name: member.name.getText(),
      type: member.type?.getText() ?? "unknown",
      required: member.questionToken === undefined,
      comment: commentOf(member),
    }));
}

/**
 * @param {string} file
 * @param {string} name
 */
function findInterface(file, name) {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((node) => node.name.text === name);
  if (found === undefined) throw new Error(`${file} has no interface ${name}`);
  return found;
}

/** @param {ts.InterfaceDeclaration | ts.PropertySignature} node */
function commentOf(node) {
  const comments = ts.getJSDocCommentsAndTags(node).map((doc) => ts.getTextOfJSDocComment(doc.comment));
  if (comments.length === 0) throw new Error(`${node.name.getText()} has no doc comment`);
  return comments.join(" ").replace(/\s+/g, " ");
}

/**
 * What the package says to a wrong value.
 *
 * @param {() => unknown} action
 * @returns {Promise<{ option: string, range: string }>}
 */
async function refusal(action) {
  try {
    await action();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const [, option, range] = /^INVALID_OPTION: (.+) must be (.+), got .*$/.exec(message) ?? [];
    if (option !== undefined && range !== undefined) return { option, range };
    throw error;
  }
  throw new Error("a wrong value was accepted");
}

/** @param {Built} built */
async function relationsText({ createElection, memoryStore }) {
  const broken = [
    () => createElection(/** @type {never} */ ({ name: "options" })),
    () =>
      createElection({
        name: "options",
        store: memoryStore(),
        ttlMs: 15_000,
        renewMs: 5_000,
        requestTimeoutMs: 5_000,
      }),
  ];
  const refused = await Promise.all(broken.map(refusal));
  const lines = refused.map(({ option, range }) => `- \`${option}\` must be ${range}.`);
  return ["## Between options", "", "With `ttlMs` at 15 000:", "", ...lines, ""].join("\n");
}
