/** What may stand in the gaps of sentences: names, durations, numbers, one of several words. */

export interface Gap {
  /** Source of a regular expression. */
  readonly pattern: string;
  /** For who wrote something else. */
  readonly what: string;
  /** Undefined: looks right, and is not. */
  read(text: string): unknown;
  write(value: unknown): string;
}

const namePattern = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";

const name: Gap = { pattern: `${namePattern}'?`, what: "a name", read: (text) => text, write: String };

const names: Gap = {
  pattern: `${namePattern}(?: ${namePattern})*`,
  what: "names, with one space between them",
  read: (text) => text.split(" "),
  write: (value) => (Array.isArray(value) ? value.join(" ") : ""),
};

const duration: Gap = {
  pattern: "-?[0-9][0-9.e+-]*m?s",
  what: 'a time such as "2.5s" or "300ms"',
  read: readDuration,
  write: (value) => writeDuration(Number(value)),
};

const count: Gap = {
  pattern: "[0-9]+",
  what: "a whole number",
  read: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
  write: String,
};

const rate: Gap = {
  pattern: "[0-9]+(?:\\.[0-9]+)?",
  what: 'a rate such as "1.2"',
  read: (text) => (Number(text) > 0 ? Number(text) : undefined),
  write: String,
};

const text: Gap = { pattern: "\\S.*", what: "words", read: (words) => words, write: String };

function oneOf(...words: readonly string[]): Gap {
  // The longest first, so that no word is taken for the beginning of another.
  const pattern = words.toSorted((a, b) => b.length - a.length).join("|");
  return {
    pattern: `(?:${pattern})(?![a-z-])`,
    what: `one of ${words.join(", ")}`,
    read: (word) => word,
    write: String,
  };
}

export const gaps: ReadonlyMap<string, Gap> = new Map([
  ["who", name],
  ["to", name],
  ["resource", oneOf("errands-1", "errands-2")],
  ["name", { ...name, pattern: "[A-Za-z0-9-]+" }],
  ["names", names],
  ["ms", duration],
  ["forMs", duration],
  ["byMs", duration],
  ["writes", count],
  ["by", count],
  ["others", count],
  ["count", count],
  ["rate", rate],
  ["breaks", text],
  ["clock", oneOf("monotonic", "boot", "wall")],
  ["from", oneOf("store", "ledger")],
  ["what", oneOf("store", "ledger")],
  ["resource", oneOf("errands-1", "errands-2")],
  ["call", oneOf("read", "write", "ledger-read", "ledger-write")],
  ["store", oneOf("memory", "register", "unproven", "replicated", "file")],
  ["of", oneOf("file", "directory")],
  ["mood", oneOf("mixed", "steady", "stubborn")],
  ["state", oneOf("held", "draining", "offered", "released")],
  ["answer", oneOf("held", "unknown", "elected", "nothing")],
  ["reason", { ...name, what: "the reason of an end" }],
  ["code", { ...name, pattern: "[A-Z][A-Z_]+", what: "a code such as STALE" }],
]);

/** Whole milliseconds in seconds, all others to the last digit. */
export function writeDuration(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1_000 || !Number.isSafeInteger(ms)) return `${ms}ms`;
  const rest = String(size % 1_000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return `${ms < 0 ? "-" : ""}${Math.floor(size / 1_000)}${rest === "" ? "" : `.${rest}`}s`;
}

function readDuration(written: string): number | undefined {
  const [, sign = "", digits = "", fraction = "", unit] =
    /^(-?)([0-9]+)(?:\.([0-9]{1,3}))?(ms|s)$/.exec(written) ?? [];
  if (unit === "s") return Number(`${sign}${digits}${fraction.padEnd(3, "0")}`);
  const ms = Number(written.slice(0, -2));
  return written.endsWith("ms") && Number.isFinite(ms) ? ms : undefined;
}
