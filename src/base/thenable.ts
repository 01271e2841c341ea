/** Whether somebody has to be waited for: a promise of any kind, also of another realm or library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
