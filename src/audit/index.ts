/** Audit: judges histories and sequences of records. Imports nothing of what it judges. */

export { audit, type AuditOptions, type AuditResult, auditScenes } from "./audit.js";
export type { Counts } from "./counts.js";
export { overlapsOf } from "./belief.js";
export { judgeRegister } from "./linear.js";
export { type HistoryFile, type ReadHistory, readHistory } from "./read.js";
export { judgeRecords, type KeptRecord, type RecordsResult, type StoredRecord } from "./records.js";
export type {
  Loss,
  ReadCall,
  RegisterAnswer,
  RegisterCall,
  RegisterHistory,
  RegisterStory,
  WriteCall,
} from "./register.js";
export { type Scene, scenesOf } from "./scene.js";
export { type BeliefTerm, believesAt } from "./terms.js";
export type { Check, Finding, Invariant, Violation } from "./verdict.js";
