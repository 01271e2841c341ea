/** Words for a register's contradictions: the few calls that cannot all be true, and what should have held. */

import type { Loss, RegisterCall, RegisterStory } from "./register.js";
import type { Branch, Move, Step } from "./register-branch.js";
import type { Link, Versions } from "./register-versions.js";

export function storyOf(message: string, ...calls: readonly RegisterCall[]): RegisterStory {
  return { message, calls: [...new Set(calls)].toSorted((a, b) => a.invokedAt - b.invokedAt) };
}

/** Who called what, and when. */
export function nameOf({ party, call, invokedAt, answeredAt, answer }: RegisterCall): string {
  const what = call.kind === "read" ? "read" : `write of ${call.nonce}`;
  if (answer === undefined) return `${party}'s ${what} (sent at ${ms(invokedAt)} ms, outcome unknown)`;
  return `${party}'s ${what} (${ms(invokedAt)} to ${answeredAt === undefined ? "?" : ms(answeredAt)} ms)`;
}

/** Why this call cannot have been answered so: what it shows needs a version that had gone by then, or never came. */
export function tellCall(
  versions: Versions,
  branch: Branch,
  call: RegisterCall,
  version: string | undefined,
): RegisterStory {
  const endAt = call.answeredAt ?? Number.MAX_VALUE;
  const passed = new Set<string>();
  const start = startOf(branch.trail);
  let needed = version;
  /** What came right after the needed version. */
  let next: Link | undefined;
  for (;;) {
    const left = leaving(branch.trail, needed);
    if (left !== undefined) return next === undefined ? stale(call, left) : forked(call, next, left);
    if (needed === undefined || passed.has(needed)) break;
    passed.add(needed);
    const makers = versions.makersOf(needed);
    const maker = makers.find(({ invokedAt }) => invokedAt <= endAt) ?? makers[0];
    if (maker === undefined) break;
    if (maker.invokedAt > endAt) return early(call, needed, maker);
    // Carried out before anything that is known.
    if (start !== undefined && maker.mayRepeat !== true && (maker.answeredAt ?? endAt) < start.at) break;
    next = { version: needed, maker };
    needed = maker.call.expected;
  }
  return unexplained(branch, call, needed, next);
}

/** A loss that left what had not been written. */
export function tellLoss(versions: Versions, { at, left }: Loss): RegisterStory {
  const makers = left === undefined ? [] : versions.makersOf(left);
  const [maker] = makers;
  const why = maker === undefined ? "nobody had written" : `${nameOf(maker)} cannot have made before`;
  return storyOf(`the loss at ${ms(at)} ms left ${said(left)}, which ${why}`, ...makers.slice(0, 1));
}

/** The newest step away from a version. */
function leaving(trail: Step | undefined, version: string | undefined): Step | undefined {
  let step = trail;
  while (step !== undefined && (step.over !== version || step.version === version)) step = step.before;
  return step;
}

function stale(call: RegisterCall, left: Step): RegisterStory {
  const shown = `${nameOf(call)} was shown ${said(left.over)}`;
  if ("loss" in left) {
    return storyOf(
      `${shown}, which the loss at ${ms(left.loss.at)} ms had taken (it left ${said(left.version)})`,
      call,
    );
  }
  const { maker, version } = left;
  const message =
    `${shown}, although ${nameOf(maker)} had replaced it by ${version}${evidenceOf(left)}: ` +
    "nobody is shown what was gone before they asked";
  return storyOf(message, maker, ...witnessOf(left), call);
}

function forked(call: RegisterCall, { version, maker }: Link, left: Step): RegisterStory {
  const shows = call === maker ? "" : `, as ${nameOf(call)} shows,`;
  const did = `${nameOf(maker)} made ${version}${shows} over ${said(left.over)}`;
  if ("loss" in left) {
    const taken = `which the loss at ${ms(left.loss.at)} ms had taken (it left ${said(left.version)})`;
    return storyOf(`${did}, ${taken}`, maker, call);
  }
  const message =
    `${did}, although ${nameOf(left.maker)} had replaced that by ${left.version}${evidenceOf(left)}: ` +
    "of two writes over one version only one is carried out";
  return storyOf(message, left.maker, ...witnessOf(left), maker, call);
}

function early(call: RegisterCall, version: string, maker: RegisterCall): RegisterStory {
  const message = `${nameOf(call)} was shown ${version} before its write was sent: that is ${nameOf(maker)}`;
  return storyOf(message, call, maker);
}

function unexplained(
  { trail }: Branch,
  call: RegisterCall,
  needed: string | undefined,
  next: Link | undefined,
): RegisterStory {
  const start = startOf(trail);
  const since = start && `since the loss at ${ms(start.at)} ms left ${said(start.left)}`;
  const stood = `${said(needed)}, which had not stood ${since ?? "until then"}`;
  if (next === undefined) return storyOf(`${nameOf(call)} was shown ${stood}`, call);
  const { maker, version } = next;
  const message =
    `${nameOf(maker)} made ${version} over ${stood}: ` +
    "a write is carried out only over the version it expects";
  return storyOf(message, maker, call);
}

/** The loss that a trail begins with. */
function startOf(trail: Step | undefined): Loss | undefined {
  let first = trail;
  while (first?.before !== undefined) first = first.before;
  return first !== undefined && "loss" in first ? first.loss : undefined;
}

/** How it is known that the version had gone, unless whoever wrote over it was told so. */
function evidenceOf({ maker, because }: Move): string {
  if (because === maker) return "";
  if ("left" in because) return ` before the loss at ${ms(because.at)} ms`;
  return `, as ${nameOf(because)} shows`;
}

function witnessOf({ because }: Move): readonly RegisterCall[] {
  return "left" in because ? [] : [because];
}

function said(version: string | undefined): string {
  return version ?? "no record";
}

/** At most a microsecond's digits. */
function ms(instant: number): string {
  return String(Math.round(instant * 1e3) / 1e3);
}
