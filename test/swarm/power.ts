/** How much of what can go wrong was there: counted over all seeds, with floors, so that the swarm cannot go quiet. */

export type Power = Record<keyof typeof floors, number>;

/** At least so many per hundred seeds. */
export const floors = {
  terms: 500,
  takeovers: 150,
  successions: 100,
  extended: 2_000,
  uncertainRecovered: 50,
  lostLate: 10,
  ghosts: 2,
  adoptedTakes: 10,
  adoptedRenewals: 20,
  overruns: 10,
  requests: 50,
  bids: 30,
  offers: 30,
  offersTaken: 20,
  offersLapsed: 1,
  strayBids: 1,
  held: 10,
  clones: 10,
  clonesDetected: 5,
  wipes: 5,
  rollbacks: 10,
  recreations: 3,
  acknowledgedLost: 20,
  storeLost: 5,
  unproven: 10,
  judged: 10,
  refused: 20,
  lostCalls: 20,
  lostReplies: 20,
  lateReplies: 20,
  lateExecutions: 20,
  deliveredTwice: 20,
  pauses: 50,
  blocks: 20,
  suspends: 20,
  wallJumps: 20,
  bootJumps: 5,
  monotonicJumps: 5,
  crashes: 20,
  stops: 10,
  restarts: 20,
  cuts: 20,
  checked: 1_000,
  observed: 1_000,
} as const;

export function noPower(): Power {
  return Object.fromEntries(Object.keys(floors).map((name) => [name, 0])) as Power;
}

export function addPower(sum: Power, more: Power): void {
  for (const name of Object.keys(floors) as (keyof Power)[]) sum[name] += more[name];
}

/** What stays below its floor, in words. */
export function weaknesses(power: Power, seedCount: number): readonly string[] {
  return (Object.keys(floors) as (keyof Power)[])
    .filter((name) => power[name] < (floors[name] * seedCount) / 100)
    .map((name) => `${name}: ${power[name]} in ${seedCount} seeds, floor ${floors[name]} per hundred`);
}
