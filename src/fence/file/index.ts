/** `tenure/fence/file`: a guarded value in a directory, for the processes of one host. */

export { fileGuard } from "./guard.js";
export type { FileGuardOptions } from "./open.js";
export type { Inspection, ValueGuard, ValueHandle, ValueTransaction } from "../value-guard.js";
