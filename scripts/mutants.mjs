// Mutants, as the built package reads them.

/** @typedef {import("../src/lab/mutants/mutant.js").Mutant} Mutant */

export const { readMutants, applyMutant, hashOf } =
  /** @type {typeof import("../src/lab/mutants/mutant.js")} */ (
    await import(new URL("../dist/lab/mutants/mutant.js", import.meta.url).href)
  );
