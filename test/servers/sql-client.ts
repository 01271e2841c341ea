/** One connection of the harness to a database, for control. What the clients of PostgreSQL and MariaDB share. */

export type Row = Readonly<Record<string, unknown>>;

export interface SqlClient {
  /** What the server calls this connection: the process number of its backend, or the id of its thread. */
  readonly id: number;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  /**
   * The rows, none for a statement without. 64-bit integers come as text. Rejects with the error of the driver, which
   * has the code of the server, or with that of the connection.
   */
  query(sql: string, params?: readonly unknown[]): Promise<readonly Row[]>;
  /** Ends it at once. A statement that runs goes on until the server notices. */
  close(): void;
}
