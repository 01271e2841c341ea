/** Errors: one type, one table. Imports nothing of ours. */

export { createError, TenureError, type TenureErrorOf, type TenureErrorType } from "./error.js";
export {
  type ClaimBlocker,
  type ErrorCode,
  type ErrorFacts,
  type ErrorFields,
  errorTable,
  type SentAttempt,
} from "./table.js";
