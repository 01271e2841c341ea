/** What was found out about a server, each thing once. The array is replaced when something is added. */

import type { StoreFinding } from "../../lease/store.js";
import { type Inspection, replicas } from "./inspection.js";

export class Findings {
  #all: readonly StoreFinding[] = Object.freeze([]);

  get all(): readonly StoreFinding[] {
    return this.#all;
  }

  inspected({ findings }: Inspection): void {
    for (const finding of findings) this.#add(finding);
  }

  /** Replicas may come while the elections run. */
  replicas(count: number): void {
    const finding = replicas(count);
    if (finding !== undefined) this.#add(finding);
  }

  #add(finding: StoreFinding): void {
    if (this.#all.some(({ code }) => code === finding.code)) return;
    this.#all = Object.freeze([...this.#all, finding]);
  }
}
