/** The client of a database that is installed beside this package; none comes with it. */

import { createError } from "../../errors/index.js";

/** The first of them that is there. Throws GUARD_FAILED that names what to install. */
export async function importFirst<M extends object>(
  names: readonly [string, ...string[]],
  what: string,
): Promise<{ readonly name: string; readonly module: M }> {
  for (const name of names) {
    try {
      return { name, module: (await import(name)) as M };
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
    }
  }
  const installable = names.filter((name) => !name.startsWith("node:"));
  const [first, ...others] = installable;
  const advice = `npm install ${first}${others.length === 0 ? "" : ` (or ${others.join(", or ")})`}`;
  throw createError("GUARD_FAILED", `${what} needs a client, and none is installed: ${advice}`);
}

function isMissing(cause: unknown): boolean {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return code === "ERR_MODULE_NOT_FOUND" || code === "ERR_UNKNOWN_BUILTIN_MODULE";
}
