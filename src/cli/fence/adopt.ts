/** `tenure fence adopt`: a resource goes from one lineage to another. */

import { act, actingOptions, needed } from "./acting.js";
import { stateText } from "./act-text.js";
import type { Verb } from "../verb.js";

export const fenceAdopt: Verb = {
  name: "fence adopt",
  everyday: false,
  summary: "give a resource to another lineage, as when the algorithm or the namespace changes",
  about: `Tokens of two lineages do not compare, so a resource refuses all but one. From the act on it refuses the old one, and
the first claim of the new one above the watermark is granted; the watermark stays. Stop what leads under the old
lineage before: it is refused in the middle of its work. Leaves a record. Exit code 123: something else stands there
than --from says, and nothing was done.`,
  positionals: ["GUARD"],
  settings: ["namespace"],
  options: [
    {
      name: "lineage",
      kind: "text",
      value: "LINEAGE",
      about: "whose tokens count from now on, such as default/raft",
    },
    ...actingOptions,
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.fence-adopt/1)" },
  ],
  async run(invocation, terminal) {
    const lineage = needed(invocation, "lineage");
    return act(
      {
        schema: "tenure.fence-adopt/1",
        plan: (from) =>
          `${stateText(from)} becomes ${stateText({ ...from, lineage })}: all claims and writes of ${from.lineage} are refused` +
          ` from then on. Stop what leads under it before.`,
        act: async (operator, order) => operator.adopt({ ...order, lineage }),
      },
      invocation,
      terminal,
    );
  },
};
