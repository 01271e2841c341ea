/** A reader follows slots, not processes: whatever runs in one slot, one after the other, is one party. */

/** `c.2` is the second process in slot `c`, `c.2'` a clone of it, which is a party of its own. */
export function laneOf(process: string): string {
  return process.replace(/\.[0-9]+(?='?$)/, "");
}
