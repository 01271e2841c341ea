/**
 * A subject of a JetStream stream behind a guard: the broker itself refuses what a former leader publishes.
 *
 * Promise: P2 for everything that is published through the handle. Each message is stored only behind the one that its
 * sender decided on (`Nats-Expected-Last-Subject-Sequence`), and a claim is a message as well, so after a claim nothing
 * that was decided before it is stored. Assumption: the stream keeps the subject's last message, and does not lose
 * what it has acknowledged; a server that stands alone is not on disk when it answers, unless it was told to be.
 * Advisory, and said in `findings`: limits by which the stream may remove that message. Non-promise: who publishes to
 * the subject without the handle is not refused; the next claim or publish finds it and is. Several messages are
 * not one step. What consumers do with what is there is their own business.
 */

import { optionError } from "../../../base/options.js";
import { cellOperator } from "../../cell-operator.js";
import { type CellOptions, claimCell, type ElectionRow, writeCell } from "../../cell.js";
import type { Fence } from "../../fence.js";
import type { Guard } from "../../guard.js";
import { limitOf } from "../../limit.js";
import type { FenceOperator } from "../../operator.js";
import { checkFence } from "../../row.js";
import { toClaimant, type WriteOptions, type Writer } from "../../writer.js";
import { Broker } from "./broker.js";
import { JetstreamCell } from "./cell.js";
import { checkClient, type JetstreamClient } from "./client.js";
import { cover, type CoverOrder } from "./cover.js";
import { checkOwnHeaders } from "./headers.js";
import { type JetstreamGuardOptions, resolveJetstreamOptions } from "./options.js";
import { type JetstreamFinding, judgeStream } from "./stream.js";

export interface PublishOptions extends WriteOptions {
  /** Of your own; printable ASCII, no name that begins with `Nats-` or `Tenure-`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Publishes for one term, over the connection that was handed in. */
export interface JetstreamHandle {
  readonly resource: string;
  readonly fence: Fence;
  /** What the claim found that weakens the promise; empty where nothing does. */
  readonly findings: readonly JetstreamFinding[];
  /**
   * Publishes one message, text or bytes, and resolves with its sequence in the stream once the stream has acknowledged
   * it. A function is asked for the payload when it is the message's turn, once for each time that the subject has
   * moved on, and not at all for an operation that was published before, which is answered with its sequence. Messages
   * of one term are published one after the other, each after the acknowledgement of the one before.
   *
   * Rejects with what the function throws, with STALE, CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING when the term is over
   * for this subject, with GUARD_ROW_UNREADABLE when somebody has published past the guard, with GUARD_FAILED when
   * nothing was published, with GUARD_UNCONFIRMED and the `attempt` to hand back when it may have been, with
   * ATTEMPT_APPLIED when it was published long ago and the sequence is no longer known.
   */
  publish(
    payload: string | Uint8Array | (() => string | Uint8Array | Promise<string | Uint8Array>),
    options?: PublishOptions,
  ): Promise<{ readonly sequence: number }>;
}

/** For people: what they may do to what fences a subject. */
export interface JetstreamOperator extends FenceOperator {
  /**
   * Puts what fences the subject back on top of messages that were published past the guard, and answers with the
   * sequence of that marker. Reads the whole subject, a question for each message. Rejects with FENCE_CHANGED when
   * another message is the last by now.
   */
  cover(order: CoverOrder): Promise<{ readonly sequence: number }>;
}

/** What the subject holds, for those who only look: not fenced. */
export interface JetstreamInspection {
  /** Of the last message; 0 where there is none. */
  readonly sequence: number;
  readonly rows: readonly ElectionRow[];
  readonly findings: readonly JetstreamFinding[];
}

export interface JetstreamGuard extends Guard<JetstreamHandle> {
  /** Rejects with GUARD_UNSUITABLE, GUARD_ROW_UNREADABLE or GUARD_FAILED. */
  inspect(): Promise<JetstreamInspection>;
  /** For people, not for leaders. */
  readonly operator: JetstreamOperator;
}

/** `client`: a connection of @nats-io/transport-node 3, and `headers` of the same package. */
export function jetstreamGuard(client: JetstreamClient, options: JetstreamGuardOptions): JetstreamGuard {
  const resolved = resolveJetstreamOptions(options);
  checkClient(client);
  const { resource, subject, order, rememberOperations } = resolved;
  const patient = new Broker(client, resolved, () => resolved.timeoutMs);
  const cell = new JetstreamCell(patient, resource);
  return {
    kind: "jetstream",
    resource,
    async claim(claimed, claimOptions = {}) {
      const claimant = toClaimant(claimed);
      checkFence(claimant.fence);
      claimOptions.signal?.throwIfAborted();
      const broker = new Broker(client, resolved, () => limitOf(resolved, claimant));
      const { identity, isAlone, findings } = judgeStream(await broker.streamInfo(), resolved);
      const numbering = `jetstream/${identity}/${subject}`;
      const cellOptions = { resource, numbering, order, rememberOperations };
      const own = new JetstreamCell(broker, resource);
      const writer = await claimCell(own, cellOptions, claimant, claimOptions);
      return createHandle({ cell: own, cellOptions, isAlone, findings }, writer);
    },
    async inspect() {
      const { findings } = judgeStream(await patient.streamInfo(), resolved);
      const { sequence, fencing } = await cell.read();
      return { sequence, rows: fencing.rows, findings };
    },
    operator: {
      ...cellOperator(cell, resource),
      cover: async (coverOrder) => cover(patient, resource, coverOrder),
    },
  };
}

interface Site {
  readonly cell: JetstreamCell;
  readonly cellOptions: CellOptions;
  readonly isAlone: boolean;
  readonly findings: readonly JetstreamFinding[];
}

function createHandle({ cell, cellOptions, isAlone, findings }: Site, writer: Writer): JetstreamHandle {
  const { fence } = writer;
  return {
    resource: cellOptions.resource,
    fence,
    findings,
    async publish(payload, { headers = {}, ...write } = {}) {
      const ownHeaders = checkOwnHeaders(headers);
      if (typeof payload !== "function") bytesOf(payload);
      let stored: number | undefined;
      // Nobody has used a fresh name before; any other may have been published by somebody else since.
      const isFresh = write.attempt === undefined && write.opId === undefined;
      const from = isAlone && isFresh ? cell.remembering : cell;
      const known = await writeCell(from, cellOptions, writer, write, async () => {
        const bytes = bytesOf(typeof payload === "function" ? await payload() : payload);
        const onStored = (sequence: number) => void (stored = sequence);
        return { change: { fence, payload: bytes, headers: ownHeaders, onStored }, result: undefined };
      });
      return stored === undefined ? recalled(known) : { sequence: stored };
    },
  };
}

/** What the register answers for an operation that was published before. */
function recalled(known: unknown): { readonly sequence: number } {
  return known as { readonly sequence: number };
}

/** A copy: what the caller does with its bytes afterwards is its own business. */
function bytesOf(payload: unknown): Uint8Array {
  if (typeof payload === "string") return new TextEncoder().encode(payload);
  if (payload instanceof Uint8Array) return Uint8Array.from(payload);
  throw optionError("payload", payload, "a string, bytes, or a function that answers one");
}
