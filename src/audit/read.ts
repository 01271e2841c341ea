/**
 * From the text of history files to lines and findings.
 *
 * Promise: never throws, whatever the text. The last line of a file may break off,
 * since its process may have been killed while it wrote; a bad line anywhere else
 * is damage. Must not drop anything silently.
 */

import type { HistoryLine } from "../history/line.js";
import { decodeLine } from "./fields.js";
import type { Finding } from "./verdict.js";

export interface HistoryFile {
  /** For messages. */
  readonly name: string;
  /** JSON lines, of one process. */
  readonly text: string;
}

export interface ReadHistory {
  readonly lines: readonly HistoryLine[];
  readonly findings: readonly Finding[];
}

export function readHistory(files: readonly HistoryFile[]): ReadHistory {
  const lines: HistoryLine[] = [];
  const findings: Finding[] = [];
  for (const { name, text } of files) {
    const rows = text.split("\n");
    for (const [index, row] of rows.entries()) {
      if (row.trim() === "") continue;
      const decoded = decodeLine(row);
      const at = `${name}:${index + 1}`;
      // Without its line break the last row is all that its writer could finish.
      const last = index === rows.length - 1;
      if (decoded.kind === "line") lines.push(decoded.line);
      else if (last && decoded.kind === "garbage") findings.push(torn(at, row));
      else findings.push({ kind: decoded.kind, message: `${at} ${decoded.why}; it was not judged` });
    }
  }
  return { lines, findings };
}

function torn(at: string, row: string): Finding {
  const message = `${at} breaks off after ${row.length} characters, as when its process was killed; the rest was judged`;
  return { kind: "torn", message };
}
