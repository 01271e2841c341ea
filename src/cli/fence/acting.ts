/** What `fence adopt` and `fence reset` share: whose row, what was seen there, who acts and why, and the answer. */

import { defaultActor } from "../../base/host.js";
import type { AdoptOrder, FenceAct, Standing } from "../../fence/acts.js";
import type { FenceOperator } from "../../fence/operator.js";
import { TenureError } from "../../errors/index.js";
import { exitCodes } from "../exit-codes.js";
import { resolveSettings } from "../settings.js";
import { printJson, type Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import type { Invocation, OptionSpec } from "../verb.js";
import { describeAct, shownAct, stateText } from "./act-text.js";
import type { GuardPlace } from "./place.js";
import { inPlace, tablesOption } from "./places.js";

export const actingOptions: readonly OptionSpec[] = [
  { name: "resource", kind: "text", value: "NAME", about: "which resource" },
  { name: "election", kind: "text", value: "NAME", about: "the row of which election" },
  {
    name: "from",
    kind: "text",
    value: "LINEAGE@WATERMARK",
    about: "what stands there, as fence status shows it; where anything else does by now, nothing is done",
  },
  { name: "reason", kind: "text", value: "TEXT", about: "why, for the record" },
  { name: "by", kind: "text", value: "WHO", about: "who acts, for the record (default: user@host)" },
  { name: "yes", kind: "switch", about: "do it; without, it is only said what would be done" },
  tablesOption,
  {
    name: "max-bytes",
    kind: "count",
    value: "BYTES",
    min: 1_024,
    max: 2 ** 28,
    about: "of file:PATH, where the guard has another maxBytes than 1 MiB",
  },
];

/** What both orders have. */
export type CommonOrder = Omit<AdoptOrder, "lineage">;

export interface Acting {
  readonly schema: "tenure.fence-adopt/1" | "tenure.fence-reset/1";
  /** What it will be, and what has to be seen to before; for people. */
  readonly plan: (from: CommonOrder["from"]) => string;
  readonly act: (operator: FenceOperator, order: CommonOrder) => Promise<FenceAct>;
}

export async function act(
  { schema, plan, act: carryOut }: Acting,
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> {
  const { flags } = invocation;
  const { namespace } = resolveSettings(invocation, terminal);
  const [resource, election] = [needed(invocation, "resource"), needed(invocation, "election")];
  const reason = needed(invocation, "reason");
  return inPlace(invocation, terminal, async (place, { shown }) => {
    const from = await seen(place, resource, { namespace, election }, flags.text("from"));
    if (!flags.has("yes")) throw usageError(`nothing was done. With --yes ${plan(from)}`);
    const order = { namespace, election, from, by: flags.text("by") ?? defaultActor(), reason };
    try {
      const done = await carryOut(place.operator(resource), order);
      if (flags.has("json")) {
        printJson(terminal, {
          schema,
          guard: { url: shown, holds: place.holds },
          resource,
          act: shownAct(done),
        });
      } else terminal.out(describeAct(done));
      return exitCodes.done;
    } catch (cause) {
      if (!TenureError.is(cause, "FENCE_CHANGED")) throw cause;
      terminal.err(`tenure: ${cause.message}; ${now(cause.found)}`);
      return exitCodes.checkFailed;
    }
  });
}

export function needed({ verb, flags }: Invocation, name: string): string {
  const value = flags.text(name);
  if (value === undefined) throw usageError(`${verb.name} needs --${name}: see tenure ${verb.name} --help`);
  return value;
}

/** What the operator saw. Where that is not said, what stands there is said in the refusal. */
async function seen(
  place: GuardPlace,
  resource: string,
  { namespace, election }: Pick<CommonOrder, "namespace" | "election">,
  text: string | undefined,
): Promise<CommonOrder["from"]> {
  if (text === undefined) {
    const rows = (await place.look(resource)).resources.flatMap((one) => one.rows);
    const row = rows.find((one) => one.namespace === namespace && one.election === election);
    throw usageError(`--from is needed, and says what was seen; ${now(row ?? null)}`);
  }
  const [, lineage, digits] = /^(.+)@([0-9]{1,16})$/s.exec(text) ?? [];
  if (lineage !== undefined && digits !== undefined) return { lineage, watermark: Number(digits) };
  throw usageError(
    `--from ${JSON.stringify(text)}: write LINEAGE@WATERMARK, such as default/lease@1780000000000`,
  );
}

function now(found: Standing | null): string {
  return found === null ? "nothing stands there" : `there stands ${stateText(found)}, of ${found.owner}`;
}
