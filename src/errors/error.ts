/**
 * The one error type, recognised by a registered symbol.
 *
 * A plain interface on top of `Error`: two copies of this package in one
 * process recognise each other's errors, so `instanceof` is used nowhere.
 * Abort reasons are such errors too, which gives `throwIfAborted` a stack.
 */

import { type ErrorCode, type ErrorFields, errorTable } from "./table.js";

const mark: unique symbol = Symbol.for("tenure.error");

export interface TenureError extends Error {
  readonly name: "TenureError";
  readonly code: ErrorCode;
  /** Whether the failed action certainly did not happen, or may have. */
  readonly outcome: "definite" | "unknown";
  readonly retry: "never" | "later" | "now";
}

/** Errors of one code, with the fields that only they have. */
export type TenureErrorOf<C extends ErrorCode> = TenureError & {
  readonly code: C;
} & (C extends keyof ErrorFields ? ErrorFields[C] : unknown);

export interface TenureErrorType {
  /** True for an error of this library (any copy of it), with that code when one is named. */
  is<C extends ErrorCode>(error: unknown, code: C): error is TenureErrorOf<C>;
  is(error: unknown): error is TenureError;
}

export const TenureError: TenureErrorType = {
  is(error: unknown, code?: ErrorCode): error is never {
    if (typeof error !== "object" || error === null || !(mark in error)) return false;
    return code === undefined || (error as unknown as TenureError).code === code;
  },
};

interface ErrorDetails {
  readonly cause?: unknown;
  /** Built-in type beneath, for callers that look at it: option errors are RangeError or TypeError. */
  readonly base?: ErrorConstructor | RangeErrorConstructor | TypeErrorConstructor;
  /** Where it is not the table's: what is definite by itself says nothing about an earlier send of the same write. */
  readonly outcome?: "definite" | "unknown";
  readonly fields?: Readonly<Record<string, unknown>>;
}

export function createError(code: ErrorCode, message: string, details: ErrorDetails = {}): TenureError {
  const { outcome = errorTable[code].outcome } = details;
  const { retry } = errorTable[code];
  const Base = details.base ?? Error;
  const error = new Base(`${code}: ${message}`, "cause" in details ? { cause: details.cause } : undefined);
  const fields = { name: "TenureError", code, outcome, retry, ...details.fields };
  for (const [key, value] of Object.entries(fields)) {
    Object.defineProperty(error, key, { value, enumerable: key !== "name", configurable: true });
  }
  Object.defineProperty(error, mark, { value: true });
  return error as unknown as TenureError;
}
