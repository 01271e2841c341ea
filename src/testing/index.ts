/** `tenure/testing`: an election on a virtual clock, for testing the work that runs under one. */

export type { LossReason, TestElection, TestElectionOptions } from "./api.js";
export {
  recordingResource,
  type RecordedWrite,
  type RecordingResource,
  type WriteVerdict,
} from "./recording-resource.js";
export type { Sleep } from "./sleep.js";
export { createTestElection } from "./test-election.js";
