/** `tenure/fence/verify`: whether a resource refuses what it must. */

export type { ProbedLedger } from "../probed.js";
export type { FenceProbe, FenceProbeId, Finding } from "./finding.js";
export type { VerifyHttpOptions } from "./http/options.js";
export { verifyHttpFence } from "./http/verify.js";
export type { VerifyRabbitmqOptions } from "./rabbitmq/options.js";
export { verifyRabbitmqFence } from "./rabbitmq/verify.js";
export type { ProbedGuard, ProbeWrite } from "./stand.js";
export { type FenceVerification, verifyFence, type VerifyFenceOptions } from "./verify.js";
