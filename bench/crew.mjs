/**
 * Candidate processes as the bench sees them: what each told last, and waiting for a state.
 *
 * Promise: every wait ends, with the state wanted, at its limit, when a candidate fails or exits
 * that should not, or when the run is interrupted; and says what it waited for.
 */

/** @typedef {import("./candidate.mjs").FromCandidate} FromCandidate */
/** @typedef {import("./candidate.mjs").Order} Order */

/**
 * @typedef {import("../src/history/line.js").HistoryLine} HistoryLine
 */

/**
 * @typedef {object} Candidate
 * @property {string} node
 * @property {boolean} standing
 * @property {number | undefined} leads token of the term it leads
 * @property {number | undefined} sees token of the leader it saw last, itself included
 * @property {bigint} electedAt history's nanoseconds
 * @property {number} electedWall wall clock of the same line, ms
 * @property {bigint} confirmedAt when its last confirmed write was sent
 * @property {bigint} lostAt
 * @property {number} renewals of its present term
 * @property {number} leaderlessMs from its budget
 * @property {string | undefined} failure
 * @property {(order: Order) => void} order
 * @property {() => bigint} kill as `kill -9`; answers the instant before it
 */

/**
 * @typedef {object} Crew
 * @property {readonly HistoryLine[]} history what all have believed until now
 * @property {(node: string) => Candidate} start
 * @property {(candidate: Candidate) => void} forget its failures matter no more
 * @property {<T>(what: string, look: () => T | undefined) => Promise<T>} until
 */

/**
 * Where they stand: a store that all of them can open, and the bare operation under it.
 *
 * @typedef {object} Place
 * @property {string} store what `openStore` takes
 * @property {string} bareName
 * @property {() => Promise<number>} bareWrite does it once and answers how long it took, ms
 * @property {(leader: Candidate, next: Candidate) => Promise<number>} leaderlessMs from the last renewal of a leader
 *   that was killed until the next one was elected
 */

/** @typedef {(session: import("./session.mjs").Session, name: string) => Promise<Place>} OpenPlace */

/** Several times what any wait here takes on a busy machine. */
const limitMs = 30_000;

/**
 * @param {import("./session.mjs").Session} session
 * @param {{ readonly store: string, readonly ttlMs: number }} settings `store` as `openStore` takes it
 * @returns {Crew}
 */
export function createCrew(session, { store, ttlMs }) {
  /** @type {Set<Candidate>} */
  const watched = new Set();
  /** @type {Set<() => void>} */
  const looks = new Set();
  /** @type {HistoryLine[]} */
  const history = [];
  const change = () => {
    for (const look of looks) look();
  };
  return {
    history,
    start(node) {
      const child = session.start("candidate.mjs", [store, node, String(ttlMs)]);
      const candidate = createCandidate(node, child);
      watched.add(candidate);
      child.on("message", (message) => {
        take(candidate, /** @type {FromCandidate} */ (message), { history, ttlMs });
        change();
      });
      const fail = (/** @type {string} */ failure) => {
        candidate.failure ??= failure;
        change();
      };
      child.on("error", (cause) => fail(String(cause)));
      child.on("exit", (code, signal) => fail(`exited with ${code ?? signal}`));
      return candidate;
    },
    forget: (candidate) => void watched.delete(candidate),
    until(what, look) {
      return new Promise((resolve, reject) => {
        const settle = (/** @type {() => void} */ act) => {
          clearTimeout(timer);
          looks.delete(ask);
          session.interrupted.removeEventListener("abort", ask);
          act();
        };
        const ask = () => {
          const failed = [...watched].find(({ failure }) => failure !== undefined);
          const found = look();
          if (session.interrupted.aborted)
            settle(() => reject(/** @type {Error} */ (session.interrupted.reason)));
          else if (failed)
            settle(() => reject(new Error(`${failed.node}: ${failed.failure}, before ${what}`)));
          else if (found !== undefined) settle(() => resolve(found));
        };
        const timer = setTimeout(
          () => settle(() => reject(new Error(`${what}: not within ${limitMs} ms`))),
          limitMs,
        );
        looks.add(ask);
        session.interrupted.addEventListener("abort", ask);
        ask();
      });
    },
  };
}

/**
 * @param {string} node
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Candidate}
 */
function createCandidate(node, child) {
  /** @type {Candidate} */
  const candidate = {
    node,
    standing: false,
    leads: undefined,
    sees: undefined,
    electedAt: 0n,
    electedWall: 0,
    confirmedAt: 0n,
    lostAt: 0n,
    renewals: 0,
    leaderlessMs: 0,
    failure: undefined,
    order(order) {
      // Whatever it tells until it stands again is no answer of a candidate.
      candidate.standing = false;
      child.send(order);
    },
    kill() {
      const at = process.hrtime.bigint();
      child.kill("SIGKILL");
      return at;
    },
  };
  return candidate;
}

/**
 * @param {Candidate} candidate
 * @param {FromCandidate} message
 * @param {{ readonly history: HistoryLine[], readonly ttlMs: number }} about
 */
function take(candidate, message, { history, ttlMs }) {
  if (message.said === "standing") {
    Object.assign(candidate, { standing: true, sees: undefined, leaderlessMs: message.leaderlessMs });
  } else if (message.said === "kept") candidate.standing = true;
  else if (message.said === "sees") candidate.sees = message.token;
  else if (message.said === "failed") candidate.failure = message.message;
  else {
    const line = /** @type {HistoryLine} */ (JSON.parse(message.line));
    history.push(line);
    const { event, at, wall } = line;
    if (event === "elected") {
      const electedAt = BigInt(at);
      Object.assign(candidate, { leads: line.token, electedAt, electedWall: wall, renewals: 0 });
    }
    if (event === "extended") candidate.renewals += 1;
    if (event === "elected" || event === "extended") candidate.confirmedAt = sentAt(line.until, ttlMs);
    if (event === "lost") Object.assign(candidate, { leads: undefined, lostAt: BigInt(at) });
  }
}

/**
 * When a write was sent that made the belief last until then: the deadline is that instant + ttl / 1.5 (rule 3).
 *
 * @param {string} until
 * @param {number} ttlMs
 * @returns {bigint} history's nanoseconds
 */
export function sentAt(until, ttlMs) {
  return BigInt(until) - BigInt(Math.round((ttlMs / 1.5) * 1e6));
}

/**
 * @param {bigint} fromAt
 * @param {bigint} untilAt
 * @returns {number} ms
 */
export function msBetween(fromAt, untilAt) {
  return Number(untilAt - fromAt) / 1e6;
}
