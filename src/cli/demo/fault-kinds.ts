/** The names of the demo's faults, as they stand in its history: "kill alpha". */

export type FaultKind = "kill" | "freeze" | "stop";
export const faultKinds: readonly FaultKind[] = ["kill", "freeze", "stop"];

/** Written by a candidate whose store did not answer a call in time. Nobody did this on purpose. */
export const silenceFault = "silence";
