/**
 * The guard of one JSON value, whatever register holds it: what `memoryGuard` and `fileGuard` give to users.
 */

import { optionError } from "../base/options.js";
import { cellOperator } from "./cell-operator.js";
import {
  type Cell,
  type CellOptions,
  claimCell,
  type ElectionRow,
  type Change,
  lookAtCell,
  readCell,
  sendToCell,
  type Snapshot,
  writeCell,
} from "./cell.js";
import type { Fence } from "./fence.js";
import type { FenceOperator } from "./operator.js";
import { checkSentWrite, type Receiving, type ReceivingGuard } from "./receiving.js";
import { toJson } from "./results.js";
import { checkFence } from "./row.js";
import type { Writer, WriteOptions } from "./writer.js";

/** A snapshot whose value is JSON text; undefined before the first write. */
export type ValueSnapshot = Snapshot<string | undefined>;

/** What the body of a transaction works on. */
export interface ValueTransaction<V> {
  /** As it was when the transaction began; assign or change it in place. What it is when the body ends is written. */
  value: V;
}

/** Writes for one term. A handle of an ended term is refused by the resource once a successor has claimed. */
export interface ValueHandle<V> {
  readonly resource: string;
  readonly fence: Fence;
  /** The current value, if this term may still use the resource: rejects with STALE or the like otherwise. */
  read(): Promise<V>;
  /**
   * Reads, changes and writes in one atomic step. `body` may be called again when the resource has moved on
   * meanwhile, so it should do nothing else; it is not called at all for a write that was applied before, whose
   * result is answered instead. Transactions of one term run one after the other.
   *
   * Resolves with what `body` returned, JSON of at most 4 KiB or nothing. Rejects with what `body` throws, with
   * STALE, CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING when the term is over for this resource, with GUARD_FAILED
   * when nothing was applied, with GUARD_UNCONFIRMED and the `attempt` to hand back when it may have been.
   */
  transaction<R = void>(
    body: (transaction: ValueTransaction<V>) => R | Promise<R>,
    options?: WriteOptions,
  ): Promise<R>;
}

/** What a resource holds, for those who only look: not fenced, and possibly not durable yet. */
export interface Inspection<V> {
  readonly value: V;
  readonly rows: readonly ElectionRow[];
}

export interface ValueGuard<V> extends ReceivingGuard<ValueHandle<V>, ValueTransaction<V>> {
  inspect(): Promise<Inspection<V>>;
  /** For people, not for leaders. */
  readonly operator: FenceOperator;
}

/** `initial` is JSON text. */
export function createValueGuard<V>(
  kind: string,
  cell: Cell<ValueSnapshot, string>,
  options: CellOptions,
  initial: string,
): ValueGuard<V> {
  const parse = ({ value }: ValueSnapshot) => JSON.parse(value ?? initial) as V;
  return {
    kind,
    resource: options.resource,
    async claim(claimant, claimOptions = {}) {
      const writer = await claimCell(cell, options, claimant, claimOptions);
      return createHandle(cell, options, writer, parse);
    },
    receive: createReceiving(cell, options, parse),
    async inspect() {
      const snapshot = await cell.read();
      return { value: parse(snapshot), rows: snapshot.fencing.rows };
    },
    operator: cellOperator(cell, options.resource),
  };
}

function createHandle<V>(
  cell: Cell<ValueSnapshot, string>,
  options: CellOptions,
  writer: Writer,
  parse: (snapshot: ValueSnapshot) => V,
): ValueHandle<V> {
  return {
    resource: options.resource,
    fence: writer.fence,
    read: async () => parse(await readCell(cell, writer)),
    transaction: async (body, writeOptions = {}) =>
      writeCell(cell, options, writer, writeOptions, changeBy(parse, body)),
  };
}

function createReceiving<V>(
  cell: Cell<ValueSnapshot, string>,
  options: CellOptions,
  parse: (snapshot: ValueSnapshot) => V,
): Receiving<ValueTransaction<V>> {
  return {
    async write(sent, body) {
      const { fence, attempt } = checkSentWrite(options.resource, sent);
      const { signal } = sent;
      return sendToCell(cell, options, { fence, attempt, signal }, changeBy(parse, body));
    },
    async read(fence, body) {
      const answer = await lookAtCell(cell, checkFence(fence));
      if (answer.kind === "refused") return answer;
      return { kind: "read", result: await body({ value: parse(answer.result) }) };
    },
  };
}

function changeBy<V, R>(
  parse: (snapshot: ValueSnapshot) => V,
  body: (transaction: ValueTransaction<V>) => R | Promise<R>,
): Change<ValueSnapshot, string, R> {
  return async (before) => {
    const transaction = { value: parse(before) };
    const result = await body(transaction);
    return { change: encodeValue("value", transaction.value), result };
  };
}

/** JSON text. Throws INVALID_OPTION for what is no JSON. */
export function encodeValue(option: string, value: unknown): string {
  const json = toJson(value);
  if (json === undefined) throw optionError(option, value, "a JSON value");
  return json;
}
