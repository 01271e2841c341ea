/**
 * Names become keys: injective, lower case, safe in file names and every store's key space.
 *
 * A name of [a-z0-9-] within the limit stays as it is, so that operators can read
 * keys; anything else keeps a readable part and gets 130 bits of its SHA-256.
 * Names are opaque bytes: composed and decomposed forms are two names, so are
 * "A" and "a", "x" and "x ". The double hyphen marks the hashed form; a plain
 * name that contains one is hashed too, so the two forms never meet.
 */

import { createHash } from "node:crypto";

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const hashLength = 26;
const plain = /^[a-z0-9](?:-?[a-z0-9])*$/;

/** At most `limit` characters of [a-z0-9-]; `limit` is at least 32. */
export function encodeName(name: string, limit = 63): string {
  if (name.length <= limit && plain.test(name)) return name;
  const room = limit - hashLength - 2;
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, room)
    .replace(/-+$/, "");
  return `${readable}--${base32(createHash("sha256").update(name, "utf8").digest()).slice(0, hashLength)}`;
}

function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return text;
}
