/**
 * What became of each fault, from the histories and the store's records alone.
 *
 * Nothing that the demo saw while it ran is used, so a run can be judged again from its
 * directory, and a forged history shows.
 */

import { type BeliefTerm, overlapsOf, type Scene } from "../../audit/index.js";
import type { HistoryLine } from "../../history/line.js";
import type { KeptVersion } from "../../stores/file/kept-versions.js";
import { boundsOf, type Plan } from "./bounds.js";
import { type FaultKind, faultKinds, silenceFault } from "./fault-kinds.js";

export interface Outcome {
  readonly fault: FaultKind;
  readonly victim: string;
  readonly token: number;
  readonly next: string;
  readonly nextToken: number;
  /** From the fault to the election of the next leader. */
  readonly takeoverMs: number;
  /** What it may be at most. */
  readonly boundMs: number;
  /** Calls meanwhile that the store did not answer in time, in any process. */
  readonly silences: number;
  /** Whether a leader that was asked to leave gave its lease back. */
  readonly released: boolean;
  /** From the last renewal to the next leader, by the clock of the store's files. */
  readonly leaderlessMs: number | undefined;
  /** How long the victim's belief lasted into another's. */
  readonly overlapMs: number;
  /** From the end of the victim's belief to the next election. */
  readonly marginMs: number;
  /** How long a frozen leader needed, once woken, to find itself not current. */
  readonly noticedMs: number | undefined;
}

export interface Measured {
  readonly outcomes: readonly Outcome[];
  readonly reasons: readonly string[];
}

type Fault = Extract<HistoryLine, { event: "fault" }>;

export function measure(scene: Scene, kept: readonly KeptVersion[], plan: Plan): Measured {
  const lines = scene.moments.map(({ line }) => line).filter((line): line is Fault => line.event === "fault");
  const outcomes: Outcome[] = [];
  const reasons: string[] = [];
  for (const line of lines) {
    const [verb, node] = line.fault.split(" ");
    const fault = faultKinds.find((kind) => kind === verb);
    if (fault === undefined) continue;
    const at = BigInt(line.at);
    const victim = scene.terms.find((term) => term.node === node && term.fromAt <= at && at < term.untilAt);
    const next = scene.terms.find((term) => term.fromAt > at && term.instance !== victim?.instance);
    if (victim === undefined) reasons.push(`no history says that ${node} led when it met "${line.fault}"`);
    else if (next === undefined) reasons.push(`no history tells of a leader after "${line.fault}"`);
    else {
      const noticed = fault === "freeze" ? noticedMs(scene, victim, at) : undefined;
      if (fault === "freeze" && noticed === undefined) {
        reasons.push(`${node} did not find itself not current as the first thing after it was woken`);
      }
      const silences = silencesIn(scene, at, next.fromAt);
      const released = victim.released?.line.outcome === "released";
      outcomes.push({
        fault,
        ...{ silences, released, boundMs: boundOf(plan, fault, silences, released) },
        victim: victim.node,
        token: victim.token,
        next: next.node,
        nextToken: next.token,
        takeoverMs: inMs(next.fromAt - at),
        leaderlessMs: leaderlessMs(kept, victim),
        overlapMs: overlapMs(scene, victim),
        marginMs: inMs(next.fromAt - victim.untilAt),
        noticedMs: noticed,
      });
    }
  }
  return { outcomes, reasons };
}

/** A lease that could not be given back, for want of an answer, runs out like that of a crashed leader. */
function boundOf(plan: Plan, fault: FaultKind, silences: number, released: boolean): number {
  const bounds = boundsOf(plan);
  const kept = fault === "stop" && !released && silences > 0;
  return bounds[kept ? "kill" : fault] + silences * plan.silenceMs;
}

function silencesIn({ moments }: Scene, fromAt: bigint, untilAt: bigint): number {
  const within = moments.filter(({ at }) => at >= fromAt && at <= untilAt);
  return within.filter(({ line }) => line.event === "fault" && line.fault === silenceFault).length;
}

function overlapMs(scene: Scene, victim: BeliefTerm): number {
  const overlaps = overlapsOf(scene.terms).filter(
    ({ earlier, later }) => earlier === victim || later === victim,
  );
  return Math.max(0, ...overlaps.map(({ ns }) => inMs(ns)));
}

/** Undefined unless the first line of the woken process says that its term was lost, by then long over. */
function noticedMs(scene: Scene, victim: BeliefTerm, frozenAt: bigint): number | undefined {
  const thaw = scene.moments.find(
    ({ at, line }) => at > frozenAt && line.event === "fault" && line.fault === `thaw ${victim.node}`,
  );
  if (thaw === undefined) return undefined;
  const told = scene.moments.filter(({ line }) => line.process === victim.process && line.event !== "fault");
  const first = told.find(({ at }) => at > thaw.at);
  if (first?.line.event !== "lost" || first.line.instance !== victim.instance) return undefined;
  return first.line.lateByMs > 0 ? inMs(first.at - thaw.at) : undefined;
}

function leaderlessMs(kept: readonly KeptVersion[], { instance, token }: BeliefTerm): number | undefined {
  const isOwn = ({ body }: KeptVersion) =>
    typeof body !== "string" && body.instance === instance && body.token === token;
  const last = kept.findLastIndex(isOwn);
  const [own, next] = [kept[last], kept[last + 1]];
  return own === undefined || next === undefined ? undefined : next.modifiedMs - own.modifiedMs;
}

function inMs(ns: bigint): number {
  return Number(ns) / 1e6;
}
