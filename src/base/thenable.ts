/** Whether somebody has to be waited for: a promise of any kind, also of another realm or library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Waits only where there is something to wait for, since some transactions end at the first wait. */
export function after<V, W>(value: V | Promise<V>, step: (value: V) => W | Promise<W>): W | Promise<W> {
  if (!isThenable(value)) return step(value);
  const waited = Promise.resolve(value).then(step);
  // Whoever refuses to wait for it says so, and not what becomes of it.
  waited.catch(() => {});
  return waited;
}
