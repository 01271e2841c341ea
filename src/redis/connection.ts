/**
 * One connection to a server, whatever client makes it, and how to make another.
 *
 * Promise of a connection: commands are answered in order; none is queued while it is not
 * connected, none is sent again, and it never connects again by itself. When it is over it
 * is over, and another one is made: so a command that nobody waits for cannot come back.
 */

/** As a text, or as its bytes. */
export type Argument = string | Buffer;

export interface Connection {
  /** Rejects with the server's error, or when the connection ends; then the outcome is unknown. */
  send(args: readonly Argument[]): Promise<unknown>;
  /** Messages of one channel, until the connection ends. */
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  /** At once, whatever is under way. Never throws. */
  destroy(): void;
}

export interface Opening {
  /** Rejects when no connection comes about. */
  readonly ready: Promise<Connection>;
  /** Gives up. Never throws. */
  destroy(): void;
}

/** `ended` is called when the connection is over, whether it ever came about, with what is known of the reason. */
export type Recipe = (connectTimeoutMs: number, ended: (cause: unknown) => void) => Opening;
