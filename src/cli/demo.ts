/** `tenure demo`: what `npm run demo` runs, from the installed package. */

import { exitCodes } from "./exit-codes.js";
import type { Invocation, Verb } from "./verb.js";

const mostRounds = 100;

export const demo: Verb = {
  name: "demo",
  everyday: true,
  summary: "three processes, their leader killed, frozen and blocked, and a verdict",
  about: `Takes well under a minute, in a directory that is removed at the end. Exit code 123: a promise did not hold.
With --store it elects on a Redis server, in a namespace of its own that is removed at the end as well.`,
  positionals: [],
  settings: [],
  options: [
    {
      name: "rounds",
      kind: "count",
      value: "N",
      min: 1,
      max: mostRounds,
      about: `each fault N times, 1 to ${mostRounds} (default: 4, with --unsafe 2)`,
    },
    { name: "store", kind: "text", value: "URL", about: "elect on this server: redis:// or rediss://" },
    { name: "unsafe", kind: "switch", about: "the same for a flag with a timer, which ends with FAIL" },
    {
      name: "keep",
      kind: "switch",
      about: "leave the directory with histories and store, and print where it is",
    },
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.demo/1)" },
  ],
  run: runDemo,
};

async function runDemo({ flags }: Invocation): Promise<number> {
  const switches = ["unsafe", "keep", "json"].filter((name) => flags.has(name)).map((name) => `--${name}`);
  // The demo is a command of its own: it reads its arguments, minds its signals and sets the exit code.
  process.argv = [
    ...process.argv.slice(0, 2),
    ...switches,
    ...["rounds", "store"].flatMap((name) => {
      const value = flags.text(name);
      return value === undefined ? [] : [`--${name}`, value];
    }),
  ];
  await import("./demo/main.js");
  const code = Number(process.exitCode ?? exitCodes.done);
  return code === 1 ? exitCodes.checkFailed : code;
}
