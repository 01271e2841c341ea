/** `tenure/fence/memory`: a guarded value in this process. */

export { type MemoryGuardOptions, memoryGuard } from "./guard.js";
export type { Inspection, ValueGuard, ValueHandle, ValueTransaction } from "../value-guard.js";
