/** Names on disk: readable for usual keys, injective and harmless for all others. */

import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { keyPath, parseVersionFile, versionFile } from "../../../src/chain/layout.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { call, inDirectory, record } from "./scene.js";

const oddKeys = [
  "default/invoices",
  "default_invoices",
  "default/invoices/",
  "default//invoices",
  "Default/invoices",
  "default/Invoices",
  "default-invoices",
  "defaul/t-invoices",
  "default/-",
  "/",
  "",
  ".",
  "..",
  "../escape",
  "../../escape",
  "default/../../escape",
  "/etc/passwd",
  "marker.json",
  "marker/json",
  "bell",
  "temp-x",
  "con",
  "nul",
  'with "quotes"',
  "with 'quotes'",
  "with\0zero",
  "with\nline",
  "with space",
  "with space ",
  "caf\u00e9",
  "cafe\u0301",
  "\u{1f5dd}",
  "{braces}",
  "back\\slash",
  "k".repeat(300),
  `${"k".repeat(299)}l`,
  `${"n".repeat(64)}/x`,
];

describe("directories of keys", () => {
  it("when keys differ in any way, their directories differ even where case is ignored", () => {
    const paths = oddKeys.map((key) => keyPath("/store", key));
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(oddKeys.length);
  });

  it("whatever the key, its directory is one harmless name right below the store", () => {
    for (const key of oddKeys) {
      expect(dirname(keyPath("/store", key))).toBe("/store");
      expect(basename(keyPath("/store", key))).toMatch(/^[a-z0-9_-]{1,127}$/);
    }
    expect(keyPath("/store", "default/invoices")).toBe("/store/default_invoices");
  });

  it("when odd keys are written, each reads back its own record", async () => {
    await inDirectory(async (directory) => {
      const store = fileStore(directory);
      await Promise.all(
        oddKeys.map(async (key) => store.write(key, record({ node: key }), undefined, call())),
      );
      for (const key of oddKeys) {
        expect((await store.read(key, call()))?.body).toMatchObject({ node: key });
      }
    });
  });
});

describe("file names of versions", () => {
  it("when a nonce is an odd one, its version has a harmless name that no other nonce gets", () => {
    const nonces = ["A", "a", "../x", "x/y", "", "caf\u00e9", "cafe\u0301", "n".repeat(200)];
    const names = nonces.map((nonce) => versionFile(7, nonce).name);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(nonces.length);
    for (const name of names) expect(parseVersionFile(name)).toMatchObject({ name, number: 7 });
  });

  it("when a name is of another form, it is no version", () => {
    for (const name of [
      "bell",
      "temp-1",
      "1-x",
      "0000000000000000-x",
      "0000000000000001",
      "9999999999999999-x",
    ]) {
      expect(parseVersionFile(name)).toBeUndefined();
    }
  });
});
