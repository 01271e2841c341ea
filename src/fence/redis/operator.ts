/** An operator's acts on a server: look, decide, and one run of the script for row and record. */

import { freshId } from "../../base/random.js";
import { createError } from "../../errors/index.js";
import { type Acted, keptActs } from "../acts.js";
import type { ElectionRow } from "../cell.js";
import { rowId } from "../keys.js";
import { createOperator, type FenceOperator, verifyNamespace } from "../operator.js";
import { lookAtActs, readKept } from "./looking.js";
import { actScript, removeScript } from "./operator-script.js";
import { actsKey, keysOf, type RedisResource, resourcesKey, rowsKey } from "./resource.js";
import { said } from "./sending.js";
import { guardFailed } from "./server.js";

type Named = Pick<ElectionRow, "namespace" | "election">;

/** Each round means that a claim or another act came in between. */
const longestDispute = 10;

export function redisOperator(resource: RedisResource): FenceOperator {
  const { resource: name } = resource.options;
  return createOperator({
    acts: async () => lookAtActs(resource),
    async change(named, decide) {
      for (let rounds = 0; rounds < longestDispute; rounds += 1) {
        const kept = await readKept(resource, rowId(name, named));
        const acted = decide(kept?.row);
        if (await isDone(resource, named, kept?.generation ?? "", acted)) return acted.act;
      }
      const message = `"${name}" was claimed ${longestDispute} times before this could be done`;
      throw createError("GUARD_CONTENDED", message);
    },
    remove: async (named) => remove(resource, named),
  });
}

/** False when another row stands there than was seen. Throws GUARD_FAILED and ACT_UNCONFIRMED. */
async function isDone(
  { server, options }: RedisResource,
  named: Named,
  generation: string,
  { row, act }: Acted,
): Promise<boolean> {
  const { resource } = options;
  const id = rowId(resource, named);
  const { lineage, watermark: token, owner } = act.after ?? act.before;
  const next = row === undefined ? ["", "", "", ""] : [freshId(), resource, named.namespace, named.election];
  const args = [
    ...said({ lineage, token, owner }),
    ...[generation, JSON.stringify(act), String(keptActs), id, ...next],
  ];
  const keys = [...keysOf(options, id), rowsKey(options), actsKey(options)];
  const ran = await server.run(actScript, keys, args, options.timeoutMs);
  if (ran.kind === "failed") throw guardFailed(resource, ran.cause);
  if (ran.kind === "answered") return ran.reply[0] === "acted";
  const message = `what was done to "${resource}" may have been done`;
  throw createError("ACT_UNCONFIRMED", message, { cause: ran.cause });
}

async function remove({ server, options }: RedisResource, named: Named): Promise<void> {
  const { resource } = options;
  const id = rowId(resource, named);
  const keys = [...keysOf(options, id), rowsKey(options), resourcesKey(options)];
  // All of it is of whoever removes.
  const own = resource === verifyNamespace ? resource : "";
  const ran = await server.run(removeScript, keys, [id, own], options.timeoutMs);
  if (ran.kind !== "answered") throw guardFailed(resource, ran.cause);
}
