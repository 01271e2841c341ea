/** Words for messages: who, and when counted from the first line of the boot. */

import type { Scene } from "./scene.js";

export function when({ startAt }: Pick<Scene, "startAt">, at: bigint): string {
  return `${inMs(at - startAt)} ms`;
}

/** Nanoseconds as milliseconds with three decimals, so that 1 µs shows. */
export function inMs(ns: bigint): string {
  return (Number(ns) / 1e6).toFixed(3);
}

export function who(of: { readonly node: string; readonly process: string; readonly token: number }): string {
  return `${of.node} (token ${of.token}, process ${of.process})`;
}
