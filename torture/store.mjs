/** The store of a run, opened as the command opens it: what its URLs know, this knows. */

import process from "node:process";
import { openStore } from "../dist/cli/stores.js";

/**
 * @param {string | undefined} url
 * @param {number} ttlMs
 * @throws a usage error that says which stores there are
 */
export function openTortureStore(url, ttlMs) {
  const settings = {
    store: url,
    namespace: "default",
    node: undefined,
    ttlMs,
    drainMs: 10_000,
    // All clients are processes of this host, wherever it runs.
    local: true,
    effective: [],
    file: undefined,
  };
  const terminal = {
    environment: process.env,
    directory: process.cwd(),
    out() {},
    err() {},
    redraw: undefined,
    interrupted: new AbortController().signal,
  };
  return openStore(settings, terminal, "stand");
}
