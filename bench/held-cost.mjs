/** Starts the process that holds many elections, and hears what they cost. */

/** @typedef {import("./held-child.mjs").Cost} Cost */
/** @typedef {import("./held-child.mjs").FromHeld} FromHeld */

/**
 * @param {import("./session.mjs").Session} session
 * @param {{ readonly way: string, readonly store: string, readonly count: number, readonly seconds: number,
 *   readonly onCounting?: () => void, readonly onCounted?: () => void }} settings called as the seconds begin and end
 * @returns {Promise<Cost>}
 */
export function costOf(session, { way, store, count, seconds, onCounting, onCounted }) {
  const child = session.start(
    "held-child.mjs",
    [way, store, String(count), String(seconds)],
    ["--expose-gc"],
  );
  return new Promise((resolve, reject) => {
    const stop = () => reject(/** @type {Error} */ (session.interrupted.reason));
    session.interrupted.addEventListener("abort", stop, { once: true });
    child.on("message", (/** @type {FromHeld} */ message) => {
      if (message.said === "counting") onCounting?.();
      else if (message.said === "counted") onCounted?.();
      else resolve(message.cost);
    });
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      session.interrupted.removeEventListener("abort", stop);
      reject(new Error(`the process that holds them ended with ${code ?? signal}`));
    });
  });
}
