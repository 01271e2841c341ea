/**
 * The options common to all algorithms, and their one resolution.
 *
 * `resolveOptions` checks everything before anything is sent and returns a complete,
 * frozen object, so inner code has no optionals.
 */

import { defaultNode } from "../base/host.js";
import { callable, duration, metadata, optionError, text } from "../base/options.js";
import type { HistorySink } from "../history/line.js";
import type { Logger } from "./events.js";

export interface CommonOptions {
  /** What is led: candidates with the same name and namespace compete. 1 to 1 024 bytes, compared byte by byte. */
  readonly name: string;
  /** Separates tenants of one store; part of every key, metric and history line. Default "default". */
  readonly namespace?: string;
  /**
   * Label of this candidate, for people and for `transfer`. Default: host name, process id and a random part,
   * so that two replicas of one image differ. Never used to decide who leads.
   */
  readonly node?: string;
  /** Shown to observers of this leader, such as its URL. At most 4 KiB of JSON. Default none. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Asked before each take and each bid; false lets others go first. Default: always. */
  readonly eligible?: () => boolean;
  /** Hears of what needs an operator: failing listeners, unreadable records, work that returns at once. Default: silent. */
  readonly logger?: Logger;
  /** Called synchronously with each history line before the belief it announces takes effect. Default: none. */
  readonly history?: HistorySink;
  /**
   * How long work may take to settle after its term ended, ms, 0 to 3 600 000. Default 10 000: well under the
   * 30 s that Kubernetes grants a pod to end.
   */
  readonly drainMs?: number;
}

export interface ResolvedOptions {
  readonly name: string;
  readonly namespace: string;
  readonly node: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Never throws. */
  readonly eligible: () => boolean;
  readonly logger: Logger;
  readonly history: HistorySink | undefined;
  readonly drainMs: number;
}

export const commonOptionNames: readonly (keyof CommonOptions)[] = [
  "name",
  "namespace",
  "node",
  "metadata",
  "eligible",
  "logger",
  "history",
  "drainMs",
];

const always = () => true;
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const longestNameBytes = 1_024;
const longestMetadataBytes = 4_096;
const longestDrainMs = 3_600_000;

export function resolveOptions(options: CommonOptions): ResolvedOptions {
  // Defaults stand in for what is left out, not for null: that is somebody's mistake.
  const { namespace = "default", node = defaultNode(), eligible = always, history } = options;
  const { logger = silent, drainMs = 10_000 } = options;
  for (const level of ["debug", "info", "warn", "error"] as const) {
    if (typeof logger?.[level] !== "function")
      throw optionError(`logger.${level}`, logger?.[level], "a function");
  }
  const name = text("name", options.name, longestNameBytes);
  return Object.freeze({
    name,
    namespace: text("namespace", namespace, longestNameBytes),
    node: text("node", node, longestNameBytes),
    metadata: metadata("metadata", options.metadata, longestMetadataBytes),
    eligible: resolveEligible(eligible, name, logger),
    logger,
    history: history === undefined ? undefined : callable("history", history),
    drainMs: resolveDrainMs(drainMs),
  });
}

function resolveEligible(eligible: () => boolean, name: string, logger: Logger): () => boolean {
  callable("eligible", eligible);
  if (eligible === always) return always;
  return () => {
    try {
      return eligible();
    } catch (cause) {
      logger.error({ election: name, cause }, "eligible() threw; this node does not stand meanwhile");
      return false;
    }
  };
}

export function resolveDrainMs(drainMs: number): number {
  return duration("drainMs", drainMs, 0, longestDrainMs);
}

export function resolveMaxTermMs(maxTermMs: number): number {
  return duration("maxTermMs", maxTermMs, 1, 31_536_000_000);
}
