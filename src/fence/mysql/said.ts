/**
 * What a refused statement says, and what that means.
 *
 * Of a name that is too long, MariaDB shows 97 bytes, in an alphabet of its own that lacks some letters. So only what the
 * refusal is about is said, in plain characters: another text as its bytes in Base64, behind `~`; what is too long is cut,
 * with `~` behind it.
 */

import type { Fence } from "../fence.js";
import type { Said } from "../sql/statement.js";
import { storeText } from "../sql/tables.js";

const longestPlain = 45;
/** 40 characters in Base64. */
const longestBytes = 30;
const plain = "A-Za-z0-9 ._:/@-";

/** `column`, in SQL. */
export function sayText(column: string): string {
  return `CASE
      WHEN ${column} REGEXP '[^${plain}]'
        THEN CONCAT('~', TO_BASE64(LEFT(CAST(${column} AS BINARY), ${longestBytes})), IF(OCTET_LENGTH(${column}) > ${longestBytes}, '~', ''))
      ELSE CONCAT(LEFT(${column}, ${longestPlain}), IF(OCTET_LENGTH(${column}) > ${longestPlain}, '~', ''))
    END`;
}

const text = `~?[=+${plain}]*~?`;

export const said: Said = {
  pattern: `(?:format \\d+|lineage ${text}|\\d+ by ${text})`,
  row(words, { lineage, token, owner }: Fence) {
    const [, foreign] = /^lineage (.*)$/.exec(words) ?? [];
    // Watermark and owner are not asked for then.
    const mine = { v: 1, lineage: storeText(lineage), watermark: token, owner: storeText(owner) };
    if (foreign !== undefined) return { ...mine, lineage: readSaid(foreign) };
    const [, watermark, other] = /^(\d+) by (.*)$/.exec(words) ?? [];
    return other === undefined ? undefined : { ...mine, watermark, owner: readSaid(other) };
  },
};

/** As it is stored; what was cut ends in an ellipsis. */
function readSaid(words: string): string {
  const [, isCoded, body = "", isCut] = /^(~?)(.*?)(~?)$/.exec(words) ?? [];
  const bytes = isCoded === "~" ? Buffer.from(body, "base64") : Buffer.from(body);
  if (isCut !== "~") return bytes.toString();
  // The cut may have gone through a character.
  return `${new TextDecoder().decode(bytes, { stream: true })}…`;
}
