/** `tenure/journal/sqlite`: a journal in a SQLite file, which can be changed together with the data beside it. */

export type { SqliteDatabase, SqliteStatement } from "../../fence/sqlite/database.js";
export type { JournalTableNames } from "../sql/tables.js";
export type { SqliteJournalHandle, SqliteJournalTransaction } from "./handle.js";
export { type SqliteJournal, type SqliteJournalOptions, sqliteJournal } from "./journal.js";
export { sqliteJournalSchema } from "./schema.js";
