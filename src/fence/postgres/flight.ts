/**
 * Several prepared statements in one message of pg, each with its values beside it: a query class of our own, as pg takes
 * them for cursors.
 *
 * Promise: they run in order, the first that fails ends the rest, and all answers are there at once. Non-promise: a name that
 * the server keeps no more, or keeps already, fails the message (`isUnprepared`).
 */

import type { Answer, SqlValue } from "../sql/session.js";

/** What is asked of pg's connection to the server: one message of the extended protocol each. */
export interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: {
    readonly portal: string;
    readonly statement: string;
    readonly values: readonly (string | null)[];
  }): void;
  describe(message: { readonly type: "P"; readonly name: string }): void;
  execute(message: { readonly portal: string }): void;
  sync(): void;
}

/** A statement that a connection keeps, or is to keep. */
export interface Kept {
  readonly name: string;
  /** With `$1`, `$2` and so on. */
  readonly text: string;
  stands: boolean;
  /** Names of what it answers, once they are known. */
  columns: readonly string[] | undefined;
}

/** `portal` is kept until its transaction ends, however that ends. */
export type Step =
  | {
      readonly kept: Kept;
      readonly values: readonly SqlValue[];
      readonly asked: boolean;
      readonly portal: string;
    }
  /** Fails where the transaction of this portal is not the one that is open, or has failed. */
  | { readonly proves: string };

type Executed = Extract<Step, { readonly kept: Kept }>;

/** Handed to pg's `query`, which calls what is public here. */
export class Flight {
  readonly landed: Promise<readonly Answer[]>;
  /** pg sets it to stop its own timer, where it has one. */
  callback: ((error: Error | null) => void) | undefined;
  readonly #steps: readonly Step[];
  readonly #rows: Readonly<Record<string, unknown>>[][];
  #place = 0;
  #resolve: (answers: readonly Answer[]) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#rows = steps.map(() => []);
    this.landed = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(wire: Wire): void {
    wire.stream.cork();
    try {
      for (const step of this.#steps) send(wire, step);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly name: string }[] }): void {
    const step = this.#steps[this.#place];
    if (step === undefined) return;
    if ("kept" in step) step.kept.columns = fields.map(({ name }) => name);
    else this.#place += 1;
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    const step = this.#steps[this.#place];
    if (step === undefined || !("kept" in step)) return;
    const row = (step.kept.columns ?? []).map((name, index) => [name, fields[index]] as const);
    this.#rows[this.#place]?.push(Object.fromEntries(row));
  }

  handleCommandComplete(): void {
    this.#place += 1;
  }

  handleReadyForQuery(): void {
    for (const step of this.#steps) if ("kept" in step) step.kept.stands = true;
    this.callback?.(null);
    const answers = this.#steps.map((step, place) => ({ step, rows: this.#rows[place] ?? [] }));
    this.#resolve(
      answers
        .filter(({ step }) => !("kept" in step) || step.asked)
        .map(({ rows }) => ({ rows, count: rows.length })),
    );
  }

  handleError(error: Error): void {
    this.callback?.(error);
    this.#reject(error);
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

function send(wire: Wire, step: Step): void {
  if ("proves" in step) wire.describe({ type: "P", name: step.proves });
  else sendKept(wire, step);
}

function sendKept(wire: Wire, { kept, values, asked, portal }: Executed): void {
  const { name, text } = kept;
  if (!kept.stands) wire.parse({ name, text });
  wire.bind({
    portal,
    statement: name,
    values: values.map((value) => (value === null ? null : String(value))),
  });
  if (asked && kept.columns === undefined) wire.describe({ type: "P", name: portal });
  wire.execute({ portal });
}

const codes: readonly unknown[] = [
  "26000", // invalid_sql_statement_name: it is not there
  "42P05", // duplicate_prepared_statement: it is there
  "0A000", // cached plan must not change result type: a table was made anew
];

export function isUnprepared(cause: unknown): boolean {
  return typeof cause === "object" && cause !== null && "code" in cause && codes.includes(cause.code);
}
