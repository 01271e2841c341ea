/** `tenure/journal`: a durable record of what leaders did; a journal in a directory, for the processes of one host. */

export { type FileJournalOptions, fileJournal } from "./file-journal.js";
export type { JournalLimits } from "./limits.js";
export type {
  Appended,
  CheckpointOptions,
  EntriesOptions,
  FollowOptions,
  Journal,
  JournalEntry,
  JournalHandle,
  JournalInspection,
  Replay,
} from "./journal.js";
