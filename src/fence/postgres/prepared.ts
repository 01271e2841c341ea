/**
 * Statements that one connection of the server keeps ready, so that it does not parse and plan them each time.
 *
 * A name is made of what it stands for: behind a pooler that hands sessions on, a name that somebody else has prepared
 * means the same.
 */

import { encodeName } from "../../base/names.js";
import type { Statement } from "../sql/session.js";
import type { Kept, Step } from "./flight.js";
import { answered, placed } from "./literal.js";

/** More than a guard has; a session that serves many guards sends the rest as literals. */
const mostTexts = 64;

/** Of the statement that names a transaction: it is there for as long as that one is. */
const portal = "tenure_write";

export class Prepared {
  /** By text, once it was sent. */
  readonly #known = new Map<string, Kept>();
  #givenUp = false;

  /**
   * Undefined where they go as literals: a text of them comes for the first time, as those of a claim mostly do.
   * `marked`: the transaction was named by steps of this.
   */
  stepsOf(statements: readonly Statement[], marked: boolean): readonly Step[] | undefined {
    if (this.#givenUp) return undefined;
    const steps = statements.map(answered).map((statement): Step | undefined => {
      if (statement.witness === "proves" && marked) return { proves: portal };
      const kept = this.#known.get(statement.text);
      if (kept === undefined) return this.#learn(statement.text);
      const asked = statement.answer !== undefined;
      return {
        kept,
        values: statement.values ?? [],
        asked,
        portal: statement.witness === "names" ? portal : "",
      };
    });
    return steps.every((step) => step !== undefined) ? steps : undefined;
  }

  /** A pooler is in between, or somebody discards what sessions keep: literals, from now on. */
  giveUp(): void {
    this.#givenUp = true;
    this.#known.clear();
  }

  #learn(text: string): undefined {
    if (this.#known.size >= mostTexts) return;
    const name = `tenure_${encodeName(text, 48)}`;
    this.#known.set(text, { name, text: placed(text), stands: false, columns: undefined });
  }
}
