/** `tenure`: elections. Stores and guards have subpaths of their own. */

export {
  createElection,
  type AlgorithmElectionOptions,
  type LeadershipOf,
  type LeaseElectionOptions,
} from "./create-election.js";
export type { Algorithm } from "./election/algorithm.js";
export type {
  AnyLeadership,
  Attempted,
  Budget,
  Election,
  ElectionStatus,
  HeldBy,
  LeaderObserver,
  Leadership,
  RunOptions,
  Term,
  TransferOptions,
  TransferResult,
  UnfencedLeadership,
} from "./election/api.js";
export type { ElectionEvents, EndReason, LeaderView, Logger, WantedEnd } from "./election/events.js";
export type { CommonOptions } from "./election/options.js";
export {
  type ClaimBlocker,
  type ErrorCode,
  type ErrorFacts,
  type ErrorFields,
  errorTable,
  type SentAttempt,
  TenureError,
  type TenureErrorOf,
  type TenureErrorType,
} from "./errors/index.js";
export type { Attempt, Fence, Sequence } from "./fence/fence.js";
export type { HistoryEvent, HistoryLine, HistorySink, HistoryStamp } from "./history/line.js";
