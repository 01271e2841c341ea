// Clients that stand in for real ones where options are tried: nothing is ever sent, or answered.

/** @type {import("../src/fence/mysql/index.js").MysqlPool} */
export const noPool = { getConnection() {}, promise() {} };

/** @type {import("../src/fence/sqlite/index.js").SqliteDatabase} */
export const noDatabase = {
  exec() {},
  prepare() {
    throw new Error("unused");
  },
};

/** @type {import("../src/fence/redis/index.js").RedisClient} */
export const noServer = { status: "ready", call: async () => never(), duplicate: () => noServer };

/** @type {import("../src/fence/queue/index.js").JetstreamClient} */
export const noBroker = {
  connection: { isClosed: () => false, request: async () => never() },
  headers: () => ({ set() {} }),
};

/** @type {import("../src/fence/queue/index.js").RabbitmqConsumerConnection & import("../src/fence/queue/index.js").RabbitmqLeaderConnection} */
export const noRabbit = { createChannel: async () => never(), createConfirmChannel: async () => never() };

/** @returns {Promise<never>} */
export async function never() {
  return new Promise(() => {});
}
