/**
 * Calls every listener, whatever one of them throws: that surfaces as an uncaught error
 * of its own, as it would if each had a timer or an event target to itself.
 */

/** A listener that is removed before its turn is not called. */
export function callEach<T>(listeners: Iterable<T>, call: (listener: T) => void): void {
  for (const listener of listeners) {
    try {
      call(listener);
    } catch (cause) {
      queueMicrotask(() => {
        throw cause;
      });
    }
  }
}
