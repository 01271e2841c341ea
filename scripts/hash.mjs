import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * @param {string} path
 * @returns {string} what stands in the evidence for this very content
 */
export function hashOfFile(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
}
