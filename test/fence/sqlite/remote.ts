/**
 * A SQLite database in a process of its own, spoken to as if it were here: the Node.js of the tests has none.
 *
 * What SQLite's own clients promise holds here too: nothing else of this process runs until a call has answered. So the
 * guard itself, and a whole world of virtual time, can work on a real file.
 */

import { fileURLToPath } from "node:url";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { SqliteDatabase } from "../../../src/fence/sqlite/index.js";
import { locateOrThrow } from "../../servers/binaries.js";

export interface RemoteDatabase extends SqliteDatabase {
  /** The process that has the file open. */
  readonly pid: number;
  close(): Promise<void>;
}

export type ClientName = "node:sqlite" | "better-sqlite3";

type Question =
  | { readonly op: "exec"; readonly sql: string }
  | { readonly op: "all" | "run"; readonly sql: string; readonly values: readonly unknown[] };

type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly message: string; readonly code?: string; readonly errcode?: number } };

const silenceMs = 20_000;

/** Through the database's own client, `name`, under the Node.js that can load it. */
export function openRemote(file: string, name: ClientName = "node:sqlite"): RemoteDatabase {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const path = name === "node:sqlite" ? name : locateOrThrow(name).path;
  const worker = new Worker(fileURLToPath(new URL("remote-worker.mjs", import.meta.url)), {
    workerData: { signal, port: port2, node: locateOrThrow("node22").path, path, file },
    transferList: [port2],
  });
  worker.unref();
  const heard = (): Answer => {
    for (;;) {
      const received = receiveMessageOnPort(port1);
      if (received !== undefined) return received.message as Answer;
      // What wakes it may be the late notice of the answer before.
      if (Atomics.wait(signal, 0, 0, silenceMs) === "timed-out") throw new Error("SQLite has not answered");
      Atomics.store(signal, 0, 0);
    }
  };
  const ask = (question: Question): unknown => {
    port1.postMessage(question);
    const answer = heard();
    if ("value" in answer) return answer.value;
    throw Object.assign(new Error(answer.error.message), answer.error);
  };
  const opened = heard();
  if ("error" in opened) throw new Error(opened.error.message);
  return {
    pid: opened.value as number,
    exec: (sql) => ask({ op: "exec", sql }),
    prepare: (sql) => ({
      all: (...values) => ask({ op: "all", sql, values }) as unknown[],
      run: (...values) => ask({ op: "run", sql, values }) as { readonly changes: number },
    }),
    async close() {
      port1.postMessage(undefined);
      await new Promise((resolve) => worker.once("exit", resolve));
      port1.close();
    },
  };
}
