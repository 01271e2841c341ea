/**
 * What a Redis server carries out, told by itself (MONITOR): a second account of each record, and when it was written.
 *
 * It needs nothing of the driver but the form of a value: the record, a line break, and a line of the driver's own.
 */

import { createConnection, type Socket } from "node:net";
import type { KeptRecord } from "../../src/audit/index.js";
import { decodeRecord } from "../../src/lease/record.js";
import { nowMs } from "../../test/processes/crew.js";

/** One command, of a client or of the script. */
export interface Carried {
  /** When we heard of it, by the monotonic clock that all processes share. */
  readonly at: number;
  /** When it was carried out, by the server's wall clock. */
  readonly serverMs: number;
  /** The name in capitals, then its arguments. */
  readonly args: readonly string[];
  readonly fromScript: boolean;
}

/** A record as it was written. */
export interface Kept extends KeptRecord {
  readonly at: number;
  readonly key: string;
}

const line = /^\+(\d+\.\d+) \[\d+ ([^\]]*)\] (.*)$/s;

export class Monitor {
  readonly carried: Carried[] = [];
  readonly #port: number;
  #socket: Socket | undefined;
  #rest = "";

  constructor(port: number) {
    this.#port = port;
  }

  /** From here on it hears everything; again after the server was started again. */
  async listen(): Promise<void> {
    this.close();
    const socket = createConnection({ port: this.#port, host: "127.0.0.1" });
    this.#socket = socket;
    this.#rest = "";
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.setEncoding("latin1").on("data", (text: string) => {
        if (this.#hear(text)) resolve();
      });
      socket.write("MONITOR\r\n");
    });
    // The server may be killed: what it carried out until then was heard.
    socket.on("error", () => {});
  }

  close(): void {
    this.#socket?.destroy();
  }

  /** Everything that was written to keys of elections with this prefix, in order. */
  records(prefix = "tenure"): readonly Kept[] {
    return this.carried.flatMap(({ at, serverMs, args: [command, key = "", value = ""] }) => {
      if (command !== "SET" || !key.startsWith(`${prefix}:{`) || key.endsWith("}")) return [];
      const record = decodeRecord(value.slice(0, Math.max(0, value.lastIndexOf("\n"))));
      return [{ at, mtimeMs: serverMs, key, record }];
    });
  }

  /** Says whether the server has confirmed that it listens. */
  #hear(text: string): boolean {
    const rows = `${this.#rest}${text}`.split("\r\n");
    this.#rest = rows.pop() ?? "";
    const at = nowMs();
    for (const row of rows) {
      const [, time, source, rest = ""] = line.exec(row) ?? [];
      if (time === undefined) continue;
      const [command = "", ...args] = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, arg = ""]) =>
        plain(arg),
      );
      const fromScript = source === "lua";
      this.carried.push({
        at,
        serverMs: Number(time) * 1_000,
        args: [command.toUpperCase(), ...args],
        fromScript,
      });
    }
    return rows.includes("+OK");
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\u0007", b: "\b" };

function plain(quoted: string): string {
  const bytes = quoted.replace(/\\(x[0-9a-f]{2}|.)/gs, (_, what: string) =>
    what.length === 3 ? String.fromCharCode(Number.parseInt(what.slice(1), 16)) : (escapes[what] ?? what),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
