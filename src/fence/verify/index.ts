/** `tenure/fence/verify`: whether a resource refuses what it must. */

export type { FenceProbe, FenceProbeId, Finding } from "./finding.js";
export type { ProbedLedger, VerifyRabbitmqOptions } from "./rabbitmq/options.js";
export { verifyRabbitmqFence } from "./rabbitmq/verify.js";
export type { ProbedGuard, ProbeWrite } from "./stand.js";
export { type FenceVerification, verifyFence, type VerifyFenceOptions } from "./verify.js";
