/**
 * Sessions of mysql2: connections of the pool that was handed in, one statement after the other, or in one message where
 * the pool allows that (`multipleStatements`).
 *
 * mysql2 never answers a statement whose connection is destroyed under it, and leaves the
 * socket open that nobody at the other end closes; so the socket goes first. A connection
 * goes back to its pool with the settings that it came with.
 */

import type { Answer, SqlSession, Statement } from "../sql/session.js";
import { inlined } from "./literal.js";
import { restoring } from "./settings.js";

/** Of each query, whatever the pool is set to. */
interface Query {
  readonly sql: string;
  readonly values: readonly never[];
  readonly rowsAsArray: false;
  readonly nestTables: false;
  readonly typeCast: true;
  readonly timeout?: number;
}

/** What is asked of a connection of mysql2, in its form with callbacks. */
export interface Connection {
  query(query: Query, answer: (error: Error | null, results: unknown) => void): unknown;
  release(): void;
  destroy(): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  readonly stream?: { destroy(error: Error): unknown };
  readonly config?: { readonly multipleStatements?: boolean };
}

/** Of rows, or of a statement without any. */
type Result = Answer["rows"] | { readonly affectedRows: number };

/** A server that does not answer within this would keep the connection out of its pool. */
const restoreMs = 5_000;

export class MysqlSession<C> implements SqlSession<C> {
  readonly client: C;
  readonly #connection: Connection;
  #ended: Error | undefined;
  #isSet = false;
  readonly #hear = (error: Error): void => {
    this.#ended ??= error;
  };

  /** `client`: the connection in the form that its pool hands out. */
  constructor(client: C, connection: Connection) {
    this.client = client;
    this.#connection = connection;
    connection.on("error", this.#hear);
  }

  get ended(): Error | undefined {
    return this.#ended;
  }

  async run(statements: readonly Statement[]): Promise<readonly Answer[]> {
    const begins = statements[0]?.control === "begin";
    // A second transaction: what the first one has set is not what to come back to.
    const all = begins && this.#isSet ? [{ text: restoring }, ...statements] : statements;
    if (begins) this.#isSet = true;
    const results = await this.#send(all);
    return all.flatMap(({ answer }, index) => {
      const result = results[index];
      return answer === undefined || result === undefined ? [] : [toAnswer(result)];
    });
  }

  release(broken: boolean): void {
    if (broken || this.#ended !== undefined) this.#destroy();
    else if (this.#isSet) {
      this.#query(restoring, restoreMs).then(
        () => this.#giveBack(),
        () => this.#destroy(),
      );
    } else this.#giveBack();
  }

  async #send(statements: readonly Statement[]): Promise<readonly Result[]> {
    const texts = statements.map(inlined);
    if (this.#connection.config?.multipleStatements === true && texts.length > 1) {
      return (await this.#query(texts.join(";\n"))) as readonly Result[];
    }
    const results: Result[] = [];
    for (const text of texts) results.push((await this.#query(text)) as Result);
    return results;
  }

  async #query(sql: string, timeout?: number): Promise<unknown> {
    const own = { sql, values: [], rowsAsArray: false, nestTables: false, typeCast: true } as const;
    const query = timeout === undefined ? own : { ...own, timeout };
    return new Promise((resolve, reject) => {
      this.#connection.query(query, (error, results) => {
        if (error === null) resolve(results);
        else reject(error);
      });
    });
  }

  #giveBack(): void {
    this.#connection.removeListener("error", this.#hear);
    this.#connection.release();
  }

  /** Its errors are heard to the end, since nobody else may be listening. */
  #destroy(): void {
    this.#connection.stream?.destroy(this.#ended ?? new Error("the guard has given up this session"));
    this.#connection.destroy();
  }
}

function toAnswer(result: Result): Answer {
  if ("affectedRows" in result) return { rows: [], count: result.affectedRows };
  return { rows: result.map(readable), count: result.length };
}

/** Bytes as the text that they are. */
function readable(row: Answer["rows"][number]): Answer["rows"][number] {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  ]);
  return Object.fromEntries(columns) as Answer["rows"][number];
}
