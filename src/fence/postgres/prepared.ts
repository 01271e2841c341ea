/**
 * Statements that one connection of the server keeps ready, so that it does not parse and plan them each time.
 *
 * By `PREPARE` and `EXECUTE` in text, since only that way several go in one message. A name is made of what it
 * stands for: behind a pooler that hands sessions on, a name that somebody else has prepared means the same.
 */

import { encodeName } from "../../base/names.js";
import type { Statement } from "../sql/session.js";
import { answered, inlined, literals } from "./literal.js";

export interface Message {
  readonly text: string;
  /** Names that it prepares. */
  readonly prepares: readonly string[];
  /** It fails where the server keeps less, or more, than was thought. */
  readonly executes: boolean;
}

/** More than a guard has; a session that serves many guards sends the rest as literals. */
const mostTexts = 64;

export class Prepared {
  /** By text, once it was sent. */
  readonly #known = new Map<string, { readonly name: string; stands: boolean }>();
  #givenUp = false;

  /** A text is prepared when it is sent a second time: those of a claim are sent once. */
  inOneMessage(statements: readonly Statement[]): Message {
    const prepares: string[] = [];
    let executes = false;
    const parts = statements.map(answered).flatMap((statement) => {
      const { text, values = [] } = statement;
      if (this.#givenUp || values.length === 0) return [inlined(statement)];
      const known = this.#known.get(text);
      if (known === undefined) {
        if (this.#known.size < mostTexts) this.#known.set(text, { name: nameOf(text), stands: false });
        return [inlined(statement)];
      }
      executes = true;
      const execute = `EXECUTE ${known.name}(${literals(values)})`;
      if (known.stands) return [execute];
      prepares.push(text);
      return [`PREPARE ${known.name} AS ${numbered(text)}`, execute];
    });
    return { text: parts.join(";\n"), prepares, executes };
  }

  stands(texts: readonly string[]): void {
    for (const text of texts) {
      const known = this.#known.get(text);
      if (known !== undefined) known.stands = true;
    }
  }

  /** A pooler is in between, or somebody discards what sessions keep: literals, from now on. */
  giveUp(): void {
    this.#givenUp = true;
    this.#known.clear();
  }
}

function nameOf(text: string): string {
  return `"tenure_${encodeName(text, 48)}"`;
}

function numbered(text: string): string {
  let place = 0;
  return text.replace(/\?/g, () => `$${(place += 1)}`);
}

const codes: readonly unknown[] = [
  "26000", // invalid_sql_statement_name: it is not there
  "42P05", // duplicate_prepared_statement: it is there
  "0A000", // cached plan must not change result type: a table was made anew
];

export function isUnprepared(cause: unknown): boolean {
  return typeof cause === "object" && cause !== null && "code" in cause && codes.includes(cause.code);
}
