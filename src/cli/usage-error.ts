/** Wrong usage or configuration: told in one or more lines, exit code 64, nothing was sent. */

class UsageError extends Error {
  override readonly name = "UsageError";
}

export function usageError(message: string): Error {
  return new UsageError(message);
}

export function isUsageError(cause: unknown): cause is Error {
  return cause instanceof UsageError;
}
