/** Errors: one type, one table. Imports nothing of ours. */

export { createError, TenureError, type TenureErrorType } from "./error.js";
export { type ErrorCode, type ErrorFacts, errorTable } from "./table.js";
