/** An operator's acts on a register with an atomic compare-and-set: row and record in one replacement. */

import { createError } from "../errors/index.js";
import { type Acted, type FenceAct, keptActs } from "./acts.js";
import { type Cell, dispute, type Fencing, rowOf, type Snapshot, withoutRow, withRow } from "./cell.js";
import { createOperator, type FenceOperator } from "./operator.js";
import type { GuardRow } from "./row.js";

export function cellOperator<S extends Snapshot<unknown>>(
  cell: Cell<S, never>,
  resource: string,
): FenceOperator {
  /** `decide` answers undefined where there is nothing to do. */
  const put = async <A>(decide: (fencing: Fencing) => { readonly fencing: Fencing; readonly answer: A }) =>
    dispute(resource, undefined, async (stillWanted) => {
      const before = await cell.read();
      const { fencing, answer } = decide(before.fencing);
      if (fencing === before.fencing) return { answer };
      const replaced = await cell.replace(before, fencing, undefined, stillWanted);
      if (replaced.kind === "conflict") return undefined;
      if (replaced.kind === "replaced") return { answer };
      const { cause } = replaced;
      throw createError("ACT_UNCONFIRMED", `what was done to "${resource}" may have been done`, { cause });
    });
  return createOperator({
    acts: async () => (await cell.read()).fencing.acts?.toReversed() ?? [],
    async change(named, decide) {
      const { answer } = await put((fencing) => withAct(fencing, decide(rowOf(fencing, named))));
      return answer;
    },
    async remove(named) {
      await put((fencing) => ({
        fencing: rowOf(fencing, named) === undefined ? fencing : withoutRow(fencing, named),
        answer: undefined,
      }));
    },
  });
}

function withAct(
  fencing: Fencing,
  { row, act }: Acted,
): { readonly fencing: Fencing; readonly answer: FenceAct } {
  const rows = changed(fencing, act, row);
  return { fencing: { ...rows, acts: [...(fencing.acts ?? []), act].slice(-keptActs) }, answer: act };
}

function changed(fencing: Fencing, act: FenceAct, row: GuardRow | undefined): Fencing {
  return row === undefined ? withoutRow(fencing, act) : withRow(fencing, act, row);
}
