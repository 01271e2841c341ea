/** Promises of foreign parts that were rejected where nobody listened: elsewhere such a process would have ended. */

import process from "node:process";

/** While `act` runs, and before this settles, `told` hears of them, whoever made them. */
export async function hearing<T>(told: (cause: unknown) => void, act: () => Promise<T>): Promise<T> {
  process.on("unhandledRejection", told);
  try {
    const result = await act();
    // Virtual time is made of ticks, and Node tells of rejections only between two turns of its event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return result;
  } finally {
    process.off("unhandledRejection", told);
  }
}
