/**
 * What a foreign guard did, judged: P2 and atomicity from the values that were seen, by instants at the server.
 *
 * A value that anybody saw, or whose write was answered, was in force. What it had seen was in force right before it.
 * So the writes are known in their order, whatever order their answers came in; and a write that began after a higher
 * claim was answered, or that stands on what was read under one, came too late. Nothing here needs a clock.
 */

import { judgeRegister, type Loss, type RegisterCall } from "../../audit/index.js";
import type { Fence } from "../../fence/fence.js";
import type { BodyCall, ClaimCall, GuardRecord, Point } from "./guard-record.js";

/** The first of each kind, in words. */
export function judgeGuard(record: GuardRecord): readonly string[] {
  const inForce = new InForce(record);
  return [
    ...first(record.claims.flatMap((claim) => wrongClaim(record, claim))),
    ...first(inForce.bodies.flatMap((body) => wrongWrite(record, inForce, body))),
    ...first(inForce.bodies.flatMap((body) => wrongPlace(inForce, body))),
    ...first(repeats(inForce)),
    ...first(inForce.bodies.flatMap(lostUpdate)),
    ...first(wrongRefusals(record)),
    ...judgeRegister({ calls: callsOf(record, inForce), losses: lossesOf(record) }).map(
      ({ message }) => `the guarded value: ${message}`,
    ),
  ];
}

function first(stories: readonly string[]): readonly string[] {
  return stories.slice(0, 1).map((story) => `createGuard: ${story}`);
}

/** Writes that were there for certain. */
class InForce {
  readonly bodies: readonly BodyCall[];
  /** Whose transaction resolved, and no other send of the same write can have been the one that counted. */
  readonly answered: ReadonlySet<BodyCall>;
  readonly #byStamp: ReadonlyMap<string, BodyCall>;
  /** The last point at which a value is known to have stood still. */
  readonly #stoodUntil: ReadonlyMap<string | undefined, Point>;

  constructor({ bodies, reads }: GuardRecord) {
    const byStamp = new Map(bodies.map((body) => [body.stamp, body]));
    const stood = new Map<string | undefined, Point>();
    const sights = [...reads.map(({ saw, began }) => ({ saw, at: began }))];
    // Between two bodies of one transaction it was looked at again.
    sights.push(...bodies.map(({ saw, since }) => ({ saw, at: since })));
    for (const { saw, at } of sights) {
      const known = stood.get(saw.stamp);
      if (known === undefined || known.order < at.order) stood.set(saw.stamp, at);
    }
    const sends = new Map<string, number>();
    for (const body of bodies)
      if (body.last && body.settled !== "refused")
        sends.set(operationOf(body), (sends.get(operationOf(body)) ?? 0) + 1);
    const alone = (body: BodyCall) => sends.get(operationOf(body)) === 1;
    this.answered = new Set(bodies.filter((body) => body.last && body.settled === "done" && alone(body)));
    const found = new Set<BodyCall>(this.answered);
    const looked = [...reads, ...bodies].flatMap(({ saw }) => byStamp.get(saw.stamp ?? "") ?? []);
    for (const body of looked) found.add(body);
    this.bodies = [...found].toSorted((a, b) => a.began.order - b.began.order);
    this.#byStamp = byStamp;
    this.#stoodUntil = stood;
  }

  before({ saw }: BodyCall): BodyCall | undefined {
    return saw.stamp === undefined ? undefined : this.#byStamp.get(saw.stamp);
  }

  /** It was not there before this point. */
  notBefore({ began, saw }: BodyCall): Point {
    const stood = this.#stoodUntil.get(saw.stamp);
    return stood !== undefined && stood.order > began.order ? stood : began;
  }
}

function operationOf({ fence, opId }: BodyCall): string {
  return JSON.stringify([fence.token, fence.owner, opId]);
}

function outranks(claim: Fence, write: Fence): boolean {
  return claim.token > write.token || (claim.token === write.token && claim.owner !== write.owner);
}

function wrongClaim({ claims }: GuardRecord, claim: ClaimCall): readonly string[] {
  if (claim.settled !== "done") return [];
  const higher = claims.find((other) => isBefore(other, claim.began) && outranks(other.fence, claim.fence));
  if (higher === undefined) return [];
  const granted = `${who(claim.fence)} was granted a claim at ${ms(claim.began)}`;
  return [`${invariantOf(higher, claim.fence)}: ${granted}, after ${told(higher)}`];
}

function isBefore({ settled, ended }: ClaimCall, point: Point): boolean {
  return settled === "done" && ended !== undefined && ended.order < point.order;
}

function wrongWrite({ claims }: GuardRecord, inForce: InForce, body: BodyCall): readonly string[] {
  const { fence, opId } = body;
  const notBefore = inForce.notBefore(body);
  const higher = claims.find((claim) => isBefore(claim, notBefore) && outranks(claim.fence, fence));
  if (higher === undefined) return [];
  const wrote = `write ${opId} of ${who(fence)}, which took effect after ${ms(notBefore)}`;
  return [`${invariantOf(higher, fence)}: ${wrote}, was applied after ${told(higher)}`];
}

/** A write over one of a higher token. */
function wrongPlace(inForce: InForce, body: BodyCall): readonly string[] {
  const before = inForce.before(body);
  if (before === undefined || !outranks(before.fence, body.fence)) return [];
  const over = `write ${before.opId} of ${who(before.fence)}`;
  const what = before.fence.token > body.fence.token ? "I3" : "I4";
  return [`${what}: write ${body.opId} of ${who(body.fence)} was applied over ${over}`];
}

function repeats({ bodies }: InForce): readonly string[] {
  const once = new Map<string, BodyCall>();
  return bodies.flatMap((body) => {
    const key = operationOf(body);
    const other = once.get(key);
    once.set(key, body);
    if (other === undefined) return [];
    const times = `at ${ms(other.began)} and at ${ms(body.began)}`;
    return [`I9: write ${body.opId} of ${who(body.fence)} was applied twice: its body ran ${times}`];
  });
}

function lostUpdate({ read, saw, opId, fence, began }: BodyCall): readonly string[] {
  if (read === saw.count) return [];
  const built = `write ${opId} of ${who(fence)} was built on the count ${read}`;
  return [
    `lost update: ${built}, and replaced ${saw.count}, which write ${saw.opId} had put, at ${ms(began)}`,
  ];
}

/** A refusal needs a reason. */
function wrongRefusals({ claims, refusals }: GuardRecord): readonly string[] {
  const asked = [
    ...claims.flatMap(({ fence, code, ended }) =>
      code !== undefined && ended !== undefined ? [{ fence, code, ended }] : [],
    ),
    ...refusals,
  ];
  return asked.flatMap(({ fence, code, ended }) => {
    const others = claims.filter(({ began, settled }) => settled !== "refused" && began.order < ended.order);
    const outdone = others.some((claim) => outranks(claim.fence, fence));
    // Of numbers nothing is known here.
    if (outdone || code === "SEQUENCE_REUSED" || code === "ATTEMPT_TOO_OLD") return [];
    return [`${who(fence)} was refused with ${code} at ${ms(ended)}, though nobody had claimed above it`];
  });
}

function invariantOf({ fence }: ClaimCall, lower: Fence): string {
  return fence.token > lower.token ? "I3" : "I4";
}

function who({ token, owner }: Fence): string {
  return `token ${token} (owner ${owner})`;
}

function told({ fence, ended }: ClaimCall): string {
  return `the claim of ${who(fence)} had been answered at ${ended === undefined ? "?" : ms(ended)}`;
}

function ms({ atMs }: Point): string {
  return `${Math.round(atMs)} ms`;
}

function lossesOf({ losses }: GuardRecord): readonly Loss[] {
  return losses.map(({ point, left }) => ({ kind: "loss", at: instant(point), left }));
}

/** The value as a register: each body is a write over what it saw. */
function callsOf({ bodies, reads }: GuardRecord, { answered }: InForce): readonly RegisterCall[] {
  const looks = bodies.map((body) => ({ ...body, ended: body.began, began: body.since }));
  const shown = [...reads, ...looks].map(
    ({ fence, began, ended, saw }, place): RegisterCall => ({
      id: `read ${place}`,
      party: fence.owner,
      invokedAt: instant(began),
      answeredAt: instant(ended),
      call: { kind: "read" },
      answer: { kind: "read", version: saw.stamp, nonce: saw.stamp },
    }),
  );
  return [...shown, ...bodies.map((body) => writeOf(body, answered.has(body)))];
}

function writeOf(body: BodyCall, answered: boolean): RegisterCall {
  const { stamp, fence, began, ended, saw } = body;
  const refused = body.last && body.settled === "refused";
  const known = (answered || refused) && ended !== undefined;
  const answer = answered ? ({ kind: "written", version: stamp } as const) : ({ kind: "unproven" } as const);
  return {
    id: stamp,
    party: fence.owner,
    invokedAt: instant(began),
    answeredAt: known ? instant(ended) : undefined,
    call: { kind: "write", nonce: stamp, expected: saw.stamp },
    answer: known ? answer : undefined,
  };
}

/** What happened at one instant has its order too. */
function instant({ atMs, order }: Point): number {
  return atMs + order * 1e-7;
}
