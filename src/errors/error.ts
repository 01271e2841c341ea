/**
 * The one error type, recognised by a registered symbol.
 *
 * A plain interface on top of `Error`: two copies of this package in one
 * process recognise each other's errors, so `instanceof` is used nowhere.
 * Abort reasons are such errors too, which gives `throwIfAborted` a stack.
 */

import { type ErrorCode, errorTable } from "./table.js";

const mark: unique symbol = Symbol.for("tenure.error");

export interface TenureError extends Error {
  readonly name: "TenureError";
  readonly code: ErrorCode;
  /** Whether the failed action certainly did not happen, or may have. */
  readonly outcome: "definite" | "unknown";
  readonly retry: "never" | "later" | "now";
}

export interface TenureErrorType {
  /** True for an error of this library (any copy of it), with that code when one is named. */
  is<C extends ErrorCode>(error: unknown, code?: C): error is TenureError & { readonly code: C };
}

export const TenureError: TenureErrorType = {
  is<C extends ErrorCode>(error: unknown, code?: C): error is TenureError & { readonly code: C } {
    if (typeof error !== "object" || error === null || !(mark in error)) return false;
    return code === undefined || (error as unknown as TenureError).code === code;
  },
};

interface ErrorDetails {
  readonly cause?: unknown;
  /** Built-in type beneath, for callers that look at it: option errors are RangeError or TypeError. */
  readonly base?: ErrorConstructor | RangeErrorConstructor | TypeErrorConstructor;
}

export function createError(code: ErrorCode, message: string, details: ErrorDetails = {}): TenureError {
  const { outcome, retry } = errorTable[code];
  const Base = details.base ?? Error;
  const error = new Base(`${code}: ${message}`, "cause" in details ? { cause: details.cause } : undefined);
  const fields = { name: "TenureError", code, outcome, retry };
  for (const [key, value] of Object.entries(fields)) {
    Object.defineProperty(error, key, { value, enumerable: key !== "name", configurable: true });
  }
  Object.defineProperty(error, mark, { value: true });
  return error as unknown as TenureError;
}
