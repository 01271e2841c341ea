/** What a service that decides messages of leaders may get wrong, and the probes that must say so. */

import type { ReceivingGuard } from "../../../src/fence/index.js";
import type { FenceVerification } from "../../../src/fence/verify/index.js";

/** `outside`: what bodies work with, past any transaction. */
export type Broken = <T>(
  guard: ReceivingGuard<unknown, T>,
  outside: T,
) => Partial<ReceivingGuard<unknown, T>>;

export const sound: Broken = () => ({});

export const broken: readonly (readonly [
  what: string,
  wrong: Broken,
  shown: Readonly<Record<string, string>>,
])[] = [
  [
    "grants whatever is claimed",
    (guard) => ({
      claim: async (claimant) =>
        guard.claim(claimant).catch(() => {
          if ("fence" in claimant) claimant.sequence?.("numbers of nobody");
        }),
    }),
    { "lower-claim": "accepted", "equal-claim": "accepted", "foreign-claim": "accepted" },
  ],
  [
    "does whatever is asked",
    ({ receive }, outside) => ({
      receive: {
        ...receive,
        write: async (_, body) => ({ kind: "applied", result: await body(outside) }),
      },
    }),
    { "lower-write": "accepted", "unclaimed-write": "accepted", "reused-number": "accepted" },
  ],
  [
    "claims by the way",
    (guard) => ({
      receive: {
        ...guard.receive,
        async write(sent, body) {
          await guard.claim(sent.fence).catch(() => {});
          return guard.receive.write(sent, body);
        },
      },
    }),
    { "unclaimed-write": "accepted" },
  ],
  [
    "checks, and then does it",
    ({ receive }, outside) => ({
      receive: {
        ...receive,
        async write(sent, body) {
          const checked = await receive.read(sent.fence, () => {});
          if (checked.kind === "refused") return checked;
          return { kind: "applied", result: await body(outside) };
        },
      },
    }),
    { "delayed-write": "accepted", "reused-number": "accepted", "duplicate-write": "accepted" },
  ],
  [
    "knows operations by their number alone",
    ({ receive }) => ({
      receive: {
        ...receive,
        async write(sent, body) {
          const answer = await receive.write(sent, body);
          const reused = answer.kind === "refused" && answer.refusal.code === "SEQUENCE_REUSED";
          const known = { opId: sent.opId, returned: true, result: '"of another"' };
          return reused ? { kind: "duplicate", bySeq: true, known } : answer;
        },
      },
    }),
    { "reused-number": "accepted" },
  ],
];

export function outcomes({ probes }: FenceVerification): Readonly<Record<string, string>> {
  return Object.fromEntries(probes.map(({ id, outcome }) => [id, outcome]));
}

/** What of it is not as it must be. */
export function wrongIn(found: FenceVerification): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(outcomes(found)).filter(([, outcome]) => outcome !== "passed"));
}
