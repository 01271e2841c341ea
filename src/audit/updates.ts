/**
 * Lost updates of one resource, whose every write adds one to the value it read.
 *
 * Promise: from the writes in the order in which they were applied it tells each one that did not build on the value
 * before it, with the write that it undid. A second opinion that needs neither tokens nor clocks.
 */

export interface Update {
  readonly opId: string;
  readonly read: number;
  readonly wrote: number;
}

export interface UpdateStory {
  readonly message: string;
  /** The write that was undone, where there is one, and the write that did it. */
  readonly updates: readonly Update[];
}

/** `initial`: what the first of them should have read. */
export function lostUpdates(applied: readonly Update[], initial: number = 0): readonly UpdateStory[] {
  const stories: UpdateStory[] = [];
  for (const [place, update] of applied.entries()) {
    const before = applied[place - 1]?.wrote ?? initial;
    if (update.read !== before || update.wrote !== update.read + 1)
      stories.push(tell(applied, place, before));
  }
  return stories;
}

function tell(applied: readonly Update[], place: number, before: number): UpdateStory {
  const update = applied[place] as Update;
  const { opId, read, wrote } = update;
  const did = `${opId} read ${read} and wrote ${wrote}`;
  if (wrote !== read + 1) return { message: `${did}: a write adds one to what it read`, updates: [update] };
  if (read > before) {
    const message = `${did}, but ${before} stood: what it built on was never there, or was forgotten`;
    return { message, updates: [update] };
  }
  // Everything since the value that it read.
  const since = applied.findLastIndex(({ wrote }, index) => index < place && wrote === read) + 1;
  const lost = applied.slice(since, place);
  const [first] = lost;
  if (first === undefined) return { message: `${did}, but ${before} stood`, updates: [update] };
  const more = lost.length === 1 ? "is lost" : `and ${lost.length - 1} more are lost`;
  const message = `${did}, although ${first.opId} had written ${first.wrote} before: ${first.opId} ${more}`;
  return { message, updates: [first, update] };
}
