/**
 * A typed emitter whose listeners cannot hurt the emitter.
 *
 * No "error" event that ends the process, no listener limit, no order promise
 * between listeners beyond registration order. A listener that throws, or
 * returns a promise that rejects, is reported to `onFault` and nothing else changes.
 */

export interface Emitter<Events> {
  emit<K extends keyof Events>(event: K, value: Events[K]): void;
  on<K extends keyof Events>(
    event: K,
    listener: (value: Events[K]) => unknown,
    options?: { readonly signal?: AbortSignal | undefined },
  ): () => void;
  /** Forgets every listener. */
  clear(): void;
}

type AnyListener = (value: never) => unknown;

export function createEmitter<Events>(
  onFault: (event: keyof Events, cause: unknown) => void,
): Emitter<Events> {
  const listeners = new Map<keyof Events, Map<symbol, AnyListener>>();
  const cleanups = new Set<() => void>();

  function on<K extends keyof Events>(
    event: K,
    listener: (value: Events[K]) => unknown,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): () => void {
    const { signal } = options;
    if (signal?.aborted === true) return () => {};
    const id = Symbol();
    const group = listeners.get(event) ?? new Map<symbol, AnyListener>();
    listeners.set(event, group.set(id, listener));
    const off = () => {
      group.delete(id);
      cleanups.delete(off);
      signal?.removeEventListener("abort", off);
    };
    cleanups.add(off);
    signal?.addEventListener("abort", off, { once: true });
    return off;
  }

  function emit<K extends keyof Events>(event: K, value: Events[K]): void {
    for (const listener of [...(listeners.get(event)?.values() ?? [])]) {
      try {
        const result = (listener as (value: Events[K]) => unknown)(value);
        Promise.resolve(result).catch((cause: unknown) => onFault(event, cause));
      } catch (cause) {
        onFault(event, cause);
      }
    }
  }

  return {
    emit,
    on,
    clear: () => {
      for (const off of [...cleanups]) off();
    },
  };
}
