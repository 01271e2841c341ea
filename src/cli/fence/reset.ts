/** `tenure fence reset`: a watermark is set, or forgotten. */

import type { ResetOrder } from "../../fence/acts.js";
import { usageError } from "../usage-error.js";
import type { Invocation, Verb } from "../verb.js";
import { act, actingOptions } from "./acting.js";
import { stateText } from "./act-text.js";

export const fenceReset: Verb = {
  name: "fence reset",
  everyday: false,
  summary: "set or forget a watermark, after a token that should never have been",
  about: `For a resource that was claimed under a token which no leader can exceed, or years ahead. Below the old watermark the
resource no longer refuses what it refused: whoever held a token above the new one could claim and write again. Stop
every process that has led this election before, not only the leader. Leaves a record. Exit code 123: something else
stands there than --from says, and nothing was done.`,
  positionals: ["GUARD"],
  settings: ["namespace"],
  options: [
    {
      name: "watermark",
      kind: "count",
      value: "TOKEN",
      min: 1,
      max: 2 ** 52,
      about: "the watermark from now on; the next claim has to be above it",
    },
    { name: "forget", kind: "switch", about: "no watermark and no lineage: any claim is the first one" },
    ...actingOptions,
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.fence-reset/1)" },
  ],
  async run(invocation, terminal) {
    const watermark = watermarkOf(invocation);
    return act(
      {
        schema: "tenure.fence-reset/1",
        plan: (from) => planOf(from, watermark),
        act: async (operator, order) => operator.reset({ ...order, watermark }),
      },
      invocation,
      terminal,
    );
  },
};

function watermarkOf({ flags }: Invocation): ResetOrder["watermark"] {
  const watermark = flags.count("watermark");
  if (flags.has("forget") !== (watermark === undefined)) {
    throw usageError("fence reset needs one of --watermark TOKEN and --forget");
  }
  return watermark ?? "forget";
}

function planOf(from: ResetOrder["from"], watermark: ResetOrder["watermark"]): string {
  if (watermark === "forget") {
    return `${stateText(from)} is forgotten: the next claim is granted, whoever makes it. Stop every process that has led before.`;
  }
  const change = `${stateText(from)} becomes ${stateText({ ...from, watermark })}`;
  if (watermark > from.watermark)
    return `${change}: leaders at or below it are refused, and come back above it.`;
  return `${change}: whoever holds a token above ${watermark} could claim and write again. Stop every process that has led before.`;
}
