/** One term of one process, as its history lines and its calls tell it. */

export class TermStory {
  readonly token: number;
  readonly instance: string;
  readonly electedAt: number;
  untilAt: number;
  uncertain = false;
  lostAt: number | undefined;
  reason: string | undefined;
  releasedAt: number | undefined;
  lastSendAt: number;
  /** Send of the last write that was answered "written". */
  confirmedSendAt: number;
  releases = 0;
  /** Send of its take. */
  takenAt: number;
  /** It has sent its first renewal. */
  renewed = false;
  /** Writes that keep its lease after its work had settled. */
  settledDrains = 0;
  /** Nonces that are sent and not answered. */
  readonly open: Set<string> = new Set();

  constructor(token: number, instance: string, electedAt: number, untilAt: number, sentAt: number) {
    this.token = token;
    this.instance = instance;
    this.electedAt = electedAt;
    this.untilAt = untilAt;
    this.lastSendAt = electedAt;
    this.takenAt = electedAt;
    this.confirmedSendAt = sentAt;
  }

  /** Ended as somebody wished, so that the lease is kept while the work settles. */
  get wanted(): boolean {
    return wantedEnds.has(this.reason ?? "");
  }
}

const wantedEnds: ReadonlySet<string> = new Set([
  "stopped",
  "resigned",
  "transferred",
  "finished",
  "failed",
  "max-term",
  "outpaced",
]);
