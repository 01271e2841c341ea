/** The faults as they stand in the harness's history, and reading them back. */

/**
 * `element`: the write that the client was about to make; with `stop-applier` and `kill-applier`, the one that `node` was
 * applying.
 *
 * @typedef {{ readonly kind: "stop-at-gate" | "stop-inside" | "stop-applier" | "kill-applier" | "cut" | "double", readonly node: string, readonly element: string }
 *   | { readonly kind: "kill", readonly node: string, readonly element?: string }
 *   | { readonly kind: "stop" | "continue", readonly node: string }} Fault
 */

/** @param {Fault} fault */
export function faultText(fault) {
  const element = "element" in fault ? [fault.element] : [];
  return [fault.kind, fault.node, ...element].join(" ");
}

/**
 * @param {string} text
 * @returns {{ readonly kind: Fault["kind"], readonly node: string, readonly element: string | undefined }}
 */
export function readFault(text) {
  const [kind = "", node = "", element] = text.split(" ");
  return { kind: /** @type {Fault["kind"]} */ (kind), node, element };
}
