/** Words for messages: who, and when counted from the first line of the boot; and each cause told once. */

import type { Scene } from "./scene.js";
import type { Violation } from "./verdict.js";

export function when({ startNs }: Pick<Scene, "startNs">, ns: number): string {
  return `${inMs(ns - startNs)} ms`;
}

/** Nanoseconds as milliseconds with three decimals, so that 1 µs shows. */
export function inMs(ns: number): string {
  return (ns / 1e6).toFixed(3);
}

export function who(of: { readonly node: string; readonly process: string; readonly token: number }): string {
  return `${of.node} (token ${of.token}, process ${of.process})`;
}

/** Tells the first violation of each cause, and how many more there were. */
export class Stories {
  readonly #causes = new Map<string, { readonly violation: Violation; more: number }>();

  tell(cause: readonly (string | number)[], violation: () => Violation): void {
    const key = JSON.stringify(cause);
    const told = this.#causes.get(key);
    if (told === undefined) this.#causes.set(key, { violation: violation(), more: 0 });
    else told.more += 1;
  }

  all(): readonly Violation[] {
    return [...this.#causes.values()].map(({ violation, more }) =>
      more === 0 ? violation : { ...violation, message: `${violation.message} (${more} more like this)` },
    );
  }
}
