/** What a verb may touch of the process it runs in. Ours goes to `err`, answers go to `out`. */

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** One line or more, without the last line break. */
  out(text: string): void;
  err(text: string): void;
  /** Writes beside the answers, over the last such line, until the next `err`; undefined when no terminal shows it. */
  readonly redraw: ((line: string) => void) | undefined;
  /** Aborts with the first signal that ends a process; its reason is the signal's name. */
  readonly interrupted: AbortSignal;
}

export interface Interrupt {
  readonly signal: NodeJS.Signals;
}

/** The signal that ended the wait. */
export function interruptOf(interrupted: AbortSignal): NodeJS.Signals | undefined {
  return interrupted.aborted ? (interrupted.reason as Interrupt).signal : undefined;
}

/** Warnings and errors of an election, on our side of the output. */
export function printJson(terminal: Terminal, value: object): void {
  terminal.out(JSON.stringify(value));
}
