/**
 * What a client writes down about each of its writes, and the writes put together again.
 *
 * One JSON object a line, one file for each process, instants in nanoseconds of the clock that
 * histories use. These are claims; the verdict holds them against what lies on disk.
 */

/**
 * @typedef {object} About
 * @property {string} node
 * @property {number} token
 * @property {string} element unique; names the write
 */

/**
 * - `read`: the resource was read and the check passed. `readAt` is before the reading began, `saw` what it showed.
 * - `sent`: the next statement is the write.
 * - `acknowledged`, `refused` (a newer term has claimed), `failed` (nothing was applied), `unknown`: the answer.
 *
 * @typedef {{ readonly kind: "read", readonly at: string, readonly readAt: string, readonly saw: unknown } & About
 *   | { readonly kind: "sent" | "acknowledged", readonly at: string, readonly element: string }
 *   | { readonly kind: Denied, readonly at: string, readonly element: string, readonly code: string, readonly why?: string }} WorkLine
 */

/** @typedef {"refused" | "failed" | "unknown"} Denied */

/**
 * What a double writes down: a second process that made a leader's write.
 *
 * @typedef {object} DoubleLine
 * @property {"double"} kind
 * @property {string} at when it wrote
 * @property {string} element
 * @property {number} token of the leader whose copy it had
 * @property {"acknowledged" | Denied} outcome
 * @property {string} [code]
 */

/**
 * @typedef {object} Stages
 * @property {bigint} readAt
 * @property {bigint} checkedAt
 * @property {unknown} saw
 * @property {bigint | undefined} sentAt undefined when its process was killed before
 * @property {"acknowledged" | Denied} outcome unknown also when its process was killed over it
 * @property {bigint | undefined} answeredAt
 * @property {string | undefined} code
 * @property {string | undefined} why
 */

/** @typedef {About & Stages} Write */

/**
 * A last line without its end is that of a process that was killed over it.
 *
 * @param {string} text
 * @returns {readonly (WorkLine | DoubleLine)[]}
 */
export function readWorkLines(text) {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => /** @type {WorkLine | DoubleLine} */ (JSON.parse(line)));
}

/**
 * In the order in which they were checked.
 *
 * @param {readonly WorkLine[]} lines
 * @returns {readonly Write[]}
 */
export function writesOf(lines) {
  /** @type {Map<string, Write>} */
  const writes = new Map();
  for (const line of lines) {
    if (line.kind !== "read") continue;
    const { node, token, element, saw } = line;
    if (writes.has(element)) throw new Error(`two writes are called ${element}`);
    const [readAt, checkedAt] = [BigInt(line.readAt), BigInt(line.at)];
    const about = { node, token, element, readAt, checkedAt, saw };
    const open = { sentAt: undefined, outcome: /** @type {const} */ ("unknown"), answeredAt: undefined };
    writes.set(element, { ...about, ...open, code: undefined, why: undefined });
  }
  for (const line of lines) {
    if (line.kind === "read") continue;
    const write = writes.get(line.element);
    if (write === undefined) throw new Error(`${line.element} was ${line.kind} and never read for`);
    if (line.kind === "sent") write.sentAt = BigInt(line.at);
    else {
      const { code, why } = "code" in line ? line : { code: undefined, why: undefined };
      Object.assign(write, { outcome: line.kind, answeredAt: BigInt(line.at), code, why });
    }
  }
  return [...writes.values()].toSorted((a, b) => (a.checkedAt < b.checkedAt ? -1 : 1));
}
