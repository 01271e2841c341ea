// Electors with one flaw each, and correct ones that are not like ours.
import { leaseElector } from "./lease-elector.mjs";

export const correct = {
  plain: leaseElector(),
  "waits for twice the ttl": leaseElector({ slow: true }),
  "gives its lease back every twenty seconds": leaseElector({ rotates: true }),
};

export const broken = {
  "deadline from the reply": leaseElector({ deadlineFromReply: true }),
  "no deadline, as a boolean has": leaseElector({ noDeadline: true }),
  "deadline by the wall clock": leaseElector({ wallClock: true }),
  "sleep does not count": leaseElector({ monotonicOnly: true }),
  "believes for the whole ttl": leaseElector({ belief: 1 }),
  "believes for nine tenths of the ttl": leaseElector({ belief: 0.9 }),
  "waits for half of the ttl": leaseElector({ halfWait: true }),
  "counts the wait from the send of a look": leaseElector({ sinceSend: true }),
  "takes over whatever version stands": leaseElector({ blindTake: true }),
  "tokens do not rise": leaseElector({ sameToken: true }),
  "renews after its deadline, over any record": leaseElector({ neverGivesUp: true, noDeadline: true }),
  "leaves a timer behind": leaseElector({ leavesTimer: true }),
  "passes after stop": leaseElector({ keepsOnStop: true, noDeadline: true }),
  "never settles stop": leaseElector({ hangsOnStop: true }),
};
