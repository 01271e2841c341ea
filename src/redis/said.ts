/** What a client or the server said when something failed. */

export function textOf(cause: unknown): string {
  if (typeof cause !== "object" || cause === null) return "no answer";
  const { message, code } = cause as { readonly message?: unknown; readonly code?: unknown };
  const text = [message, code].find((part) => typeof part === "string" && part !== "");
  return typeof text === "string" ? text.slice(0, 300) : "no answer";
}

/** Some servers put the script's name before an error that a script met. */
export function firstWord(message: string): string {
  return /\b([A-Z]{3,})\b/.exec(message)?.[1] ?? "";
}

export function isNoScript(cause: unknown): boolean {
  return textOf(cause).includes("NOSCRIPT");
}

/** Clients put the command with its arguments on their errors, a password among them. */
export function plain(cause: unknown): Error {
  return new Error(textOf(cause));
}
