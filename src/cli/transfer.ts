/** `tenure transfer`: the leader hands over to a candidate that is ready. */

import { ask, askingOptions } from "./asking.js";
import type { Verb } from "./verb.js";

export const transfer: Verb = {
  name: "transfer",
  everyday: true,
  summary: "make the leader hand over to a candidate that is ready",
  about: `Writes a request into the record. The leader goes on until a candidate has answered, and keeps leading when none
does (exit code 123). With --to only that node may answer.`,
  positionals: ["NAME"],
  settings: ["store", "namespace", "local"],
  options: [
    { name: "to", kind: "text", value: "NODE", about: "who shall follow (default: whoever answers first)" },
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.transfer/1)" },
    ...askingOptions,
  ],
  run: (invocation, terminal) =>
    ask(
      {
        schema: "tenure.transfer/1",
        to: invocation.flags.text("to"),
        orResign: false,
        done: ["transferred"],
      },
      invocation,
      terminal,
    ),
};
