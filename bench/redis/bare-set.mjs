/** The least that a lease in Redis costs: one `SET key value NX PX` and its reply, without any client library. */

/** About the size of a lease record. */
const content = "x".repeat(400);

/**
 * @param {import("./wire.mjs").Wire} wire
 * @returns {() => Promise<number>} sets once and answers how long it took, ms
 */
export function createBareSet(wire) {
  let count = 0;
  return async () => {
    count += 1;
    const startedAt = performance.now();
    const reply = await wire.command("SET", `bare-${count}`, content, "NX", "PX", "15000");
    const tookMs = performance.now() - startedAt;
    if (reply !== "OK") throw new Error(`a bare SET was answered with ${reply}`);
    await wire.command("DEL", `bare-${count}`);
    return tookMs;
  };
}
