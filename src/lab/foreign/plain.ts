/** What a foreign part hands over, as text: for comparing values whatever order their fields have, and for messages. */

/** JSON with its fields in order, so that equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, entry: unknown) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Short, and never throws. */
export function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise";
  if (value instanceof Error) return String(value);
  const text = textOf(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function textOf(value: unknown): string {
  try {
    const json: unknown = JSON.stringify(value);
    return typeof json === "string" ? json : String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
