/** `tenure resign`: the leader leaves, whoever follows. */

import { ask, askingOptions } from "./asking.js";
import type { Verb } from "./verb.js";

export const resign: Verb = {
  name: "resign",
  everyday: true,
  summary: "make the leader leave, also when nobody is ready to follow",
  about: `Writes a request into the record. The leader drains its work, then gives the lease up; a leader that was started
with tenure run ends its command, and stands again after a pause. Exit code 123: nobody led, or no outcome in time.`,
  positionals: ["NAME"],
  settings: ["store", "namespace", "local"],
  options: [
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.resign/1)" },
    ...askingOptions,
  ],
  run: (invocation, terminal) =>
    ask(
      { schema: "tenure.resign/1", to: undefined, orResign: true, done: ["resigned", "transferred"] },
      invocation,
      terminal,
    ),
};
