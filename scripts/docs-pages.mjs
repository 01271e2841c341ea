// The generated pages of docs/, by file name, as the built package makes them.
import { errorsPage } from "./docs-errors.mjs";
import { optionsPage } from "./docs-options.mjs";

/** @returns {Promise<Map<string, string>>} */
export async function makePages() {
  const face = /** @type {typeof import("../src/index.js")} */ (await built("index.js"));
  const memory = /** @type {typeof import("../src/stores/memory/index.js")} */ (
    await built("stores/memory/index.js")
  );
  const file = /** @type {typeof import("../src/stores/file/index.js")} */ (
    await built("stores/file/index.js")
  );
  const redis = /** @type {typeof import("../src/stores/redis/index.js")} */ (
    await built("stores/redis/index.js")
  );
  const fence = /** @type {typeof import("../src/fence/index.js")} */ (await built("fence/index.js"));
  const guardInMemory = /** @type {typeof import("../src/fence/memory/index.js")} */ (
    await built("fence/memory/index.js")
  );
  const guardInFile = /** @type {typeof import("../src/fence/file/index.js")} */ (
    await built("fence/file/index.js")
  );
  const postgres = /** @type {typeof import("../src/fence/postgres/index.js")} */ (
    await built("fence/postgres/index.js")
  );
  const mysql = /** @type {typeof import("../src/fence/mysql/index.js")} */ (
    await built("fence/mysql/index.js")
  );
  const sqlite = /** @type {typeof import("../src/fence/sqlite/index.js")} */ (
    await built("fence/sqlite/index.js")
  );
  const guardOnRedis = /** @type {typeof import("../src/fence/redis/index.js")} */ (
    await built("fence/redis/index.js")
  );
  const queue = /** @type {typeof import("../src/fence/queue/index.js")} */ (
    await built("fence/queue/index.js")
  );
  const journal = /** @type {typeof import("../src/journal/index.js")} */ (await built("journal/index.js"));
  const journalInPostgres = /** @type {typeof import("../src/journal/postgres/index.js")} */ (
    await built("journal/postgres/index.js")
  );
  const all = {
    ...face,
    ...memory,
    ...file,
    ...redis,
    ...fence,
    ...guardInMemory,
    ...guardInFile,
    ...postgres,
    ...mysql,
    ...sqlite,
    ...guardOnRedis,
    ...queue,
    ...journal,
    ...journalInPostgres,
  };
  return new Map([
    ["errors.md", errorsPage(face.errorTable)],
    ["options.md", await optionsPage(all)],
  ]);
}

/**
 * @param {string} path within dist
 * @returns {Promise<unknown>}
 */
async function built(path) {
  return import(new URL(`../dist/${path}`, import.meta.url).href);
}
