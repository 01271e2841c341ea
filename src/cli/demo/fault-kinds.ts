/** The names of the demo's faults, as they stand in its history: "kill alpha". */

export type FaultKind = "kill" | "freeze" | "block" | "stop" | "transfer";
export const faultKinds: readonly FaultKind[] = ["kill", "freeze", "block", "stop", "transfer"];

/** Written before a leader that could not look at the clock may go on: "thaw alpha". */
export const wakingFaults = { freeze: "thaw", block: "unblock" } as const;

/** Written when a request for a handover was answered otherwise: "unmet alpha no-candidate". */
export const unmetFault = "unmet";

/** Written by a candidate whose store did not answer a call in time. Nobody did this on purpose. */
export const silenceFault = "silence";
