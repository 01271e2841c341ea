/** `tenure/journal/postgres`: a journal in a PostgreSQL database, which can be changed together with the data beside it. */

export type { PostgresClient } from "../../fence/postgres/client.js";
export type { JournalTransaction, SqlJournal, SqlJournalHandle } from "../sql/journal.js";
export type { JournalTableNames } from "../sql/tables.js";
export { type PostgresJournalOptions, postgresJournal } from "./journal.js";
export { postgresJournalSchema } from "./schema.js";
