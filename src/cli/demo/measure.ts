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
import { type FaultKind, faultKinds, silenceFault, unmetFault, wakingFaults } from "./fault-kinds.js";
import { believedTerms, inMs } from "./overlaps.js";

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
  /** What the pause between the two beliefs may be, where one is promised by itself. */
  readonly gapBoundMs: number | undefined;
  /** Calls meanwhile that the store did not answer in time, in any process. */
  readonly silences: number;
  /** Whether a leader that was asked to leave, or to hand over, gave its lease back. */
  readonly released: boolean;
  /** From the last renewal to the next leader, by the clock of the store's files. */
  readonly leaderlessMs: number | undefined;
  /** How long the victim's belief lasted into another's. */
  readonly overlapMs: number;
  /** From the end of the victim's belief to the next election: negative when they overlapped. */
  readonly gapMs: number;
  /** How long a leader that could not look needed, once it could, to find itself not current. */
  readonly noticedMs: number | undefined;
}

export interface Measured {
  readonly outcomes: readonly Outcome[];
  readonly reasons: readonly string[];
}

type Fault = Extract<HistoryLine, { event: "fault" }>;

export function measure(scene: Scene, kept: readonly KeptVersion[], plan: Plan): Measured {
  const lines = scene.moments.map(({ line }) => line).filter((line): line is Fault => line.event === "fault");
  const terms = believedTerms(scene);
  const outcomes: Outcome[] = [];
  const reasons: string[] = [];
  for (const line of lines) {
    const [verb, node] = line.fault.split(" ");
    const fault = faultKinds.find((kind) => kind === verb);
    if (fault === undefined) continue;
    const at = BigInt(line.at);
    const victim = terms.find((term) => term.node === node && term.fromAt <= at && at < term.untilAt);
    const next = terms.find((term) => term.fromAt > at && term.instance !== victim?.instance);
    const unmet = fault === "transfer" ? unmetIn(lines, line) : undefined;
    if (victim === undefined) reasons.push(`no history says that ${node} led when it met "${line.fault}"`);
    else if (unmet !== undefined) reasons.push(`transfer of ${node} was not done: ${unmet}`);
    else if (next === undefined) reasons.push(`no history tells of a leader after "${line.fault}"`);
    else {
      const wakes = fault === "freeze" || fault === "block";
      const noticed = wakes ? noticedMs(scene, victim, at, wakingFaults[fault]) : undefined;
      if (wakes && noticed === undefined) {
        reasons.push(
          `${fault}: ${node} did not find itself not current as the first thing when it could go on`,
        );
      }
      outcomes.push({
        fault,
        victim: victim.node,
        token: victim.token,
        next: next.node,
        nextToken: next.token,
        takeoverMs: inMs(next.fromAt - at),
        ...allowed(plan, fault, victim, silencesIn(scene, at, next.fromAt)),
        leaderlessMs: leaderlessMs(kept, victim),
        overlapMs: overlapMs(terms, victim),
        gapMs: inMs(next.fromAt - victim.untilAt),
        noticedMs: noticed,
      });
    }
  }
  return { outcomes, reasons };
}

/** The answer to a request that did not lead to a handover, where it is what came next. */
function unmetIn(lines: readonly Fault[], request: Fault): string | undefined {
  const after = lines.slice(lines.indexOf(request) + 1).find(({ fault }) => fault !== silenceFault);
  const [verb, , outcome] = after?.fault.split(" ") ?? [];
  return verb === unmetFault ? outcome : undefined;
}

type Allowed = Pick<Outcome, "boundMs" | "gapBoundMs" | "silences" | "released">;

function allowed(plan: Plan, fault: FaultKind, { released: end }: BeliefTerm, silences: number): Allowed {
  const bounds = boundsOf(plan);
  const released = end?.line.outcome === "released";
  const extraMs = silences * plan.silenceMs;
  // A lease that could not be given back, for want of an answer, runs out like that of a crashed leader.
  const expired = !released && silences > 0;
  const givesBack = fault === "stop" || fault === "transfer";
  const boundMs = (givesBack && expired ? bounds.kill : bounds[fault]) + extraMs;
  const gapBoundMs = fault === "transfer" ? (expired ? bounds.kill : bounds.gap) + extraMs : undefined;
  return { boundMs, gapBoundMs, silences, released };
}

function silencesIn({ moments }: Scene, fromAt: bigint, untilAt: bigint): number {
  const within = moments.filter(({ at }) => at >= fromAt && at <= untilAt);
  return within.filter(({ line }) => line.event === "fault" && line.fault === silenceFault).length;
}

function overlapMs(terms: readonly BeliefTerm[], victim: BeliefTerm): number {
  const overlaps = overlapsOf(terms).filter(({ earlier }) => earlier === victim);
  return Math.max(0, ...overlaps.map(({ ns }) => inMs(ns)));
}

/** Undefined unless the first line of the process that may go on says that its term was lost, by then long over. */
function noticedMs(scene: Scene, victim: BeliefTerm, faultAt: bigint, verb: string): number | undefined {
  const mark = scene.moments.find(
    ({ at, line }) => at > faultAt && line.event === "fault" && line.fault === `${verb} ${victim.node}`,
  );
  if (mark === undefined) return undefined;
  const told = scene.moments.filter(({ line }) => line.process === victim.process && line.event !== "fault");
  const first = told.find(({ at }) => at > mark.at);
  if (first?.line.event !== "lost" || first.line.instance !== victim.instance) return undefined;
  return first.line.lateByMs > 0 ? inMs(first.at - mark.at) : undefined;
}

function leaderlessMs(kept: readonly KeptVersion[], { instance, token }: BeliefTerm): number | undefined {
  const isOwn = ({ body }: KeptVersion) =>
    typeof body !== "string" && body.instance === instance && body.token === token;
  const last = kept.findLastIndex(isOwn);
  const [own, next] = [kept[last], kept[last + 1]];
  return own === undefined || next === undefined ? undefined : next.modifiedMs - own.modifiedMs;
}
