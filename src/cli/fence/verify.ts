/** `tenure fence verify`: sends guarded resources what they must refuse. */

import type { FenceVerification } from "../../fence/verify/index.js";
import { exitCodes } from "../exit-codes.js";
import { printJson, type Terminal } from "../terminal.js";
import type { Invocation, Verb } from "../verb.js";
import { inPlace, tablesOption } from "./places.js";

export const fenceVerify: Verb = {
  name: "fence verify",
  everyday: false,
  summary: "send a guard what it must refuse, and fail if it is accepted",
  about: `GUARD is as for fence status. Sends stale, equal, foreign, unclaimed, repeated, reordered and delayed claims and
writes to a resource of its own, tenure-fence-verify, and removes their rows; yours are not touched. Needs the rights
of a role that leads. Of nats://HOST:PORT/STREAM it makes a stream like that one and removes it, with the rights to do
so; nats://HOST:PORT/STREAM?subject=TEXT sends to that subject, where the messages stay. http://HOST/PATH (or https://)
is the route that a service has for this (httpVerification). Exit code 123: something was accepted, or went otherwise
than it must.`,
  positionals: ["GUARD"],
  settings: [],
  options: [
    tablesOption,
    { name: "json", kind: "switch", about: "print one JSON object (schema tenure.fence-verify/1)" },
  ],
  run: runFenceVerify,
};

async function runFenceVerify(invocation: Invocation, terminal: Terminal): Promise<number> {
  return inPlace(invocation, terminal, async (place, { shown }) => {
    const found = await place.verify();
    const { sound, probes } = found;
    if (invocation.flags.has("json")) {
      const guard = { url: shown, holds: place.holds, kind: found.kind };
      printJson(terminal, { schema: "tenure.fence-verify/1", guard, sound, probes });
    } else terminal.out(describe(shown, found));
    return sound ? exitCodes.done : exitCodes.checkFailed;
  });
}

function describe(url: string, { sound, probes }: FenceVerification): string {
  const wide = Math.max(...probes.map(({ id }) => id.length)) + 2;
  const lines = probes.flatMap(({ id, sent, expected, outcome, found }) => {
    const line = `${outcome.padEnd(10)}${id.padEnd(wide)}${found}`;
    const isBad = outcome === "accepted" || outcome === "failed";
    return isBad ? [line, `${" ".repeat(10)}sent: ${sent}; expected: ${expected}`] : [line];
  });
  const bad = probes.filter(({ outcome }) => outcome === "accepted" || outcome === "failed");
  const verdict = sound
    ? "OK: nothing was accepted that must be refused"
    : `FAIL: ${bad.map(({ id }) => id).join(", ")}`;
  return [url, ...lines, verdict].join("\n");
}
